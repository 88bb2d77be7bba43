// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/journal.h"
#include "base/file.h"
#include <errno.h>
#include <string.h>

bool read_file(const char *path, Buffer *out, Error *err)
{
    enum { LARGEST = 1 << 30 };
    Error why;
    return file_read_all(path, LARGEST, out, &why) || strcmp(why.code, "NO_FILE") == 0 ||
           error_code(err, why.code, 0, "%s", why.text);
}

bool shorten_file(const char *path, int64_t length, Error *err)
{
    return file_shorten(path, (uint64_t)length) ||
           error_set(err, "cannot shorten '%s': %s", path, strerror(errno));
}

/* Reads what an earlier run left; *whole: how much of it is complete. */
static bool replay_all(Str text, const char *path, const char *title, JournalReplay replay,
                       void *user, size_t *whole, Error *err)
{
    const char *begin = text.ptr;
    if (!str_is(str_line(&text), title))
        return error_set(err, "'%s' is the journal of another match", path);
    *whole = (size_t)(text.ptr - begin);
    for (unsigned long number = 2; text.len && memchr(text.ptr, '\n', text.len); number++) {
        if (!replay(user, str_line(&text)))
            return error_set(err, "'%s' is damaged in line %lu", path, number);
        *whole = (size_t)(text.ptr - begin);
    }
    return true;
}

/* It will be read, cut and written: a device or a pipe does not do. */
static bool is_plain(const char *path)
{
    File file;
    Error why;
    if (!file_open(&file, path, &why))
        return strcmp(why.code, "NO_FILE") == 0;
    file_close(&file);
    return true;
}

/* Replays what is there and cuts off a last line that was not finished. The title with its
 * fingerprint keeps journals of other matches out. */
bool journal_open(Journal *journal, const char *path, const char *title, uint64_t fingerprint,
                  JournalReplay replay, void *user, Error *err)
{
    *journal = (Journal){0};
    if (!path)
        return true;
    if (!is_plain(path))
        return error_set(err, "'%s' is no plain file, as a journal must be", path);
    char first[128], line[sizeof first + 1];
    Buffer text = {0};
    size_t whole = 0;
    snprintf(first, sizeof first, "%s %016llx", title, (unsigned long long)fingerprint);
    bool ok = read_file(path, &text, err);
    /* A file without a whole first line is one that was just begun. */
    const bool fresh = !text.len || !memchr(text.data, '\n', text.len);
    if (ok && !fresh)
        ok = replay_all((Str){text.data, text.len}, path, first, replay, user, &whole, err);
    buffer_free(&text);
    if (!ok || !shorten_file(path, (int64_t)whole, err))
        return false;
    journal->file = file_stream(path, "ab");
    if (!journal->file)
        return error_set(err, "cannot write '%s': %s", path, strerror(errno));
    snprintf(line, sizeof line, "%s\n", first);
    return !fresh || journal_add(journal, str_from(line), err);
}

bool journal_add(Journal *journal, Str line, Error *err)
{
    if (!journal->file)
        return true;
    return (fwrite(line.ptr, 1, line.len, journal->file) == line.len &&
            fflush(journal->file) == 0) ||
           error_set(err, "cannot write the journal: %s", strerror(errno));
}

bool journal_close(Journal *journal, Error *err)
{
    const bool ok = !journal->file || fclose(journal->file) == 0;
    journal->file = NULL;
    return ok || error_set(err, "cannot write the journal: %s", strerror(errno));
}
