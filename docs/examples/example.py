#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The best move of a position, in Python: example.py [FEN]. The structures are those of samara.h, field by field."""
import ctypes as c
import sys

MOVE = [("code", c.c_uint16), ("origin", c.c_int8), ("target", c.c_int8), ("piece", c.c_char), ("captured", c.c_char),
        ("promotion", c.c_char), ("castling", c.c_bool), ("uci", c.c_char * 6), ("san", c.c_char * 12)]
LIMITS = [("depth", c.c_int), ("mate", c.c_int), ("nodes", c.c_uint64), ("soft_nodes", c.c_uint64),
          ("movetime_ms", c.c_int64), ("has_clock", c.c_bool), ("clocks", c.c_int64 * 4), ("movestogo", c.c_int),
          ("overhead_ms", c.c_int64), ("infinite", c.c_bool), ("ponder", c.c_bool), ("plain", c.c_bool)]
Move = type("Move", (c.Structure,), {"_fields_": MOVE})
Limits = type("Limits", (c.Structure,), {"_fields_": LIMITS})
Score = type("Score", (c.Structure,), {"_fields_": [("is_mate", c.c_bool)] + [(n, c.c_int) for n in (
    "value", "bound", "win", "draw", "loss", "raw")]})
Request = type("Request", (c.Structure,), {"_fields_": [
    ("position", c.c_void_p), ("limits", Limits), ("lines", c.c_int), ("elo", c.c_int), ("seed", c.c_int64),
    ("evaluation", c.c_int), ("moves", c.c_void_p), ("move_count", c.c_size_t), ("fresh", c.c_bool), ("book", c.c_int),
    ("tables_depth", c.c_int), ("tables_men", c.c_int), ("tables_no_rule50", c.c_bool)]})
Result = type("Result", (c.Structure,), {"_fields_": [
    ("best", Move), ("ponder", Move), ("score", Score), ("depth", c.c_int), ("nodes", c.c_uint64),
    ("time_ms", c.c_int64), ("lines", c.c_void_p), ("line_count", c.c_int)]})

samara = c.CDLL("libsamara.so.2")
samara.samara_new.restype = samara.samara_position_new.restype = c.c_void_p
engine, position = c.c_void_p(samara.samara_new(None, None)), c.c_void_p(samara.samara_position_new())
fen = sys.argv[1].encode() if len(sys.argv) > 1 else None
if not samara.samara_position_set(position, fen, False, None, 0, None):
    sys.exit("this is no position")
request, result = Request(position=position, limits=Limits(depth=10)), Result()
samara.samara_search(engine, c.byref(request), None, c.byref(result), None)
print(result.best.san.decode(), "mate" if result.score.is_mate else "cp", result.score.value, "nodes", result.nodes)
