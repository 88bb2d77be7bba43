// SPDX-License-Identifier: GPL-3.0-or-later
// The three best moves of a position, in C++:  c++ example.cpp $(pkg-config --cflags --libs samara)
#include <cstdio>
#include <memory>
#include <samara.h>

int main(int argc, char **argv)
{
    SamaraError err{};
    const std::unique_ptr<SamaraPosition, void (*)(SamaraPosition *)> position(
        samara_position_new(), samara_position_free);
    const std::unique_ptr<Samara, void (*)(Samara *)> engine(samara_new(nullptr, &err),
                                                             samara_free);
    const char *fen = argc > 1 ? argv[1] : nullptr;
    SamaraRequest request{};
    request.position = position.get();
    request.limits.depth = 10;
    request.lines = 3;
    SamaraResult result{};
    if (!engine || !samara_position_set(position.get(), fen, false, nullptr, 0, &err) ||
        !samara_search(engine.get(), &request, nullptr, &result, &err))
        return std::fprintf(stderr, "%s\n", err.text), 1;
    for (int i = 0; i < result.line_count; i++)
        std::printf("%s %s %d\n", result.lines[i].moves[0].san,
                    result.lines[i].score.is_mate ? "mate" : "cp", result.lines[i].score.value);
}
