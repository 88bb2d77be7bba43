// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/response.h"

#include <string.h>
#include <time.h>

static const char *reason(int status)
{
    static const struct {
        int status;
        const char *text;
    } reasons[] = {
        {200, "OK"},
        {201, "Created"},
        {202, "Accepted"},
        {204, "No Content"},
        {304, "Not Modified"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {411, "Length Required"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {415, "Unsupported Media Type"},
        {417, "Expectation Failed"},
        {421, "Misdirected Request"},
        {422, "Unprocessable Content"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
        {507, "Insufficient Storage"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].text;
    return "Unknown";
}

/* strftime() would ask the locale for the names. */
static void put_date(Buffer *out)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const time_t now = time(NULL);
    struct tm t;
    if (!gmtime_r(&now, &t))
        return;
    buffer_printf(out, "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n", days + 3 * t.tm_wday,
                  t.tm_mday, months + 3 * t.tm_mon, t.tm_year + 1900, t.tm_hour, t.tm_min,
                  t.tm_sec);
}

static void put(Buffer *out, const char *name, const char *value)
{
    buffer_puts(out, name);
    buffer_puts(out, ": ");
    buffer_puts(out, value);
    buffer_puts(out, "\r\n");
}

static void begin(Buffer *out, const Request *r, int status, bool keep_alive)
{
    buffer_printf(out, "HTTP/1.1 %d %s\r\n", status, reason(status));
    put_date(out);
    put(out, "Connection", keep_alive ? "keep-alive" : "close");
    put(out, "X-Content-Type-Options", "nosniff");
    put(out, "Referrer-Policy", "no-referrer");
    put(out, "Cross-Origin-Resource-Policy", r->origin.len > 0 ? "cross-origin" : "same-origin");
    if (r->origin.len == 0)
        return;
    buffer_puts(out, "Access-Control-Allow-Origin: ");
    buffer_append(out, r->origin.ptr, r->origin.len);
    buffer_puts(out, "\r\nAccess-Control-Expose-Headers: Retry-After, Location\r\n"
                     "Vary: Origin\r\n");
}

Str response_body(const Reply *reply)
{
    return reply->constant.ptr ? reply->constant : (Str){reply->body.data, reply->body.len};
}

void response_head(Buffer *out, const Request *r, bool keep_alive)
{
    const Reply *reply = &r->reply;
    buffer_reserve(out, 512);
    begin(out, r, reply->status, keep_alive);
    if (reply->status != 204)
        buffer_printf(out, "Content-Length: %zu\r\n", response_body(reply).len);
    if (reply->type)
        put(out, "Content-Type", reply->type);
    if (reply->headers.len == 0)
        put(out, "Cache-Control", "no-store");
    buffer_append(out, reply->headers.data, reply->headers.len);
    if (reply->allow[0])
        put(out, "Allow", reply->allow);
    if (reply->location[0])
        put(out, "Location", reply->location);
    if (reply->retry_after > 0)
        buffer_printf(out, "Retry-After: %d\r\n", reply->retry_after);
    if (reply->status == 401)
        put(out, "WWW-Authenticate", "Bearer realm=\"samara\"");
    buffer_puts(out, "\r\n");
}

void response_stream_head(Buffer *out, const Request *r, bool chunked, bool keep_alive)
{
    begin(out, r, 200, keep_alive);
    put(out, "Content-Type", "text/event-stream");
    put(out, "Cache-Control", "no-store");
    put(out, "X-Accel-Buffering", "no"); /* a reverse proxy should pass events on at once */
    if (chunked)
        put(out, "Transfer-Encoding", "chunked");
    buffer_puts(out, "\r\n");
}

void response_chunk(Buffer *out, Str data)
{
    buffer_printf(out, "%zx\r\n", data.len);
    buffer_append(out, data.ptr, data.len);
    buffer_puts(out, "\r\n");
}

Str response_last_chunk(void) { return STR("0\r\n\r\n"); }

Str response_of_despair(void)
{
    return STR("HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n"
               "Content-Type: application/json\r\nContent-Length: 88\r\n\r\n"
               "{\"status\":\"error\",\"error\":{\"code\":\"no_memory\","
               "\"message\":\"The server is out of memory.\"}}");
}
