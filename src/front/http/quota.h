// SPDX-License-Identifier: GPL-3.0-or-later
/* quota.h -- how much of something scarce each client holds: connections, live analyses. One bound
 * for all clients together, one for each. Safe from any thread. */
#ifndef SAMARA_FRONT_HTTP_QUOTA_H
#define SAMARA_FRONT_HTTP_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Quota Quota;

typedef enum QuotaVerdict {
    QUOTA_GRANTED,
    QUOTA_CLIENT_FULL, /* this client holds its share already */
    QUOTA_ALL_FULL,    /* all clients together hold everything */
} QuotaVerdict;

Quota *quota_create(int total, int per_client);             /* NULL: no memory */
void quota_destroy(Quota *quota);                           /* NULL is fine */
QuotaVerdict quota_take(Quota *quota, uint64_t client);     /* granted: give it back once */
QuotaVerdict quota_take_any(Quota *quota, uint64_t client); /* whatever the client's share is */
void quota_give(Quota *quota, uint64_t client);
int quota_held(Quota *quota); /* by all clients together */

#endif
