// SPDX-License-Identifier: GPL-3.0-or-later
/* A file of games: whatever its blocks hold, every game that is read can be played, and what was
 * read can be written and read again. The input is a file as it is, and the games of a block with
 * the checksums put right. */
#include "fuzz.h"

#include "base/rng.h"
#include "chess/movegen.h"
#include "train/record.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILE_HEADER = 128, BLOCK_HEADER = 20, MOST_GAMES = 200 };

static void put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void check_game(const GameRecord *game)
{
    DEMAND(game->count >= 0 && game->count <= RECORD_MAX_PLIES && game->opening <= game->count);
    DEMAND(game->result <= 2);
    Position p;
    record_start(game, &p);
    for (int i = 0; i < game->count; i++) {
        Undo undo;
        MoveList list;
        gen_legal(&p, &list);
        DEMAND(list_has(&list, game->plies[i].move));
        pos_make(&p, game->plies[i].move, &undo, NULL);
    }
}

/* Reads a file that lives in memory. Regular, so that it is read like one on disk. */
static void read_all(const void *bytes, size_t size)
{
    static GameRecord game;
    const int fd = memfd_create("games", 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    DEMAND(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    Error err = {0};
    RecordReader *reader = record_open(path, &err);
    DEMAND(reader || err.text[0]);
    for (int i = 0; reader && i < MOST_GAMES && record_next(reader, &game); i++)
        check_game(&game);
    record_close(reader);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    attacks_init();
    read_all(data, size);
    if (size < 2)
        return 0;
    const uint32_t games = data[0], plies = (uint32_t)data[1] * games;
    const size_t body = size - 2, whole = FILE_HEADER + BLOCK_HEADER + body;
    uint8_t *file = calloc(1, whole);
    DEMAND(file);
    memcpy(file, "SAMARAGR", 8);
    put32(file + 8, 1);
    put32(file + 12, FILE_HEADER);
    put32(file + FILE_HEADER - 4, crc32c(0, file, FILE_HEADER - 4));
    uint8_t *block = file + FILE_HEADER;
    memcpy(block, "SGBK", 4);
    put32(block + 4, (uint32_t)body);
    put32(block + 8, games);
    put32(block + 12, plies);
    memcpy(block + BLOCK_HEADER, data + 2, body);
    put32(block + 16, crc32c(crc32c(0, block, 16), block + BLOCK_HEADER, body));
    read_all(file, whole);
    free(file);
    return 0;
}
