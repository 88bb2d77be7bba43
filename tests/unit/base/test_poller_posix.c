// SPDX-License-Identifier: GPL-3.0-or-later
/* The other side of poller.c: this definition comes before the library's. */
#define SAMARA_POSIX_ONLY 1
#include "base/poller.c"

#include "poller_test.h"
