// SPDX-License-Identifier: GPL-3.0-or-later
/* server.h -- the HTTP side: connections, headers, limits. */
#ifndef SAMARA_FRONT_HTTP_SERVER_H
#define SAMARA_FRONT_HTTP_SERVER_H

#include "base/error.h"
#include "front/http/app.h"

typedef struct Server Server;

typedef struct ServerConfig {
    const char *address; /* numeric, or "localhost" */
    int port;            /* 0: any free one */
    int threads, max_connections, max_per_client;
} ServerConfig;

Server *server_start(App *app, const ServerConfig *config, Error *err);
int server_port(const Server *server);
void server_quiet(Server *server); /* takes no new connections; what runs goes on */
void server_stop(
    Server *server); /* the queues are closed before: nothing is parked any more; NULL is fine */

#endif
