// SPDX-License-Identifier: GPL-3.0-or-later
/* yard.h -- runs samara-match itself, in a folder of its own. */
#ifndef SAMARA_TESTS_MATCH_YARD_H
#define SAMARA_TESTS_MATCH_YARD_H

#include "arena.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

enum { MAX_WORDS = 64 };

/* Starts samara-match with these words (ended by NULL); its output goes to `out`. */
static inline pid_t start(const char *out, char *const *words)
{
    char *argv[MAX_WORDS] = {(char *)SAMARA_MATCH};
    int argc = 1;
    while (*words && argc < MAX_WORDS - 1)
        argv[argc++] = *words++;
    const pid_t pid = fork();
    if (pid == 0) {
        const int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(fd, 1);
        dup2(fd, 2);
        execv(argv[0], argv);
        _exit(127);
    }
    return pid;
}

static inline int finish(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static inline char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("no file %s", path);
    char *text = calloc(1, 1 << 22);
    const size_t got = fread(text, 1, (1 << 22) - 1, file);
    text[got] = 0;
    fclose(file);
    return text;
}

/* A folder of its own for every test, with the words of a match between two mocks in it. */
typedef struct Yard {
    char folder[64];
    char out[96], pgn[96], json[96], journal[96];
    char tag[80];
} Yard;

static inline int open_yard(void **state)
{
    Yard *y = calloc(1, sizeof *y);
    strcpy(y->folder, "/tmp/samara-match-test-XXXXXX");
    if (!mkdtemp(y->folder))
        return -1;
    snprintf(y->out, sizeof y->out, "%s/out", y->folder);
    snprintf(y->pgn, sizeof y->pgn, "%s/games.pgn", y->folder);
    snprintf(y->json, sizeof y->json, "%s/result.json", y->folder);
    snprintf(y->journal, sizeof y->journal, "%s/journal", y->folder);
    snprintf(y->tag, sizeof y->tag, "arg=%s", arena_tag());
    *state = y;
    return 0;
}

static inline int close_yard(void **state)
{
    Yard *y = *state;
    const char *files[] = {y->out, y->pgn, y->json, y->journal};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    const bool clean = rmdir(y->folder) == 0;
    free(y);
    return clean ? 0 : -1;
}

/* Waits until some games are on disk, but not all of them. */
static inline void wait_for_games(const Yard *y, int wanted)
{
    for (int i = 0; i < 500; i++) {
        clock_sleep_ms(20);
        FILE *file = fopen(y->journal, "rb");
        int lines = 0;
        for (int c; file && (c = fgetc(file)) != EOF;)
            lines += c == '\n';
        if (file)
            fclose(file);
        if (lines > wanted)
            return;
    }
    fail_msg("there are no games after ten seconds");
}

#define IN_YARD(test) cmocka_unit_test_setup_teardown(test, open_yard, close_yard)

#endif
