// SPDX-License-Identifier: GPL-3.0-or-later
/* Tables of five, six and seven men, which nobody has at hand: files in the right format whose values are
 * drawn by lot, read by us and by libfathom. What they say of chess is nonsense; both must find the same
 * nonsense at the same place, which proves the numbering of positions, the layout of the file and the
 * search for a block in tables of billions of values. Positions with a capture are left out: there the
 * answer would come from smaller tables. */
#include "compare.h"

#include "base/text.h"
#include "probe/syzygy_checksum.h"
#include "probe/syzygy_table.h"
#include <unistd.h>

static const char *const made[] = {
    "KRBvKN",   "KNNNvK",   "KBBvKN",  "KPPvKP",  "KRPvKP",  "KPPPvK", /* five men */
    "KRRvKBB",  "KRNvKRN",  "KQRBNvK", "KPPvKPP", "KBPPvKP",           /* six */
    "KQQQQQvK", "KPPPPPvK",                                            /* seven */
};

enum {
    MADE = sizeof made / sizeof *made,
    POSITIONS = 3000,
    LEVELS = 9, /* symbols of 1, 2, 4 ... 256 values */
    WIDTH = 16, /* symbols of a level; the last has one for each code */
    CODES = 4,
    CODE_BITS = 2, /* all codes have one length */
    SYMBOLS = 5 + (LEVELS - 2) * WIDTH + CODES,
    BLOCK_BITS = 6,
    BLOCK_VALUES = 65536, /* 256 codes in 64 bytes */
    SPAN_BITS = 20,
    BEYOND = (1 << SPAN_BITS) / BLOCK_VALUES, /* block lengths behind the last block */
};

static void put(Buffer *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        const uint8_t byte = (uint8_t)(value >> 8 * i);
        buffer_append(out, &byte, 1);
    }
}

static void align(Buffer *out, size_t to)
{
    while (out->len % to)
        put(out, 0, 1);
}

static void shuffle(uint8_t *list, int count, Rng *rng)
{
    for (int i = count - 1; i > 0; i--) {
        const int k = (int)rng_below(rng, (uint64_t)i + 1);
        const uint8_t t = list[i];
        list[i] = list[k];
        list[k] = t;
    }
}

static void read_name(const char *name, TbMaterial *m)
{
    Color c = WHITE;
    *m = (TbMaterial){0};
    for (; *name; name++)
        if (*name == 'v')
            c = BLACK;
        else
            m->count[c][strchr("PNBRQK", *name) - "PNBRQK"]++;
    tb_material_finish(m);
}

/* The kinds of men that must stand first: leading pawns and the others', three single men, or both kings;
 * behind them the rest, in any order. Returns how many kinds there are. */
static int order_kinds(const TbMaterial *m, Rng *rng, uint8_t kinds[12])
{
    uint8_t front[12], rest[12];
    int first = 0, others = 0, count = 0;
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t <= KING; t++) {
            const uint8_t code = (uint8_t)(c << 3 | (t + 1));
            const bool single = m->has_single ? m->count[c][t] == 1 : t == KING;
            if (m->count[c][t] == 0 || (m->lead_pawns > 0 && t == PAWN))
                continue;
            if (m->lead_pawns == 0 && single)
                front[first++] = code;
            else
                rest[others++] = code;
        }
    shuffle(front, first, rng);
    while (first > (m->has_single ? 3 : 2)) /* more single men than can lead */
        rest[others++] = front[--first];
    shuffle(rest, others, rng);
    if (m->lead_pawns > 0)
        kinds[count++] = (uint8_t)(m->lead << 3 | 1);
    if (m->lead_pawns > 0 && m->other_pawns > 0)
        kinds[count++] = (uint8_t)(color_flip(m->lead) << 3 | 1);
    for (int i = 0; i < first; i++)
        kinds[count++] = front[i];
    for (int i = 0; i < others; i++)
        kinds[count++] = rest[i];
    return count;
}

typedef struct Order {
    uint8_t codes[TB_MAX_MEN];
    int places[2];
    TbLayout layout;
} Order;

static void draw_order(const TbMaterial *m, int file, Rng *rng, Order *o)
{
    uint8_t kinds[12];
    const int count = order_kinds(m, rng, kinds);
    int men = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < m->count[kinds[i] >> 3][(kinds[i] & 7) - 1]; k++)
            o->codes[men++] = kinds[i];
    const int groups = m->lead_pawns > 0 ? count : count - (m->has_single ? 2 : 1);
    do {
        o->places[0] = (int)rng_below(rng, (uint64_t)groups);
        o->places[1] = (int)rng_below(rng, (uint64_t)groups);
    } while (m->other_pawns > 0 && o->places[0] == o->places[1]);
    assert_true(tb_layout_init(&o->layout, m, o->codes, o->places, file));
}

static void put_orders(Buffer *out, const TbMaterial *m, const Order *o, int sides)
{
    const Order *second = &o[sides - 1];
    put(out, (uint64_t)(o->places[0] | second->places[0] << 4), 1);
    if (m->lead_pawns > 0 && m->other_pawns > 0)
        put(out, (uint64_t)(o->places[1] | second->places[1] << 4), 1);
    for (int i = 0; i < m->men; i++)
        put(out, (uint64_t)(o->codes[i] | second->codes[i] << 4), 1);
}

static uint64_t blocks_of(uint64_t size) { return (size + BLOCK_VALUES - 1) / BLOCK_VALUES; }

/* The first symbols are the five values; every further one is a pair of two of the level before. */
static void put_header(Buffer *out, uint64_t size, Rng *rng)
{
    put(out, 0, 1);
    put(out, BLOCK_BITS, 1);
    put(out, SPAN_BITS, 1);
    put(out, BEYOND, 1);
    put(out, blocks_of(size), 4);
    put(out, CODE_BITS, 1);
    put(out, CODE_BITS, 1);
    put(out, SYMBOLS - CODES, 2);
    put(out, SYMBOLS, 2);
    int begin = 0, width = 5;
    for (int value = 0; value < 5; value++)
        put(out, (uint64_t)value | 0xFFF000, 3);
    for (int level = 1; level < LEVELS; level++) {
        const int next = level + 1 < LEVELS ? WIDTH : CODES;
        for (int i = 0; i < next; i++) {
            const uint64_t left = (uint64_t)begin + rng_below(rng, (uint64_t)width);
            const uint64_t right = (uint64_t)begin + rng_below(rng, (uint64_t)width);
            put(out, left | right << 12, 3);
        }
        begin += width;
        width = next;
    }
    align(out, 2);
}

static void put_sparse(Buffer *out, uint64_t size)
{
    for (uint64_t at = 0; at < size; at += 1 << SPAN_BITS) {
        const uint64_t middle = at + (1 << SPAN_BITS) / 2;
        put(out, middle / BLOCK_VALUES, 4);
        put(out, middle % BLOCK_VALUES, 2);
    }
}

static void put_lengths(Buffer *out, uint64_t size)
{
    const uint64_t blocks = blocks_of(size);
    for (uint64_t i = 0; i < blocks + BEYOND; i++)
        put(out, i + 1 == blocks ? (size - 1) % BLOCK_VALUES : BLOCK_VALUES - 1, 2);
}

static void put_blocks(Buffer *out, uint64_t size, Rng *rng)
{
    align(out, 64);
    for (uint64_t words = blocks_of(size) << (BLOCK_BITS - 3); words > 0; words--) {
        const uint64_t codes = rng_next(rng);
        buffer_append(out, &codes, sizeof codes);
    }
}

/* A whole file, but for its checksum: tables up to the size of a chunk are read into memory and need one. */
static void make_table(const char *name, uint64_t seed, Buffer *out)
{
    TbMaterial m;
    Order orders[4][2];
    Rng rng;
    rng_seed(&rng, seed);
    read_name(name, &m);
    const int sides = m.symmetric ? 1 : 2, files = m.lead_pawns > 0 ? 4 : 1;
    put(out, 0x5D23E871, 4);
    put(out, (uint64_t)((m.symmetric ? 0 : 1) | (m.lead_pawns > 0 ? 2 : 0) | m.men << 4), 1);
    for (int file = 0; file < files; file++) {
        for (int side = 0; side < sides; side++)
            draw_order(&m, file, &rng, &orders[file][side]);
        put_orders(out, &m, orders[file], sides);
    }
    align(out, 2);
    for (int part = 0; part < files * sides; part++)
        put_header(out, orders[part / sides][part % sides].layout.size, &rng);
    for (int part = 0; part < files * sides; part++)
        put_sparse(out, orders[part / sides][part % sides].layout.size);
    for (int part = 0; part < files * sides; part++)
        put_lengths(out, orders[part / sides][part % sides].layout.size);
    for (int part = 0; part < files * sides; part++)
        put_blocks(out, orders[part / sides][part % sides].layout.size, &rng);
    align(out, 64);
    uint8_t sum[TB_CHECKSUM_SIZE];
    assert_true(tb_checksum(buffer_text(out), out->len, sum));
    buffer_append(out, sum, sizeof sum);
    assert_false(out->failed);
}

static char folder[] = "/tmp/samara-tables-XXXXXX";

static void path_of(const char *name, char path[80])
{
    snprintf(path, 80, "%s/%s.rtbw", folder, name);
}

static int make_tables(void **state)
{
    (void)state;
    attacks_init();
    tb_index_init();
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < MADE; i++) {
        char path[80];
        Buffer bytes = {0};
        path_of(made[i], path);
        make_table(made[i], (uint64_t)i + 1, &bytes);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes.data, 1, bytes.len, file), bytes.len);
        fclose(file);
        print_message("%s: %zu kB\n", made[i], bytes.len / 1000);
        buffer_free(&bytes);
    }
    Error err;
    assert_true(syzygy_open(&ours, folder, &err));
    assert_string_equal(err.text, "");
    assert_int_equal(syzygy_files(ours), MADE);
    assert_int_equal(syzygy_men(ours), 7);
    assert_true(tb_init(folder));
    return 0;
}

static int remove_tables(void **state)
{
    (void)state;
    syzygy_close(ours);
    for (int i = 0; i < MADE; i++) {
        char path[80];
        path_of(made[i], path);
        remove(path);
    }
    rmdir(folder);
    return 0;
}

static bool can_take(const Position *p)
{
    MoveList moves;
    gen_legal(p, &moves);
    for (int i = 0; i < moves.count; i++)
        if (pos_piece_on(p, move_to(moves.moves[i])) != NO_PIECE)
            return true;
    return false;
}

static void both_find_the_same_value(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 7);
    for (int t = 0; t < MADE; t++) {
        int values[5] = {0};
        for (int i = 0; i < POSITIONS; i++) {
            Position p;
            Wdl wdl = WDL_DRAW;
            do
                random_position(&p, made[t], &rng);
            while (can_take(&p));
            compare_wdl(&p);
            assert_true(syzygy_wdl(ours, &p, &wdl));
            values[(int)wdl + 2]++;
        }
        for (int value = 0; value < 5; value++) /* the lot has drawn all of them */
            assert_true(values[value] > POSITIONS / 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_find_the_same_value)};
    return cmocka_run_group_tests(tests, make_tables, remove_tables);
}
