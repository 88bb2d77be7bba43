// SPDX-License-Identifier: GPL-3.0-or-later
/* A network file: refused in words, or good for evaluations within bounds that are the same when the
 * network is written and read again. The input is a list of changes to a small good file (place,
 * value), so that the checksum, which is put right, hides nothing behind it; and the file itself. */
#include "fuzz.h"

#include "../unit/nnue/net_maker.h"
#include "chess/fen.h"
#include "nnue/accumulator.h"
#include "nnue/arch.h"
#include <string.h>

enum { WIDTH = 128, HEADER = 64, CHANGE = 6 };

static const char *const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
};

static void evaluate(const Net *net, int out[3])
{
    for (int i = 0; i < 3; i++) {
        Position p;
        DEMAND(fen_parse(&p, str_from(fens[i]), FEN_STANDARD, NULL, NULL));
        out[i] = net_evaluate(net, &p);
        DEMAND(out[i] >= -NN_EVAL_MAX && out[i] <= NN_EVAL_MAX);
    }
}

static void check(const void *bytes, size_t size)
{
    Error err = {0};
    Net *net = net_parse(bytes, size, &err);
    DEMAND(net || err.text[0]);
    if (!net)
        return;
    int first[3], second[3];
    Buffer again = {0};
    evaluate(net, first);
    DEMAND(net_write(net, &again));
    net_free(net);
    net = net_parse(again.data, again.len, &err);
    DEMAND(net);
    evaluate(net, second);
    DEMAND(memcmp(first, second, sizeof first) == 0);
    net_free(net);
    buffer_free(&again);
}

static void put_checksum(uint8_t *file, size_t size)
{
    const uint32_t crc = crc32c(0, file, size - 4);
    for (int i = 0; i < 4; i++)
        file[size - 4 + (size_t)i] = (uint8_t)(crc >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Buffer good;
    if (!good.data) {
        attacks_init();
        random_net_file(&good, (NetShape){1, WIDTH, 1}, 90, 1);
    }
    check(data, size);
    uint8_t *file = malloc(good.len);
    DEMAND(file);
    memcpy(file, good.data, good.len);
    size_t length = good.len;
    for (; size >= CHANGE; data += CHANGE, size -= CHANGE) {
        const size_t place = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
        if (data[3] == 0xff)
            length = place % (good.len + 1); /* cut */
        else if (data[3] & 1)
            file[place % HEADER] = data[4]; /* most of what can be wrong is there */
        else
            file[place % good.len] = data[4];
    }
    if (length > 4)
        put_checksum(file, length);
    check(file, length);
    free(file);
    return 0;
}
