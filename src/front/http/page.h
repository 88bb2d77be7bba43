// SPDX-License-Identifier: GPL-3.0-or-later
/* page.h -- what a browser fetches: the board page and its parts, and the API's description. All of
 * it is inside the program. */
#ifndef SAMARA_FRONT_HTTP_PAGE_H
#define SAMARA_FRONT_HTTP_PAGE_H

#include "front/http/request.h"

void page_root(Request *r);           /* the page for browsers, the greeting for programs */
void page_asset(Request *r);          /* /ui/...: the page and its parts */
void page_service_worker(Request *r); /* which keeps the page in the browser */
void page_docs(Request *r);           /* the same for people, with examples to try */
void page_train(Request *r);          /* the training page */
void page_openapi(Request *r);        /* the description of the API */

#endif
