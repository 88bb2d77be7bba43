// SPDX-License-Identifier: GPL-3.0-or-later
/* routes.h -- which request goes where: one table. */
#ifndef SAMARA_FRONT_HTTP_ROUTES_H
#define SAMARA_FRONT_HTTP_ROUTES_H

#include "front/http/request.h"

struct Route {
    const char *method, *path; /* {id} in a path stands for one word, * for the rest */
    QueueName queue;
    void (*run)(Task *task, Slot *slot);         /* in its queue; NULL for QUEUE_NONE */
    void (*now)(Request *request);               /* for QUEUE_NONE: where it was read */
    bool (*quick)(Request *request, Slot *slot); /* before it is queued; false: queue it. Or NULL */
    unsigned fields;                             /* that it understands */
    size_t body_limit;                           /* bytes; 0: it has no body */
    bool open;                                   /* asks for no token */
};

/* NULL: no such path, or not with this method. id: what stands for {id}. */
const Route *route_find(const char *method, const char *path, char id[24]);
/* The answer where route_find() found nothing: no such path, or not with this method. */
void route_missing(Request *request);

#endif
