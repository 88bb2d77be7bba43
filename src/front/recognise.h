// SPDX-License-Identifier: GPL-3.0-or-later
/* recognise.h -- which language does the client speak? */
#ifndef SAMARA_FRONT_RECOGNISE_H
#define SAMARA_FRONT_RECOGNISE_H

#include "base/text.h"

typedef enum Protocol { PROTOCOL_UCI, PROTOCOL_XBOARD, PROTOCOL_PLATFORM } Protocol;

Protocol protocol_of(Str line); /* by its first word; UCI unless it says otherwise */

#endif
