// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/mcp.h"

#include "base/text.h"
#include "front/cli_words.h"
#include "review/position_notes.h"
#include "review/report.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARSE_ERROR = -32700,
    BAD_REQUEST = -32600,
    NO_METHOD = -32601,
    BAD_PARAMS = -32602,
    LONGEST_LINE = 8 << 20,
    MOST_NODES = 20000000,
    MOST_LINES = 16,
};

typedef struct Server {
    Study study; /* one engine for all calls; every search is fresh */
    SamaraPosition *position;
} Server;

/* What a tool has to say; text is for the assistant, whether it is good news or bad. */
typedef struct Said {
    Buffer text;
    bool is_error;
} Said;

static void fail(Said *said, const char *text)
{
    buffer_clear(&said->text);
    buffer_puts(&said->text, text);
    said->is_error = true;
}

/* --- arguments --- */

static const char *text_of(json_t *arguments, const char *name)
{
    return json_string_value(json_object_get(arguments, name));
}

static int64_t number_of(json_t *arguments, const char *name, int64_t most, int64_t otherwise)
{
    json_t *value = json_object_get(arguments, name);
    const int64_t number = json_is_integer(value) ? json_integer_value(value) : otherwise;
    return number < 1 ? 1 : number > most ? most : number;
}

/* Sets the position that `fen` and `moves` describe; no fen: the start position. */
static bool take_position(Server *s, json_t *arguments, Said *said)
{
    const char *fen = text_of(arguments, "fen");
    SamaraError err = {0};
    const bool start = !fen || strcmp(fen, "startpos") == 0;
    bool ok = samara_position_set(s->position, start ? NULL : fen, false, NULL, 0, &err);
    json_t *moves = json_object_get(arguments, "moves");
    for (size_t i = 0; ok && i < json_array_size(moves); i++) {
        const char *word = json_string_value(json_array_get(moves, i));
        ok = samara_position_play_text(s->position, word ? word : "", &err);
    }
    if (!ok)
        fail(said, err.text);
    return ok;
}

static bool is_playing(Server *s, Said *said)
{
    if (samara_position_moves(s->position, NULL, 0) > 0)
        return true;
    fail(said, "the game is over");
    return false;
}

/* --- tools --- */

static void tool_legal_moves(Server *s, json_t *arguments, Said *said)
{
    if (!take_position(s, arguments, said))
        return;
    SamaraMove moves[SAMARA_MAX_MOVES];
    const size_t count = samara_position_moves(s->position, moves, SAMARA_MAX_MOVES);
    JsonWriter w = {.out = &said->text};
    jw_object(&w, NULL);
    jw_text(&w, "state", samara_state_name(samara_position_state(s->position)));
    jw_bool(&w, "check", samara_position_in_check(s->position));
    jw_array(&w, "moves");
    for (size_t i = 0; i < count; i++)
        jw_text(&w, NULL, moves[i].san);
    jw_end_array(&w);
    jw_end_object(&w);
}

static void put_line(JsonWriter *w, const SamaraLine *line, bool white)
{
    const Worth worth = worth_of(&line->score);
    jw_object(w, NULL);
    report_worth(w, "score", worth, white);
    jw_int(w, "depth", line->depth);
    jw_array(w, "line");
    for (int i = 0; i < line->length; i++)
        jw_text(w, NULL, line->moves[i].san);
    jw_end_array(w);
    jw_end_object(w);
}

/* analyse, and best_move, which is one line of it. */
static void analyse(Server *s, json_t *arguments, int lines, Said *said)
{
    if (!take_position(s, arguments, said) || !is_playing(s, said))
        return;
    const SamaraRequest request = {.position = s->position,
                                   .limits.nodes =
                                       (uint64_t)number_of(arguments, "nodes", MOST_NODES, 500000),
                                   .lines = lines,
                                   .fresh = true};
    SamaraResult result;
    SamaraError err;
    if (!samara_search(s->study.engine, &request, NULL, &result, &err)) {
        fail(said, err.text);
        return;
    }
    const bool white = samara_position_white_to_move(s->position);
    JsonWriter w = {.out = &said->text};
    jw_object(&w, NULL);
    jw_text(&w, "best", result.best.san);
    jw_text(&w, "uci", result.best.uci);
    jw_text(&w, "pov", "white");
    jw_array(&w, "lines");
    for (int i = 0; i < result.line_count; i++)
        put_line(&w, &result.lines[i], white);
    jw_end_array(&w);
    jw_end_object(&w);
}

static void tool_best_move(Server *s, json_t *arguments, Said *said)
{
    analyse(s, arguments, 1, said);
}

static void tool_analyse(Server *s, json_t *arguments, Said *said)
{
    analyse(s, arguments, (int)number_of(arguments, "lines", MOST_LINES, 3), said);
}

static bool take_speech(json_t *arguments, Speech *speech, Said *said)
{
    if (speech_named(text_of(arguments, "language"), text_of(arguments, "level"), speech))
        return true;
    fail(said, "language is one of " SPEECH_LANGUAGES ", level one of " SPEECH_LEVELS);
    return false;
}

static void tool_explain(Server *s, json_t *arguments, Said *said)
{
    Speech speech;
    SamaraMove move;
    SamaraError err = {.text = "not enough memory"};
    const char *word = text_of(arguments, "move");
    if (!take_speech(arguments, &speech, said) || !take_position(s, arguments, said) ||
        !is_playing(s, said))
        return;
    speech.always = true;
    Verdict *verdict = malloc(sizeof *verdict);
    PositionNotes *notes = malloc(sizeof *notes);
    bool ok = verdict && notes;
    if (ok && word)
        ok = samara_position_read_move(s->position, word, &move, &err) &&
             verdict_of_move(&s->study, s->position, &move, verdict);
    else if (ok)
        ok = notes_make(&s->study, s->position, notes);
    if (!ok)
        fail(said, err.text);
    else if (word)
        report_explanation(s->position, verdict, &speech, &said->text);
    else
        report_notes(s->position, notes, &speech, &said->text);
    free(verdict);
    free(notes);
}

static void tool_review(Server *s, json_t *arguments, Said *said)
{
    (void)s;
    Speech speech;
    SamaraError err = {0};
    const char *pgn = text_of(arguments, "pgn");
    if (!take_speech(arguments, &speech, said))
        return;
    SamaraGame *game = pgn ? samara_game_read(pgn, strlen(pgn), NULL, &err) : NULL;
    Review *review = game && !err.text[0] ? review_create(game) : NULL;
    const ReviewEffort effort = {
        .limits.nodes = (uint64_t)number_of(arguments, "nodes", MOST_NODES, REVIEW_NODES)};
    if (game && !review && err.text[0])
        samara_game_free(game);
    if (review && review_run(review, &effort, NULL, &err))
        report_write(review, &speech, &said->text);
    else
        fail(said, err.text[0] ? err.text : "there is no game in this text");
    review_destroy(review);
}

#define POSITION_SCHEMA                                                                            \
    "\"fen\":{\"type\":\"string\",\"description\":\"FEN; absent: the start position\"},"           \
    "\"moves\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"                               \
    "\"description\":\"moves played since, SAN or UCI\"}"
#define NODES_SCHEMA "\"nodes\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":20000000}"
#define SPEECH_SCHEMA                                                                              \
    "\"language\":{\"type\":\"string\",\"enum\":[\"en\",\"bs\",\"ro\",\"vi\",\"fi\",\"ru\"]},"     \
    "\"level\":{\"type\":\"string\",\"enum\":[\"beginner\",\"club\",\"expert\"]}"

static const struct {
    const char *name, *about, *properties;
    const char *required; /* one name, or NULL */
    void (*run)(Server *server, json_t *arguments, Said *said);
} tools[] = {
    {"best_move", "The best move of a chess position, with score (White's view) and line.",
     POSITION_SCHEMA "," NODES_SCHEMA, NULL, tool_best_move},
    {"analyse", "The best lines of a chess position, with scores in White's view.",
     POSITION_SCHEMA "," NODES_SCHEMA
                     ",\"lines\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":16}",
     NULL, tool_analyse},
    {"explain",
     "Why a chess move is good or bad, in words, with claims that are proved by lines of moves; "
     "without a move, what the position is about.",
     POSITION_SCHEMA
     ",\"move\":{\"type\":\"string\",\"description\":\"SAN or UCI\"}," SPEECH_SCHEMA,
     NULL, tool_explain},
    {"review", "Judges and explains every move of a chess game.",
     "\"pgn\":{\"type\":\"string\"}," NODES_SCHEMA "," SPEECH_SCHEMA, "pgn", tool_review},
    {"legal_moves", "The legal moves of a chess position, and the state of the game.",
     POSITION_SCHEMA, NULL, tool_legal_moves},
};
enum { TOOLS = sizeof tools / sizeof *tools };

/* --- JSON-RPC --- */

static void send(json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    if (text)
        puts(text);
    fflush(stdout);
    free(text);
    json_decref(message);
}

static void send_result(json_t *id, json_t *result)
{
    send(json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static void send_error(json_t *id, int code, const char *text)
{
    json_t *none = json_null();
    send(json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id ? id : none, "error",
                   "code", code, "message", text));
}

static json_t *tool_list(void)
{
    json_t *list = json_array();
    for (int i = 0; i < TOOLS; i++) {
        Buffer schema = {0};
        buffer_printf(&schema, "{\"type\":\"object\",\"properties\":{%s}", tools[i].properties);
        if (tools[i].required)
            buffer_printf(&schema, ",\"required\":[\"%s\"]", tools[i].required);
        buffer_puts(&schema, "}");
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", tools[i].name,
                                              "description", tools[i].about, "inputSchema",
                                              json_loads(buffer_text(&schema), 0, NULL)));
        buffer_free(&schema);
    }
    return json_pack("{s:o}", "tools", list);
}

static void call_tool(Server *s, json_t *id, json_t *params)
{
    const char *name = text_of(params, "name");
    for (int i = 0; name && i < TOOLS; i++) {
        if (strcmp(tools[i].name, name) != 0)
            continue;
        Said said = {0};
        tools[i].run(s, json_object_get(params, "arguments"), &said);
        send_result(id, json_pack("{s:[{s:s, s:s}], s:b}", "content", "type", "text", "text",
                                  buffer_text(&said.text), "isError", said.is_error));
        buffer_free(&said.text);
        return;
    }
    send_error(id, BAD_PARAMS, "there is no tool of this name");
}

/* The version that the client speaks if we know it, else our newest. */
static json_t *greeting(json_t *params)
{
    static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
    const char *wanted = text_of(params, "protocolVersion"), *spoken = versions[0];
    for (size_t i = 0; wanted && i < sizeof versions / sizeof *versions; i++)
        if (strcmp(versions[i], wanted) == 0)
            spoken = versions[i];
    return json_pack("{s:s, s:{s:{}}, s:{s:s, s:s}}", "protocolVersion", spoken, "capabilities",
                     "tools", "serverInfo", "name", "samara", "version", samara_version());
}

static void answer(Server *s, json_t *message)
{
    json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const char *method = text_of(message, "method");
    if (!method)
        send_error(id, BAD_REQUEST, "a request has a method");
    else if (!id)
        return; /* a notification */
    else if (strcmp(method, "initialize") == 0)
        send_result(id, greeting(params));
    else if (strcmp(method, "ping") == 0)
        send_result(id, json_object());
    else if (strcmp(method, "tools/list") == 0)
        send_result(id, tool_list());
    else if (strcmp(method, "tools/call") == 0)
        call_tool(s, id, params);
    else
        send_error(id, NO_METHOD, "there is no method of this name");
}

/* False at the end of the input. A line that is too long comes empty, which is no JSON. */
static bool read_line(Buffer *line)
{
    int c;
    buffer_clear(line);
    bool any = false;
    while ((c = getchar()) != EOF && c != '\n') {
        any = true;
        if (line->len < LONGEST_LINE)
            buffer_putc(line, (char)c);
    }
    if (line->len >= LONGEST_LINE)
        buffer_clear(line);
    return any || c != EOF;
}

int mcp_main(int argc, char **argv)
{
    const ArgCommand command = {
        .program = "samara",
        .name = "mcp",
        .summary = "Serves AI assistants over the Model Context Protocol on standard input and "
                   "output: best_move, analyse, explain, review and legal_moves."};
    int words, code;
    if (!cli_read(&command, argc, argv, &words, &code))
        return code;
    Server s = {.position = samara_position_new()};
    const ReviewEffort effort = {.thorough = true};
    if (!study_open(&s.study, &effort, NULL) || !s.position)
        return cli_fail("mcp", "not enough memory");
    Buffer line = {0};
    while (read_line(&line)) {
        json_t *message = json_loadb(buffer_text(&line), line.len, 0, NULL);
        if (json_is_object(message))
            answer(&s, message);
        else if (str_trim((Str){buffer_text(&line), line.len}).len > 0 || line.len == 0)
            send_error(NULL, message ? BAD_REQUEST : PARSE_ERROR, "one JSON object per line");
        json_decref(message);
    }
    buffer_free(&line);
    study_close(&s.study);
    samara_position_free(s.position);
    return EXIT_OK;
}
