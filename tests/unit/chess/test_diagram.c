// SPDX-License-Identifier: GPL-3.0-or-later
/* Bitboards for the eye, and what the look-up of sliders is worth. */
#include "chess/attacks_speed.h"
#include "chess/diagram.h"
#include "chess/fen.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void shows(const char *fen, const char *name, const char *wanted)
{
    Position p;
    Buffer out = {0};
    attacks_init();
    assert_true(fen_parse(&p, str_from(fen), FEN_STANDARD, NULL, NULL));
    assert_true(diagram_knows(str_from(name)));
    diagram_put(&p, str_from(name), &out);
    if (!strstr(buffer_text(&out), wanted))
        fail_msg("'%s' is not in\n%s", wanted, buffer_text(&out));
    buffer_free(&out);
}

static void every_set_has_its_name(void **state)
{
    (void)state;
    static const char pin[] = "4k3/4r3/8/8/4N3/8/8/4K3 w - - 0 1";
    shows(FEN_START, "pawn", "black pawn: 8 squares, 0x00ff000000000000\n8 ........\n7 ########\n");
    shows(FEN_START, "white", "white: 16 squares, 0x000000000000ffff");
    shows(FEN_START, "occupied", "occupied: 32 squares");
    shows(FEN_START, "moves", "white moves: 16 squares");
    shows(FEN_START, "e1", "white king on e1: 5 squares");
    shows(FEN_START, "e4", "e4 is empty");
    shows(FEN_START, "checkers", "checkers: 0 squares");
    shows(pin, "pinned", "white pinned: 1 squares, 0x0000000010000000");
    shows("4k3/4r3/8/8/8/8/8/4K3 w - - 0 1", "checkers", "checkers: 1 squares");
    shows("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1", "8 #.......\n7 #.......");
    assert_false(diagram_knows(STR("kings")) || diagram_knows(STR("i1")) || diagram_knows(STR("")));
}

/* Measured: about 45 times. Twice would already be the two hundred per cent that the second report
 * hopes for; both ways must give the same squares. */
static void look_ups_are_faster_than_rays_and_say_the_same(void **state)
{
    (void)state;
    attacks_init();
    const AttacksSpeed speed = attacks_speed(4000);
    assert_true(speed.lookup_sum == speed.rays_sum);
    if (speed.rays_ns < 2 * speed.lookup_ns)
        fail_msg("by table %.1f ns, along the rays %.1f ns", speed.lookup_ns, speed.rays_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_has_its_name),
        cmocka_unit_test(look_ups_are_faster_than_rays_and_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
