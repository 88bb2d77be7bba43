// SPDX-License-Identifier: GPL-3.0-or-later
/* board_svg.h -- a position as a picture. */
#ifndef SAMARA_FRONT_HTTP_BOARD_SVG_H
#define SAMARA_FRONT_HTTP_BOARD_SVG_H

#include "front/http/request.h"

enum { BOARD_SVG_SMALLEST = 64, BOARD_SVG_LARGEST = 4096 };

/* last: the move that led here, marked on its squares; NULL or code 0: none. */
void board_svg_write(const SamaraPosition *position, const SamaraMove *last, bool from_black,
                     int size, Buffer *out);
void board_svg(Task *task, Slot *slot); /* GET /api/v1/board.svg */

#endif
