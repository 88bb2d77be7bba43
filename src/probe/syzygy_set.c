// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/syzygy_set.h"

#include "base/thread.h"
#include "probe/syzygy_checksum.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_SIZE = TB_MAX_MEN + 8, /* "KQRvKBN.rtbw" */
    SLOTS = 1 << 13,            /* of the hash table; two for each of at most 1511 tables */
    READ_AT_ONCE = 4,           /* men: larger tables wait until they are needed */
    WHOLE_FILES = 64 << 20,     /* bytes in memory; then even small files stay on disk */
    LISTED = 150                /* characters of a list of damaged files */
};

typedef enum State { STATE_NEW, STATE_READY, STATE_DAMAGED } State;

/* A file that may be there. */
typedef struct Entry {
    char *path; /* NULL: there is none */
    AtomicI32 state;
    TbTable *table; /* when READY */
    uint32_t id;
} Entry;

typedef struct Pack {
    TbMaterial material;
    Entry entries[2]; /* by TbKind */
} Pack;

typedef struct Slot {
    uint64_t code; /* of the material, seen from one side */
    uint16_t pack; /* plus one; 0: empty */
    bool flip;
} Slot;

struct TbSet {
    Pack *packs;
    int count, capacity;
    Slot slots[SLOTS];
    int men, files;

    Mutex lock; /* for what is below, and for reading a table */
    TbPages *pages;
    uint64_t whole, whole_file; /* bytes in memory; of a file, at most */
    int damaged, named;         /* files since the last complaint, and those of them in its list */
    Buffer complaints;
};

/* --- names and codes --- */

static const char letters[] = "PNBRQK";

/* "KQPvKR" without an ending; each side's men in the order of the field. */
static void write_name(const TbMaterial *m, char *out)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        for (PieceType t = KING; t >= PAWN; t--)
            for (int i = 0; i < m->count[c][t]; i++)
                *out++ = letters[t];
        *out++ = c == WHITE ? 'v' : '\0';
    }
}

static uint64_t code_of_counts(const uint8_t first[6], const uint8_t second[6])
{
    uint64_t code = 0;
    for (PieceType t = PAWN; t < KING; t++)
        code |= (uint64_t)first[t] << 4 * t | (uint64_t)second[t] << (20 + 4 * t);
    return code;
}

static uint64_t code_of(const Position *p)
{
    uint64_t code = 0;
    for (PieceType t = PAWN; t < KING; t++)
        code |= (uint64_t)bb_count(pos_pieces(p, WHITE, t)) << 4 * t |
                (uint64_t)bb_count(pos_pieces(p, BLACK, t)) << (20 + 4 * t);
    return code;
}

static size_t slot_of(uint64_t code) { return (size_t)(code * 0x9E3779B97F4A7C15 >> 51); }
_Static_assert(SLOTS == 1 << (64 - 51), "the shift chooses a slot");

static void add_slot(TbSet *s, uint64_t code, int pack, bool flip)
{
    size_t at = slot_of(code);
    while (s->slots[at].pack)
        at = (at + 1) % SLOTS;
    s->slots[at] = (Slot){code, (uint16_t)(pack + 1), flip};
}

static Pack *find_pack(TbSet *s, const Position *p, bool *flip)
{
    const uint64_t code = code_of(p);
    for (size_t at = slot_of(code); s->slots[at].pack; at = (at + 1) % SLOTS)
        if (s->slots[at].code == code) {
            *flip = s->slots[at].flip;
            return &s->packs[s->slots[at].pack - 1];
        }
    return NULL;
}

/* --- complaints --- */

/* The lock is held. Names as many files as fit into a sentence. */
static void complain(TbSet *s, const char *path, const char *why)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    s->damaged++;
    if (s->complaints.len > LISTED)
        return;
    buffer_printf(&s->complaints, "%s%.20s (%.50s)", s->named ? ", " : "", name, why);
    s->named++;
}

/* What was found damaged since the last call, once, for a person. */
bool tb_set_complaint(TbSet *s, Error *out)
{
    mutex_lock(&s->lock);
    const bool any = s->damaged > 0;
    if (any) {
        char more[32] = "";
        if (s->damaged > s->named)
            snprintf(more, sizeof more, " and %d more", s->damaged - s->named);
        error_code(out, "TABLEBASE", 0, "damaged and not used: %s%s", buffer_text(&s->complaints),
                   more);
    }
    s->damaged = s->named = 0;
    buffer_clear(&s->complaints);
    mutex_unlock(&s->lock);
    return any;
}

/* --- reading a table --- */

/* Into memory, if it is small and there is room left. The checksum costs nothing more then. */
static bool keep_whole(TbSet *s, const File *file, TbFile *out, Error *err)
{
    if (file->size > s->whole_file || file->size > WHOLE_FILES - s->whole)
        return true;
    uint8_t *bytes = malloc((size_t)file->size);
    if (!bytes)
        return true;
    out->whole = bytes;
    if (file_read(file, 0, bytes, (size_t)file->size) != file->size)
        return error_set(err, "it cannot be read");
    if (!tb_checksum_matches(bytes, file->size))
        return error_set(err, "its checksum is wrong");
    s->whole += file->size;
    return true;
}

static bool keep_pages(TbSet *s, TbFile *out, Error *err)
{
    if (!out->whole && !s->pages && !(s->pages = tb_pages_create()))
        return error_code(err, "NO_MEMORY", 0, "there is not enough memory");
    out->pages = s->pages;
    return true;
}

/* What every file can be asked without reading it. */
static bool looks_right(const File *file, TbKind kind, Error *err)
{
    uint8_t magic[4];
    if (file->size % 64 != TB_CHECKSUM_SIZE || file->size <= 64)
        return error_set(err, "its size is wrong");
    if (file_read(file, 0, magic, sizeof magic) != sizeof magic)
        return error_set(err, "it cannot be read");
    return tb_magic_matches(kind, magic) || error_set(err, "it is no such table");
}

static void free_table(TbTable *t)
{
    if (!t)
        return;
    tb_table_free(t);
    free((void *)t->file.whole);
    free(t);
}

/* Opens the file for its header only; what is read later goes through the pages. */
static TbTable *read_table(TbSet *s, const Pack *pack, TbKind kind, Error *err)
{
    const Entry *e = &pack->entries[kind];
    File file;
    TbTable *t = calloc(1, sizeof *t);
    if (!t) {
        error_code(err, "NO_MEMORY", 0, "there is not enough memory");
        return NULL;
    }
    t->kind = kind;
    t->material = pack->material;
    if (!file_open(&file, e->path, NULL)) {
        error_set(err, "it cannot be opened");
        free(t);
        return NULL;
    }
    t->file = (TbFile){.size = file.size, .time = file.time, .id = e->id, .path = e->path};
    const bool ok = looks_right(&file, kind, err) && keep_whole(s, &file, &t->file, err) &&
                    keep_pages(s, &t->file, err);
    file_close(&file);
    if (ok && tb_table_read(t, err))
        return t;
    free_table(t);
    return NULL;
}

/* The lock is held. */
static void load(TbSet *s, Pack *pack, TbKind kind)
{
    Entry *e = &pack->entries[kind];
    Error why = {0};
    if (relaxed_load(&e->state) != STATE_NEW)
        return;
    e->table = read_table(s, pack, kind, &why);
    if (!e->table)
        complain(s, e->path, why.text);
    release_store(&e->state, e->table ? STATE_READY : STATE_DAMAGED);
}

/* Loads on first use. Later calls need no lock: the state is read with acquire after it was written
 * with release. */
const TbTable *tb_set_table(TbSet *s, TbKind kind, const Position *p, bool *flip)
{
    Pack *pack = find_pack(s, p, flip);
    Entry *e = pack ? &pack->entries[kind] : NULL;
    if (!e || !e->path)
        return NULL;
    int state = acquire_load(&e->state);
    if (UNLIKELY(state == STATE_NEW)) {
        mutex_lock(&s->lock);
        load(s, pack, kind);
        state = acquire_load(&e->state);
        mutex_unlock(&s->lock);
    }
    return state == STATE_READY ? e->table : NULL;
}

/* The table stays in memory: another thread may be in it. */
void tb_set_give_up(TbSet *s, TbKind kind, const Position *p)
{
    bool flip;
    Pack *pack = find_pack(s, p, &flip);
    Entry *e = pack ? &pack->entries[kind] : NULL;
    mutex_lock(&s->lock);
    if (e && relaxed_load(&e->state) == STATE_READY) {
        release_store(&e->state, STATE_DAMAGED);
        complain(s, e->path, "it changed or its contents are damaged");
    }
    mutex_unlock(&s->lock);
}

/* --- finding the files --- */

/* "folder/KQvK.rtbw" in the first folder that has it; the caller frees it. */
static char *find_file(Str folders, const char *name, const char *ending)
{
    Buffer path = {0};
    while (folders.len > 0) {
        const char *end = memchr(folders.ptr, FILE_LIST_SEPARATOR, folders.len);
        const size_t len = end ? (size_t)(end - folders.ptr) : folders.len;
        File file;
        buffer_clear(&path);
        buffer_append(&path, folders.ptr, len);
        buffer_printf(&path, "/%s%s", name, ending);
        if (len > 0 && !path.failed && file_open(&file, path.data, NULL)) {
            file_close(&file);
            return path.data;
        }
        folders.ptr += len + (end != NULL);
        folders.len -= len + (end != NULL);
    }
    buffer_free(&path);
    return NULL;
}

/* The list of packs doubles. */
static bool grow(TbSet *s)
{
    if (s->count < s->capacity)
        return true;
    const int capacity = s->capacity ? 2 * s->capacity : 64;
    Pack *packs = realloc(s->packs, (size_t)capacity * sizeof *packs);
    if (!packs)
        return false;
    s->packs = packs;
    s->capacity = capacity;
    return true;
}

/* Takes the material into the set if any of the folders has one of its files. */
static bool add_pack(TbSet *s, Str folders, TbMaterial m)
{
    char name[NAME_SIZE];
    tb_material_finish(&m);
    write_name(&m, name);
    char *wdl = find_file(folders, name, ".rtbw"), *dtz = find_file(folders, name, ".rtbz");
    if (!wdl && !dtz)
        return true;
    if (!grow(s)) {
        free(wdl);
        free(dtz);
        return false;
    }
    const uint32_t id = (uint32_t)s->count * 2;
    s->packs[s->count++] = (Pack){m, {{.path = wdl, .id = id}, {.path = dtz, .id = id + 1}}};
    return true;
}

/* File names put the side with more men first, or else the one with the stronger men. */
static bool is_named_like_that(const TbMaterial *m)
{
    int men[2] = {0};
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t < KING; t++)
            men[c] += m->count[c][t];
    if (men[WHITE] != men[BLACK])
        return men[WHITE] > men[BLACK];
    for (PieceType t = QUEEN; t >= PAWN; t--)
        if (m->count[WHITE][t] != m->count[BLACK][t])
            return m->count[WHITE][t] > m->count[BLACK][t];
    return men[WHITE] > 0; /* two kings alone have no table */
}

/* Every material with up to `left` men more, of the kinds from `kind` on: 0 to 4 are white pawn to
 * queen, 5 to 9 black ones. */
static bool find_packs(TbSet *s, Str folders, TbMaterial *m, int kind, int left)
{
    if (kind == 10)
        return !is_named_like_that(m) || add_pack(s, folders, *m);
    uint8_t *count = &m->count[kind / 5][kind % 5];
    bool ok = true;
    for (*count = 0; ok && *count <= left; ++*count)
        ok = find_packs(s, folders, m, kind + 1, left - *count);
    *count = 0;
    return ok;
}

static void add_slots(TbSet *s)
{
    for (int i = 0; i < s->count; i++) {
        const TbMaterial *m = &s->packs[i].material;
        add_slot(s, code_of_counts(m->count[WHITE], m->count[BLACK]), i, false);
        if (!m->symmetric)
            add_slot(s, code_of_counts(m->count[BLACK], m->count[WHITE]), i, true);
    }
}

/* The files that are there; none of them is read yet. */
static TbSet *find_tables(const char *path, Error *err)
{
    tb_index_init();
    TbSet *s = calloc(1, sizeof *s);
    if (s)
        mutex_init(&s->lock);
    TbMaterial m = {.count = {{[KING] = 1}, {[KING] = 1}}};
    if (!s || !find_packs(s, str_from(path), &m, 0, TB_MAX_MEN - 2)) {
        error_code(err, "NO_MEMORY", 0, "not enough memory for the tablebases");
        tb_set_close(s);
        return NULL;
    }
    if (s->count == 0) {
        error_code(err, "TABLEBASE", 0, "no tablebases were found at '%.128s'", path);
        tb_set_close(s);
        return NULL;
    }
    add_slots(s);
    return s;
}

/* --- the set --- */

/* Reads what is small enough to be read at once, and counts what can be used. */
static void read_small(TbSet *s)
{
    mutex_lock(&s->lock);
    for (int i = 0; i < s->count; i++)
        for (TbKind kind = TB_WDL; kind <= TB_DTZ; kind++) {
            const Entry *e = &s->packs[i].entries[kind];
            const int men = s->packs[i].material.men;
            if (!e->path)
                continue;
            if (men <= READ_AT_ONCE)
                load(s, &s->packs[i], kind);
            if (relaxed_load(&e->state) == STATE_DAMAGED)
                continue;
            s->files++;
            if (kind == TB_WDL && men > s->men)
                s->men = men;
        }
    mutex_unlock(&s->lock);
}

/* Small files are read at once, so that a wrong folder is reported now and not
 * during a search. */
bool tb_set_open(TbSet **out, const char *path, uint64_t whole_file, Error *err)
{
    TbSet *s = find_tables(path, err);
    if (!s)
        return false;
    s->whole_file = whole_file;
    read_small(s);
    Error why = {0};
    const bool complaint = tb_set_complaint(s, &why);
    if (s->men == 0) {
        tb_set_close(s);
        return error_code(err, "TABLEBASE", 0, "%s",
                          complaint ? why.text : "there is no table of wins and losses");
    }
    if (err)
        *err = why;
    *out = s;
    return true;
}

/* No search may be running. */
void tb_set_close(TbSet *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->count; i++)
        for (TbKind kind = TB_WDL; kind <= TB_DTZ; kind++) {
            free_table(s->packs[i].entries[kind].table);
            free(s->packs[i].entries[kind].path);
        }
    tb_pages_destroy(s->pages);
    buffer_free(&s->complaints);
    mutex_destroy(&s->lock);
    free(s->packs);
    free(s);
}

int tb_set_men(const TbSet *s) { return s->men; }
int tb_set_files(const TbSet *s) { return s->files; }

/* The checksum covers the bytes, reading the table covers what they mean: both must be right. */
static bool check_file(TbSet *s, Pack *pack, TbKind kind, Error *err)
{
    File file;
    if (!file_open(&file, pack->entries[kind].path, NULL))
        return error_set(err, "it cannot be opened");
    const bool ok = looks_right(&file, kind, err) && tb_checksum_file(&file, err);
    file_close(&file);
    TbTable *t = ok ? read_table(s, pack, kind, err) : NULL;
    free_table(t);
    s->whole = 0;
    return t != NULL;
}

/* Every file of the folders, whatever its size; `each` hears of the good ones too, with NULL. */
int tb_set_check(const char *path, void (*each)(void *user, const char *file, const char *problem),
                 void *user, Error *err)
{
    TbSet *s = find_tables(path, err);
    int damaged = 0;
    if (!s)
        return -1;
    for (int i = 0; i < s->count; i++)
        for (TbKind kind = TB_WDL; kind <= TB_DTZ; kind++) {
            const char *file = s->packs[i].entries[kind].path;
            Error why = {0};
            if (!file)
                continue;
            const bool ok = check_file(s, &s->packs[i], kind, &why);
            damaged += !ok;
            each(user, file, ok ? NULL : why.text);
        }
    tb_set_close(s);
    return damaged;
}
