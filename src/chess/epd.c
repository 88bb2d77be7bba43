// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/epd.h"

#include "chess/notation.h"
#include <stdio.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static Str cut(Str *rest, size_t n)
{
    const Str head = {rest->ptr, n};
    *rest = (Str){rest->ptr + n, rest->len - n};
    return head;
}

static void skip_blanks(Str *rest)
{
    size_t n = 0;
    while (n < rest->len && is_blank(rest->ptr[n]))
        n++;
    cut(rest, n);
}

/* --- position --- */

/* Fields end at a blank or a semicolon. */
static size_t field_length(Str s)
{
    size_t n = 0;
    while (n < s.len && !is_blank(s.ptr[n]) && s.ptr[n] != ';')
        n++;
    return n;
}

/* Four fields, and two more if they are numbers: no opcode begins with a digit. */
static Str cut_fen(Str *rest)
{
    const char *start = rest->ptr, *end = start;
    for (int i = 0; i < 6; i++) {
        skip_blanks(rest);
        const size_t n = field_length(*rest);
        if (n == 0 || (i >= 4 && !is_digit(rest->ptr[0])))
            break;
        cut(rest, n);
        end = rest->ptr;
    }
    return (Str){start, (size_t)(end - start)};
}

/* --- operations --- */

/* Up to the semicolon that is not inside quotes; false if a quote stays open. */
static bool cut_operation(Str *rest, Str *operation)
{
    bool quoted = false;
    size_t n = 0;
    for (; n < rest->len && (quoted || rest->ptr[n] != ';'); n++)
        quoted ^= rest->ptr[n] == '"';
    if (quoted)
        return false;
    *operation = str_trim(cut(rest, n));
    if (rest->len > 0)
        cut(rest, 1);
    return true;
}

/* One operation: an opcode and the text behind it. What the operand means is for those who ask for
 * it. */
static bool read_operation(Epd *epd, Str operation, Str line, Error *err)
{
    const int column = (int)(operation.ptr - line.ptr) + 1;
    size_t n = 0;
    while (n < operation.len && (is_letter(operation.ptr[n]) || operation.ptr[n] == '_' ||
                                 (n > 0 && is_digit(operation.ptr[n]))))
        n++;
    if (n == 0 || (n < operation.len && !is_blank(operation.ptr[n])))
        return error_code(err, "OPCODE", column, "operation %d does not begin with an opcode",
                          epd->op_count + 1);
    if (epd->op_count == EPD_MAX_OPS)
        return error_code(err, "OPS", column, "more than %d operations", EPD_MAX_OPS);

    EpdOp *op = &epd->ops[epd->op_count++];
    op->name = cut(&operation, n);
    op->operand = str_trim(operation);
    return true;
}

/* Operations end with a semicolon outside quotes; the last one may lack it. */
static bool read_operations(Epd *epd, Str rest, Str line, Error *err)
{
    while (rest.len > 0) {
        Str operation;
        if (!cut_operation(&rest, &operation))
            return error_code(err, "QUOTE", (int)(rest.ptr - line.ptr) + 1,
                              "a string in operation %d is not closed", epd->op_count + 1);
        if (operation.len > 0 && !read_operation(epd, operation, line, err))
            return false;
    }
    return true;
}

/* --- counters --- */

typedef struct Counters {
    int64_t rule50, number;
} Counters;

static bool read_counter(const Epd *epd, const char *name, int64_t min, int64_t max,
                         const char *code, int64_t *out, Error *err)
{
    const EpdOp *op = epd_find(epd, name);
    if (!op || str_int(op->operand, min, max, out))
        return true;
    return error_code(err, code, 0, "%s is not a number from %d to %d", name, (int)min, (int)max);
}

/* What the opcodes say, or 0 and 1. */
static bool read_counters(const Epd *epd, Counters *c, Error *err)
{
    *c = (Counters){0, 1};
    return read_counter(epd, "hmvc", 0, FEN_MAX_RULE50, "HALFMOVE", &c->rule50, err) &&
           read_counter(epd, "fmvn", 1, FEN_MAX_MOVE_NUMBER, "FULLMOVE", &c->number, err);
}

static int count_fields(Str fen)
{
    int fields = 0;
    while (str_token(&fen).len > 0)
        fields++;
    return fields;
}

/* Four fields of a FEN and operations. Move counters come from hmvc and fmvn unless the FEN itself
 * has them. *epd changes only if everything can be read. */
bool epd_parse(Epd *epd, Str line, FenMode mode, Error *err, Error *warning)
{
    if (!line.ptr)
        line = STR("");
    Epd read = {.op_count = 0};
    Str rest = line;
    const Str fen = cut_fen(&rest);
    const int fields = count_fields(fen);
    Counters counters;
    if (!fen_parse(&read.pos, fen, mode, err, warning) ||
        !read_operations(&read, rest, line, err) || !read_counters(&read, &counters, err))
        return false;

    if (fields < 5)
        read.pos.st.rule50 = (uint16_t)counters.rule50;
    if (fields < 6)
        read.pos.ply = 2 * (uint32_t)(counters.number - 1) + read.pos.turn;
    *epd = read;
    return true;
}

/* --- asking --- */

const EpdOp *epd_find(const Epd *epd, const char *name)
{
    for (int i = 0; i < epd->op_count; i++)
        if (str_is(epd->ops[i].name, name))
            return &epd->ops[i];
    return NULL;
}

Str epd_string(const EpdOp *op)
{
    if (!op)
        return (Str){0};
    Str rest = op->operand;
    if (rest.len == 0 || rest.ptr[0] != '"')
        return str_token(&rest);
    const char *end = memchr(rest.ptr + 1, '"', rest.len - 1);
    return (Str){rest.ptr + 1, end ? (size_t)(end - rest.ptr - 1) : rest.len - 1};
}

/* The moves of bm, am or pv. Those of pv follow each other, the others all start from the position.
 * A "#n" among them is a distance to mate. */
int epd_moves(const Epd *epd, const EpdOp *op, Move *out, int max, int *mate)
{
    int count = 0;
    if (mate)
        *mate = 0;
    if (!op)
        return 0;

    const bool in_sequence = str_is(op->name, "pv");
    Position pos = epd->pos;
    Str rest = op->operand;
    for (Str word = str_token(&rest); word.len > 0; word = str_token(&rest)) {
        int64_t distance;
        if (word.ptr[0] == '#' &&
            str_int((Str){word.ptr + 1, word.len - 1}, INT16_MIN, INT16_MAX, &distance)) {
            if (mate)
                *mate = (int)distance;
            continue;
        }
        if (word.ptr[word.len - 1] == ',')
            word.len--;
        const Move m = move_from_san(&pos, word);
        if (m == MOVE_NONE || m == MOVE_NULL || count == max)
            return -1;
        out[count++] = m;
        if (in_sequence) {
            Undo undo;
            pos_make(&pos, m, &undo, NULL);
        }
    }
    return count;
}

/* --- writing --- */

/* Counters are written into the FEN only if no operation says the same. */
void epd_write(const Epd *epd, Buffer *out)
{
    char fen[FEN_SIZE];
    fen_write(&epd->pos, fen);

    Counters told;
    const bool four_suffice = read_counters(epd, &told, NULL) &&
                              told.rule50 == epd->pos.st.rule50 &&
                              told.number == epd->pos.ply / 2 + 1;
    Str rest = str_from(fen);
    const int fields = four_suffice ? 4 : 6;
    for (int i = 0; i < fields; i++) {
        const Str field = str_token(&rest);
        buffer_append(out, i ? " " : "", i ? 1 : 0);
        buffer_append(out, field.ptr, field.len);
    }
    for (int i = 0; i < epd->op_count; i++) {
        const EpdOp *op = &epd->ops[i];
        buffer_putc(out, ' ');
        buffer_append(out, op->name.ptr, op->name.len);
        if (op->operand.len > 0)
            buffer_putc(out, ' ');
        buffer_append(out, op->operand.ptr, op->operand.len);
        buffer_putc(out, ';');
    }
}
