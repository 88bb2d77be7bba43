// SPDX-License-Identifier: GPL-3.0-or-later
/* http.h -- `samara serve`: the engine for everything that speaks HTTP, and the board page. */
#ifndef SAMARA_FRONT_HTTP_HTTP_H
#define SAMARA_FRONT_HTTP_HTTP_H

int http_main(int argc,
              char **argv); /* argv[0] is "serve"; runs until SIGINT or SIGTERM; exit code */

#endif
