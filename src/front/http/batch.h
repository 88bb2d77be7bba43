// SPDX-License-Identifier: GPL-3.0-or-later
/* batch.h -- many positions in one request. */
#ifndef SAMARA_FRONT_HTTP_BATCH_H
#define SAMARA_FRONT_HTTP_BATCH_H

#include "front/http/request.h"

void batch_analyse(Task *task, Slot *slot); /* POST /api/v1/batch */

#endif
