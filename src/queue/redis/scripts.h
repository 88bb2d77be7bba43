// SPDX-License-Identifier: GPL-3.0-or-later
/* scripts.h -- the files of lua/ as texts, common.lua before each; made by the build. */
#ifndef SAMARA_QUEUE_REDIS_SCRIPTS_H
#define SAMARA_QUEUE_REDIS_SCRIPTS_H

/* Scripts, by their file in lua/. */
typedef enum Script {
    SCRIPT_ENQUEUE,
    SCRIPT_TOUCH,
    SCRIPT_LEAVE,
    SCRIPT_ACQUIRE,
    SCRIPT_RENEW,
    SCRIPT_TELL,
    SCRIPT_FINISH,
    SCRIPT_GIVE_BACK,
    SCRIPT_HELLO,
    SCRIPT_STATUS,
    SCRIPT_LIST,
    SCRIPT_RETRY,
    SCRIPT_DROP,
    SCRIPT_REMEMBER,
    SCRIPT_RECALL,
    SCRIPT_COUNT
} Script;

extern const char *const script_texts[SCRIPT_COUNT];

#endif
