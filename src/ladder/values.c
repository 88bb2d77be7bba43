// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder/values.h"

#define LADDER_VALUES                                                                              \
    .null_r = 2, .null_deep_r = 3, .null_deep_from = 6, .order_table = 10000,                      \
    .order_capture = 2000, .order_promotion = 1500, .order_killer = 1000, .order_victims = true,   \
    .bad_captures_last = true, .reduction = REDUCE_BY_STEPS

const Values values_ladder = {LADDER_VALUES};
const Values values_proof = {LADDER_VALUES, .equal_depth_only = true};

/* Phase 3 of the first report: no order among captures, no table move. */
const Values values_first_middle = {
    .null_r = 2,
    .null_deep_r = 3,
    .null_deep_from = 6,
    .order_capture = 2000,
    .order_promotion = 1500,
    .order_killer = 1000,
    .research_from_score = true,
};

/* Its last version: captures at 2000 plus what they win. */
const Values values_first_final = {
    .null_r = 2,
    .null_deep_r = 3,
    .null_deep_from = 6,
    .order_table = 10000,
    .order_capture = 2000,
    .order_promotion = 1500,
    .order_killer = 1000,
    .reduction = REDUCE_BY_STEPS,
};

const Values values_third = {
    .null_r = 2,
    .null_deep_r = 3,
    .null_deep_from = 6,
    .order_table = 10000,
    .order_capture = 2000,
    .order_promotion = 1500,
    .order_killer = 1000,
    .order_victims = true,
    .bad_captures_last = true,
    .reduction = REDUCE_BY_LOG,
};

/* Killers count 2000; the report ranks captures above them. */
const Values values_fifth = {
    .null_r = 2,
    .null_deep_r = 2,
    .order_table = 10000,
    .order_capture = 3000,
    .order_promotion = 2500,
    .order_killer = 2000,
    .order_victims = true,
    .reduction = REDUCE_BY_ONE,
};
