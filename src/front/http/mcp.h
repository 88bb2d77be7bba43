// SPDX-License-Identifier: GPL-3.0-or-later
/* mcp.h -- samara mcp: analyse, explain, best move, review and legal moves for AI assistants, over
 * the Model Context Protocol: JSON-RPC 2.0 on standard input and output, one message per line. */
#ifndef SAMARA_FRONT_HTTP_MCP_H
#define SAMARA_FRONT_HTTP_MCP_H

int mcp_main(int argc, char **argv);

#endif
