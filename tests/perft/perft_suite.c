// SPDX-License-Identifier: GPL-3.0-or-later
/* perft_suite -- does the move generator count as it should?
 *   perft_suite LIMIT THREADS HASH_MB [std|960 FILE EXPECTED]...
 * Runs every count up to LIMIT (0: all) of files of lines `FEN ;D1 20 ;D2 400`, and demands that
 * each file has EXPECTED of them (0: any number). Exit code 77, "skipped", if no file is there. */
#include "chess/epd.h"
#include "chess/perft.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
    int64_t limit, threads, hash_mb;
    long counts, failures;
    uint64_t nodes;
} Run;

static void check_count(Run *run, const Position *p, Str line, int depth, uint64_t expected)
{
    const PerftOptions options = {
        .depth = depth, .threads = (int)run->threads, .hash_mb = (size_t)run->hash_mb};
    uint64_t got = 0;
    Error err = {0};
    Position copy = *p;
    bool ok = true;
    if (run->threads > 1 || run->hash_mb > 0)
        ok = perft_run(p, &options, &got, &err);
    else
        got = perft(&copy, depth);
    run->counts++;
    run->nodes += got;
    if (ok && got == expected)
        return;
    run->failures++;
    printf("%.*s: depth %d gives %llu, not %llu %s\n", (int)line.len, line.ptr, depth,
           (unsigned long long)got, (unsigned long long)expected, err.text);
}

static void check_line(Run *run, Str line, FenMode mode)
{
    Epd epd;
    Error err;
    if (!epd_parse(&epd, line, mode, &err, NULL)) {
        run->failures++;
        printf("%.*s: %s\n", (int)line.len, line.ptr, err.text);
        return;
    }
    for (int i = 0; i < epd.op_count; i++) {
        const Str name = epd.ops[i].name;
        int64_t depth, expected;
        if (name.len < 2 || name.ptr[0] != 'D' ||
            !str_int((Str){name.ptr + 1, name.len - 1}, 1, 99, &depth) ||
            !str_int(epd.ops[i].operand, 0, INT64_MAX, &expected)) {
            run->failures++;
            printf("%.*s: operation %d cannot be read\n", (int)line.len, line.ptr, i + 1);
        } else if (run->limit == 0 || expected <= run->limit)
            check_count(run, &epd.pos, line, (int)depth, (uint64_t)expected);
    }
}

/* False if there is no such file. */
static bool check_file(Run *run, const char *path, FenMode mode)
{
    FILE *file = fopen(path, "r");
    char text[4096];
    if (!file)
        return false;
    while (fgets(text, sizeof text, file)) {
        const Str line = str_trim(str_from(text));
        if (line.len > 0 && line.ptr[0] != '#')
            check_line(run, line, mode);
    }
    fclose(file);
    return true;
}

int main(int argc, char **argv)
{
    Run run = {0};
    if (argc < 7 || (argc - 4) % 3 || !str_int(str_from(argv[1]), 0, INT64_MAX, &run.limit) ||
        !str_int(str_from(argv[2]), 1, 256, &run.threads) ||
        !str_int(str_from(argv[3]), 0, 65536, &run.hash_mb)) {
        fprintf(stderr, "usage: %s LIMIT THREADS HASH_MB [std|960 FILE EXPECTED]...\n", argv[0]);
        return 2;
    }
    attacks_init();
    int files = 0;
    for (int i = 4; i < argc; i += 3) {
        const long before = run.counts;
        int64_t expected = 0;
        if (!check_file(&run, argv[i + 1], strcmp(argv[i], "960") == 0 ? FEN_960 : FEN_STANDARD))
            continue;
        files++;
        if (!str_int(str_from(argv[i + 2]), 0, INT32_MAX, &expected) ||
            (expected && run.counts - before != expected)) {
            printf("%s: %ld counts, not %s\n", argv[i + 1], run.counts - before, argv[i + 2]);
            run.failures++;
        }
        printf("%s: %ld counts\n", argv[i + 1], run.counts - before);
        fflush(stdout);
    }
    printf("%ld counts, %llu nodes, %ld failed\n", run.counts, (unsigned long long)run.nodes,
           run.failures);
    return files == 0 ? 77 : run.failures > 0;
}
