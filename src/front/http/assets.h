// SPDX-License-Identifier: GPL-3.0-or-later
/* assets.h -- the files of the board page, inside the program. There is no file system behind a
 * URL. */
#ifndef SAMARA_FRONT_HTTP_ASSETS_H
#define SAMARA_FRONT_HTTP_ASSETS_H

#include "base/text.h"

typedef struct Asset {
    const char *name;   /* "board-0123456789ab.js" */
    const char *digest; /* of the content, for ETag; "" if the name has it all */
    const char *type;
    Str plain, packed; /* packed: gzip; may be empty */
} Asset;

bool assets_find(Str name, Asset *out); /* false: there is none */
Str assets_openapi(void);               /* the description of the API, JSON */

#endif
