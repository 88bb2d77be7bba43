// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/page.h"

#include "front/http/assets.h"
#include "front/http/look.h"
#include <stdio.h>
#include <string.h>

/* Whether any field of this name has the word somewhere in it. */
static bool field_contains(const Head *head, const char *name, const char *word)
{
    const size_t len = strlen(word);
    for (int k = 0; k < head->count; k++) {
        const Str value = head->field[k].value;
        if (!str_is_nocase(head->field[k].name, name))
            continue;
        for (size_t i = 0; i + len <= value.len; i++)
            if (memcmp(value.ptr + i, word, len) == 0)
                return true;
    }
    return false;
}

static void reply_asset(Request *r, const Asset *asset)
{
    Reply *reply = &r->reply;
    char tag[32];
    snprintf(tag, sizeof tag, "\"%s\"", asset->digest);
    const bool fresh = field_contains(&r->head, "If-None-Match", tag);
    const bool packed =
        asset->packed.len > 0 &&
        (asset->plain.len == 0 || field_contains(&r->head, "Accept-Encoding", "gzip"));
    const size_t length = strlen(asset->name);
    const bool page = (length > 5 && strcmp(asset->name + length - 5, ".html") == 0) ||
                      strcmp(asset->name, "sw.js") == 0; /* under one name in every version */
    reply->status = fresh ? 304 : 200;
    reply->type = asset->type;
    reply->constant = packed ? asset->packed : asset->plain;
    reply_header(reply, "ETag", tag);
    reply_header(reply, "Vary", "Accept, Accept-Encoding");
    reply_header(reply, "Cache-Control", page ? "no-cache" : "public, max-age=31536000, immutable");
    if (packed)
        reply_header(reply, "Content-Encoding", "gzip");
    reply_header(reply, "Content-Security-Policy",
                 "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
                 "img-src 'self' data:; connect-src 'self' blob:; worker-src 'self'; "
                 "manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                 "frame-ancestors 'none'");
    /* Isolated from other sites, so that the browser lets the engine's threads share memory. */
    reply_header(reply, "Cross-Origin-Opener-Policy", "same-origin");
    reply_header(reply, "Cross-Origin-Embedder-Policy", "require-corp");
    reply_header(reply, "Cross-Origin-Resource-Policy", "same-origin");
}

static void reply_part(Request *r, Str name)
{
    Asset asset;
    if (assets_find(name, &asset))
        reply_asset(r, &asset);
    else if (str_is(name, "index.html") || str_is(name, "docs.html") ||
             str_is(name, "train.html") || str_is(name, "queue.html"))
        reply_error(&r->reply, 404, "no_page", NULL, 0,
                    "This build has no board page: its packages could not be fetched when it was "
                    "made, or npm was missing.");
    else
        reply_error(&r->reply, 404, "not_found", NULL, 0, "There is nothing here.");
}

void page_root(Request *r)
{
    if (field_contains(&r->head, "Accept", "text/html"))
        reply_part(r, STR("index.html"));
    else
        look_status(r);
}

void page_asset(Request *r)
{
    const char *name = r->path + strlen("/ui/");
    if (strncmp(name, "ui/", 3) == 0)
        name += 3; /* the page names its files relative to itself, also where it is /ui/ */
    reply_part(r, name[0] ? str_from(name) : STR("index.html"));
}

void page_service_worker(Request *r) { reply_part(r, STR("sw.js")); }

void page_docs(Request *r) { reply_part(r, STR("docs.html")); }

void page_train(Request *r) { reply_part(r, STR("train.html")); }

void page_openapi(Request *r)
{
    r->reply.status = 200;
    r->reply.type = "application/json";
    r->reply.constant = assets_openapi();
}
