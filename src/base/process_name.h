// SPDX-License-Identifier: GPL-3.0-or-later
/* process_name.h -- which process on which machine we are. */
#ifndef SAMARA_BASE_PROCESS_NAME_H
#define SAMARA_BASE_PROCESS_NAME_H

#include <stddef.h>

int process_number(void);
/* Letters, digits, '.' and '-'; "unknown" where the system does not tell. */
void process_host(char *out, size_t size);

#endif
