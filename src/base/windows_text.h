// SPDX-License-Identifier: GPL-3.0-or-later
/* windows_text.h -- between UTF-8, which Samara speaks, and the words of Windows. For the files of
 * base/ that call it. */
#ifndef SAMARA_BASE_WINDOWS_TEXT_H
#define SAMARA_BASE_WINDOWS_TEXT_H

#include <wchar.h>

#ifdef _WIN32

/* The caller frees both. NULL if the text is not valid or memory is short. */
wchar_t *windows_wide(const char *utf8);
char *windows_utf8(const wchar_t *wide);
/* errno from what GetLastError() says. */
void windows_set_errno(void);

#endif

#endif
