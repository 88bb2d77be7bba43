// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/head.h"

#include <string.h>

/* Looks at each byte once, however the head is cut into packets. Lone CR or LF and control
 * characters are refused: parsers disagree about them. */
HeadState head_scan(const char *bytes, size_t len, size_t *seen)
{
    for (size_t i = *seen; i < len; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        const bool after_cr = i > 0 && bytes[i - 1] == '\r';
        *seen = i;
        if (after_cr != (c == '\n'))
            return HEAD_BAD;
        if ((c < ' ' && c != '\t' && c != '\r' && c != '\n') || c == 0x7f)
            return HEAD_BAD;
        const bool empty_line = c == '\n' && (i == 1 || (i > 2 && bytes[i - 2] == '\n'));
        if (empty_line) {
            *seen = i + 1;
            return HEAD_DONE;
        }
    }
    *seen = len;
    return HEAD_MORE;
}

/* RFC 9110: what names of methods and fields are made of. */
static bool is_token(Str s)
{
    for (size_t i = 0; i < s.len; i++) {
        const char c = s.ptr[i];
        const bool plain =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!plain && !(c != '\0' && strchr("!#$%&'*+-.^_`|~", c)))
            return false;
    }
    return s.len > 0;
}

/* Up to the mark, which is skipped; false if there is none. */
static bool cut(Str *rest, char mark, Str *out)
{
    const char *at = rest->len > 0 ? memchr(rest->ptr, mark, rest->len) : NULL;
    if (!at)
        return false;
    *out = (Str){rest->ptr, (size_t)(at - rest->ptr)};
    *rest = (Str){at + 1, rest->len - out->len - 1};
    return true;
}

/* "HTTP/1.1" -> 11; 0: nothing of the kind. */
static int read_version(Str s)
{
    const bool known = s.len == 8 && memcmp(s.ptr, "HTTP/", 5) == 0 && s.ptr[6] == '.';
    const char major = known ? s.ptr[5] : 0, minor = known ? s.ptr[7] : 0;
    if (major < '0' || major > '9' || minor < '0' || minor > '9')
        return 0;
    return 10 * (major - '0') + (minor - '0');
}

static bool is_target(Str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] <= ' ' || s.ptr[i] > '~') /* letters beyond ASCII are escaped */
            return false;
    return s.len > 0;
}

/* Three words with one blank between them. */
static int parse_first_line(Head *head, Str line)
{
    if (!cut(&line, ' ', &head->method) || !cut(&line, ' ', &head->target))
        return 400;
    head->version = read_version(line);
    if (!is_token(head->method) || head->version == 0)
        return 400;
    if (head->version != 10 && head->version != 11)
        return 505;
    if (head->target.len > HEAD_MAX_TARGET)
        return 414;
    return is_target(head->target) ? 0 : 400;
}

static Str trim_blanks(Str s)
{
    while (s.len > 0 && (s.ptr[0] == ' ' || s.ptr[0] == '\t')) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t'))
        s.len--;
    return s;
}

/* Slices of the bytes, nothing is copied. Returns the status to refuse with, 0 if it is well
 * formed. */
int head_parse(Head *head, const char *bytes, size_t len)
{
    Str rest = {bytes, len}, line;
    head->count = 0;
    if (!cut(&rest, '\r', &line))
        return 400;
    const int status = parse_first_line(head, line);
    if (status != 0)
        return status;
    for (;;) {
        rest = (Str){rest.ptr + 1, rest.len - 1}; /* the LF behind the CR */
        if (!cut(&rest, '\r', &line))
            return 400;
        if (line.len == 0)
            return 0;
        if (head->count == HEAD_MAX_FIELDS)
            return 431;
        HeadField *field = &head->field[head->count++];
        if (!cut(&line, ':', &field->name) || !is_token(field->name))
            return 400; /* a folded line has no name either */
        field->value = trim_blanks(line);
    }
}
