// SPDX-License-Identifier: GPL-3.0-or-later
/* routes.h -- which request goes where: one table. */
#ifndef SAMARA_FRONT_HTTP_ROUTES_H
#define SAMARA_FRONT_HTTP_ROUTES_H

#include "front/http/request.h"

struct Route {
    const char *method, *path; /* {id} in a path stands for one word, * for the rest */
    QueueName queue;
    void (*run)(Task *task, Slot *slot);         /* in a queue, */
    void (*now)(Request *request);               /* or at once, */
    bool (*quick)(Request *request, Slot *slot); /* or at once unless it says no: then in a queue */
    unsigned fields;                             /* that it understands */
    size_t body_limit;                           /* bytes; 0: it has no body */
    bool open;                                   /* asks for no token */
};

/* NULL: no such path (allow is ""), or not with this method (allow names those that work). id: what
 * stands for {id}. */
const Route *route_find(const char *method, const char *path, char id[24], char allow[40]);

#endif
