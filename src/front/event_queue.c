// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/event_queue.h"

#include <stdlib.h>
#include <string.h>

void event_queue_init(EventQueue *queue)
{
    *queue = (EventQueue){0};
    queue->last = &queue->first;
}

void event_queue_free(EventQueue *queue)
{
    for (Event *event; (event = event_queue_take(queue));)
        event_free(event);
}

void event_queue_add(EventQueue *queue, Event *event)
{
    event->next = NULL;
    *queue->last = event;
    queue->last = &event->next;
    queue->bytes += event->len;
}

void event_queue_return(EventQueue *queue, Event *event)
{
    event->next = queue->first;
    if (!queue->first)
        queue->last = &event->next;
    queue->first = event;
    queue->bytes += event->len;
}

Event *event_queue_take(EventQueue *queue)
{
    Event *event = queue->first;
    if (!event)
        return NULL;
    queue->first = event->next;
    if (!queue->first)
        queue->last = &queue->first;
    queue->bytes -= event->len;
    event->next = NULL;
    return event;
}

Event *event_new_line(const char *text, size_t len)
{
    Event *event = malloc(sizeof *event + len + 1);
    if (!event)
        return NULL;
    char *copy = (char *)(event + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    *event = (Event){.kind = CONSOLE_LINE, .len = len, .text = copy};
    return event;
}

void event_free(Event *event)
{
    if (event->kind == CONSOLE_LINE)
        free(event);
}

Str event_line(const Event *event) { return str_trim((Str){event->text, event->len}); }
