// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/attacks.h"

#include "base/cpu.h"
#include "base/thread.h"
#include "chess/zobrist.h"

/* Multipliers that map every set of blockers to its own slot (or to one with the same attacks),
 * found by trying sparse random numbers until one fits. */
static const Bitboard magic_bishop[64] = {
    0x00400802288A2500ULL, 0x0010040094004040ULL, 0x001C080091060104ULL, 0x0260A0808000A140ULL,
    0x1204152008004040ULL, 0x0210882008100E15ULL, 0x2201082250050001ULL, 0x0318C10094904004ULL,
    0x0440480810C40043ULL, 0x2802440808010421ULL, 0x0603C10450808018ULL, 0x2002020A0200CC50ULL,
    0x0008820210012C00ULL, 0x4000009050080000ULL, 0xC200810410040404ULL, 0x5004022219042001ULL,
    0x12600804150C0802ULL, 0x0A10402032308101ULL, 0x0004008204140008ULL, 0x000401080610A408ULL,
    0x0024080480A00010ULL, 0x3482000100822180ULL, 0x0004000109082304ULL, 0x0001000220880440ULL,
    0x4020A00009380504ULL, 0x2210440011040082ULL, 0x0000480010108410ULL, 0x4444002004120080ULL,
    0x0045840010802020ULL, 0x010A114842011000ULL, 0x0008010402010120ULL, 0x0200428022160110ULL,
    0x001082B080A00400ULL, 0x420A104400020800ULL, 0x4102202802501880ULL, 0x009A004040040100ULL,
    0x0140101010030040ULL, 0x0801010500360054ULL, 0x0001042404010100ULL, 0x04CA009120120220ULL,
    0x000C120210804034ULL, 0x0843008A51042004ULL, 0x8280238020801000ULL, 0x8100404202881802ULL,
    0x0400481104000040ULL, 0x2401520482020900ULL, 0x0102020204020204ULL, 0x0122822041001201ULL,
    0x8040480230520010ULL, 0x4000809401600000ULL, 0x4044090C01040400ULL, 0x82802040411081C1ULL,
    0x0004500470540010ULL, 0x80100A1010108000ULL, 0x6020080248404084ULL, 0x0210010806818200ULL,
    0x0000440048084450ULL, 0x0B06020211040290ULL, 0x0600001042009000ULL, 0x00400000A60A0200ULL,
    0x0004008240083208ULL, 0x4010004190820081ULL, 0x0002100408009400ULL, 0x00100230C8018100ULL,
};

static const Bitboard magic_rook[64] = {
    0x12800081400022B1ULL, 0x1140100040002000ULL, 0xA080088010002001ULL, 0x06000A0010042040ULL,
    0x1480020800800400ULL, 0x0500280224000100ULL, 0x1080020000800100ULL, 0x4200002040841902ULL,
    0x5040800030400880ULL, 0x0020401000402002ULL, 0x08C0802000100080ULL, 0x02A0801000860800ULL,
    0x0000800800040080ULL, 0x0000800400800200ULL, 0x0242808011000200ULL, 0x02130002C0820100ULL,
    0x0000248000400088ULL, 0x0000808020004000ULL, 0x2080450020001500ULL, 0x9000120022004008ULL,
    0x0030808008000401ULL, 0x8209010002040008ULL, 0x2200808001000200ULL, 0x6008020000508104ULL,
    0x2880044540022000ULL, 0x2181008100204000ULL, 0x0100200880100080ULL, 0x0000120200204008ULL,
    0x1104000480800800ULL, 0x0000020080040080ULL, 0x0201000100040200ULL, 0x2200008200110054ULL,
    0x0840046080800BC0ULL, 0x0000412001401000ULL, 0x00B0200080801000ULL, 0x340201400A002010ULL,
    0x0102100501000801ULL, 0x0080040080800200ULL, 0x1088A11044001A08ULL, 0x0190140042002081ULL,
    0x4000800040008028ULL, 0x081000200141C001ULL, 0x0000200043090010ULL, 0x0808100008008080ULL,
    0x0883002800250050ULL, 0x0814020004008080ULL, 0x0002281001040082ULL, 0x060100A410420001ULL,
    0x8240400080002080ULL, 0x6000210090420600ULL, 0x0018200510008180ULL, 0x000200100C402200ULL,
    0x1001005008002500ULL, 0x0002000410885200ULL, 0x1080080102100400ULL, 0x0000240083014E00ULL,
    0x8104410020108202ULL, 0x0034400020841101ULL, 0x0020000810402101ULL, 0x8B09011000200805ULL,
    0x0042002091080402ULL, 0x000A000410080102ULL, 0x0000085002008104ULL, 0x506010A400C29106ULL,
};

Slider slider_bishop[64], slider_rook[64];
Bitboard attack_pawn[2][64], attack_knight[64], attack_king[64];
Bitboard ray_bishop[64], ray_rook[64];
Bitboard between_table[64][64], line_table[64][64];

/* The sum over all squares of 2 to the number of squares whose occupation matters. */
enum { BISHOP_SLOTS = 5248, ROOK_SLOTS = 102400 };
static Bitboard bishop_slots[BISHOP_SLOTS], rook_slots[ROOK_SLOTS];

typedef struct Step {
    int file, rank;
} Step;
static const Step bishop_steps[4] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const Step rook_steps[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
static const Step knight_steps[8] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                     {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const Step king_steps[8] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                   {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

/* The square one step on, or NO_SQUARE beyond the edge. */
static Square step_from(Square s, Step step)
{
    const int file = square_file(s) + step.file, rank = square_rank(s) + step.rank;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? NO_SQUARE : square_make(file, rank);
}

static Bitboard leaper_attacks(Square s, const Step *steps, int count)
{
    Bitboard attacks = 0;
    for (int i = 0; i < count; i++) {
        const Square to = step_from(s, steps[i]);
        if (to != NO_SQUARE)
            attacks |= bb_square(to);
    }
    return attacks;
}

/* Walks the four rays up to and including the first blocker: slow; it fills the tables. */
static Bitboard walk_rays(Square s, Bitboard occupied, const Step steps[4])
{
    Bitboard attacks = 0;
    for (int i = 0; i < 4; i++)
        for (Square to = step_from(s, steps[i]); to != NO_SQUARE; to = step_from(to, steps[i])) {
            attacks |= bb_square(to);
            if (bb_has(occupied, to))
                break;
        }
    return attacks;
}

Bitboard queen_attacks_by_rays(Square s, Bitboard occupied)
{
    return walk_rays(s, occupied, bishop_steps) | walk_rays(s, occupied, rook_steps);
}

/* Fills the table of one slider by walking the rays for every set of blockers on its mask; lookups
 * then cost one index. */
static void init_slider(Slider sliders[64], Bitboard *slots, const Bitboard magics[64],
                        const Step steps[4])
{
    for (Square s = A1; s <= H8; s++) {
        /* A man on the edge blocks nothing behind it. */
        const Bitboard edges = ((RANK_1 | RANK_8) & ~bb_rank(square_rank(s))) |
                               ((FILE_A | FILE_H) & ~bb_file(square_file(s)));
        Slider *slider = &sliders[s];
        slider->mask = walk_rays(s, 0, steps) & ~edges;
        slider->magic = magics[s];
        slider->shift = 64 - bb_count(slider->mask);
        slider->table = slots;

        Bitboard blockers = 0; /* runs through all subsets of the mask */
        do {
            slots[slider_index(slider, blockers)] = walk_rays(s, blockers, steps);
            blockers = (blockers - slider->mask) & slider->mask;
        } while (blockers);
        slots += 1ULL << bb_count(slider->mask);
    }
}

/* For two squares on one line: the whole line, and the squares strictly between them. Both stay
 * empty for other pairs. */
static void init_lines(void)
{
    for (Square a = A1; a <= H8; a++)
        for (Square b = A1; b <= H8; b++) {
            if (a == b)
                continue;
            const Bitboard ends = bb_square(a) | bb_square(b);
            if (bb_has(ray_bishop[a], b)) {
                line_table[a][b] = (ray_bishop[a] & ray_bishop[b]) | ends;
                between_table[a][b] = bishop_attacks(a, ends) & bishop_attacks(b, ends);
            } else if (bb_has(ray_rook[a], b)) {
                line_table[a][b] = (ray_rook[a] & ray_rook[b]) | ends;
                between_table[a][b] = rook_attacks(a, ends) & rook_attacks(b, ends);
            }
        }
}

#ifdef SLIDERS_CHOOSE
bool sliders_by_pext;
static void choose_index(void) { sliders_by_pext = cpu_pext_is_quick(); }
#else
static void choose_index(void) {}
#endif

bool attacks_use_pext(void) { return SLIDERS_BY_PEXT; }

/* Everything that is computed once: the order matters, since lines and Zobrist keys use the slider
 * attacks. */
static void init_tables(void)
{
    choose_index();
    init_slider(slider_bishop, bishop_slots, magic_bishop, bishop_steps);
    init_slider(slider_rook, rook_slots, magic_rook, rook_steps);
    for (Square s = A1; s <= H8; s++) {
        attack_pawn[WHITE][s] = bb_pawn_attacks(WHITE, bb_square(s));
        attack_pawn[BLACK][s] = bb_pawn_attacks(BLACK, bb_square(s));
        attack_knight[s] = leaper_attacks(s, knight_steps, 8);
        attack_king[s] = leaper_attacks(s, king_steps, 8);
        ray_bishop[s] = bishop_attacks(s, 0);
        ray_rook[s] = rook_attacks(s, 0);
    }
    init_lines();
    zobrist_init();
}

void attacks_init(void)
{
    static Once once = ONCE_INIT;
    thread_once(&once, init_tables);
}

int square_distance(Square a, Square b)
{
    const int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    const int df = files < 0 ? -files : files, dr = ranks < 0 ? -ranks : ranks;
    return df > dr ? df : dr;
}
