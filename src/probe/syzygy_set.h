// SPDX-License-Identifier: GPL-3.0-or-later
/* syzygy_set.h -- the table files of a list of folders, and the one that a position needs.
 * What the functions promise is said in syzygy.h. */
#ifndef SAMARA_PROBE_SYZYGY_SET_H
#define SAMARA_PROBE_SYZYGY_SET_H

#include "probe/syzygy_table.h"

typedef struct TbSet TbSet;

enum { TB_WHOLE_FILE = 4 << 20 }; /* bytes: larger files stay on disk */

/* path is not empty. whole_file: usually TB_WHOLE_FILE. */
bool tb_set_open(TbSet **out, const char *path, uint64_t whole_file, Error *err);
void tb_set_close(TbSet *s); /* NULL is fine */
int tb_set_men(const TbSet *s);
int tb_set_files(const TbSet *s);
bool tb_set_complaint(TbSet *s, Error *out);
int tb_set_check(const char *path, void (*each)(void *user, const char *file, const char *problem),
                 void *user, Error *err);

/* The table of p's material; NULL if there is none, or it is damaged. *flip: with colours
 * exchanged. */
const TbTable *tb_set_table(TbSet *s, TbKind kind, const Position *p, bool *flip);
/* A value contradicted the format: complain of the file and use it no more. */
void tb_set_give_up(TbSet *s, TbKind kind, const Position *p);

#endif
