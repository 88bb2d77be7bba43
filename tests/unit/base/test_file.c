// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/samara-file-XXXXXX";
static char path[64];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

static void a_file_is_read_by_position(void **state)
{
    (void)state;
    write_text("ten", "0123456789");
    File file;
    char got[16] = "";
    assert_true(file_open(&file, in_folder("ten"), NULL));
    assert_int_equal(file.size, 10);
    assert_int_equal(file_read(&file, 3, got, 4), 4);
    assert_string_equal(got, "3456");
    assert_int_equal(file_read(&file, 8, got, 4), 2);
    assert_int_equal(file_read(&file, 10, got, 4), 0);
    assert_int_equal(file_read(&file, 1ULL << 40, got, 4), 0);
    file_close(&file);
}

static void a_file_that_shrinks_gives_fewer_bytes(void **state)
{
    (void)state;
    write_text("shrinking", "0123456789");
    File file;
    char got[16];
    assert_true(file_open(&file, in_folder("shrinking"), NULL));
    assert_int_equal(truncate(path, 4), 0);
    assert_int_equal(file_read(&file, 0, got, 10), 4);
    assert_int_equal(file_read(&file, 5, got, 4), 0);
    file_close(&file);
}

/* Before, opening a pipe that nobody writes to did not come back. */
static void what_is_no_file_is_refused_at_once(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    char pipe[64];
    strcpy(pipe, path);
    const char *const paths[] = {pipe, folder, "/dev/zero", "/dev/null", in_folder("absent")};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        File file;
        Error err = {0};
        Buffer bytes = {0};
        assert_false(file_open(&file, paths[i], &err));
        assert_string_equal(err.code, paths[i] == path ? "NO_FILE" : "FILE");
        assert_non_null(strstr(err.text, paths[i]));
        assert_false(file_read_all(paths[i], 1 << 20, &bytes, &err));
        buffer_free(&bytes);
    }
}

static void a_whole_file_has_a_limit(void **state)
{
    (void)state;
    write_text("whole", "0123456789");
    Buffer bytes = {0};
    Error err;
    assert_false(file_read_all(in_folder("whole"), 9, &bytes, &err));
    assert_non_null(strstr(err.text, "too large"));
    assert_true(file_read_all(in_folder("whole"), 10, &bytes, &err));
    assert_string_equal(buffer_text(&bytes), "0123456789");
    buffer_free(&bytes);
}

static void text_is_appended_to_files_but_not_to_pipes(void **state)
{
    (void)state;
    Error err = {0};
    for (int i = 0; i < 2; i++) {
        FILE *file = file_append(in_folder("log"), &err);
        assert_non_null(file);
        fputs("line\n", file);
        assert_int_equal(fclose(file), 0);
    }
    Buffer bytes = {0};
    assert_true(file_read_all(in_folder("log"), 100, &bytes, &err));
    assert_string_equal(buffer_text(&bytes), "line\nline\n");
    buffer_free(&bytes);

    assert_int_equal(mkfifo(in_folder("other_pipe"), 0600), 0);
    assert_null(file_append(path, &err));
    assert_null(file_append(folder, &err));
    FILE *device = file_append("/dev/null", &err);
    assert_non_null(device);
    fclose(device);
}

/* What a crash in between leaves is the old file or the new one; here: no rest, and a name beyond
 * ASCII. */
static void a_file_is_replaced_whole_or_not_at_all(void **state)
{
    (void)state;
    Buffer bytes = {0};
    Error err = {0};
    const char *name = in_folder("b\xc3\xbc"
                                 "cher of mine");
    assert_false(file_exists(name));
    assert_true(file_save(name, "old text", 8, &err));
    assert_true(file_save(name, "new", 3, &err));
    assert_true(file_read_all(name, 100, &bytes, &err));
    assert_string_equal(buffer_text(&bytes), "new");
    buffer_free(&bytes);
    char beside[80];
    snprintf(beside, sizeof beside, "%s.new", name);
    assert_false(file_exists(beside));
    assert_true(file_remove(name));
    assert_false(file_remove(name));
    assert_false(file_save(in_folder("no/such/folder"), "x", 1, &err));
    assert_non_null(strstr(err.text, "cannot write"));
}

static void files_are_cut(void **state)
{
    (void)state;
    Buffer bytes = {0};
    write_text("cut", "0123456789");
    assert_true(file_shorten(path, 8));
    assert_true(file_shorten("/tmp/samara-no-such-file", 0));
    FILE *file = file_stream(path, "r+b");
    assert_non_null(file);
    assert_true(file_cut(file, 4));
    fputs("x", file);
    assert_int_equal(fclose(file), 0);
    assert_true(file_read_all(path, 100, &bytes, NULL));
    assert_string_equal(buffer_text(&bytes), "0123x");
    buffer_free(&bytes);
}

static void a_folder_may_be_there_already(void **state)
{
    (void)state;
    write_text("plain", "");
    assert_false(file_make_folder(path));
    assert_true(file_make_folder(folder));
    assert_true(file_make_folder(in_folder("inner")));
    assert_int_equal(rmdir(path), 0);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *const names[] = {"ten", "shrinking",  "pipe", "whole",
                                 "log", "other_pipe", "cut",  "plain"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_replaced_whole_or_not_at_all),
        cmocka_unit_test(files_are_cut),
        cmocka_unit_test(a_folder_may_be_there_already),
        cmocka_unit_test(a_file_is_read_by_position),
        cmocka_unit_test(a_file_that_shrinks_gives_fewer_bytes),
        cmocka_unit_test(what_is_no_file_is_refused_at_once),
        cmocka_unit_test(a_whole_file_has_a_limit),
        cmocka_unit_test(text_is_appended_to_files_but_not_to_pipes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
