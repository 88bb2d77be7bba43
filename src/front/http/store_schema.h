// SPDX-License-Identifier: GPL-3.0-or-later
/* store_schema.h -- the tables of the store, and how files of earlier versions become today's. The
 * version stands in the file (user_version). */
#ifndef SAMARA_FRONT_HTTP_STORE_SCHEMA_H
#define SAMARA_FRONT_HTTP_STORE_SCHEMA_H

#include "base/error.h"
#include <sqlite3.h>

/* Brings an open file to the version of this build, or says why it cannot. */
bool store_schema_upgrade(sqlite3 *db, Error *err);

#endif
