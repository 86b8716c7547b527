#pragma once
// The commands. Each is called by the main fiber inside run(), reads the graph, computes, and adds
// its answer to the session; doctor alone needs no cores.

#include "session.hpp"

namespace gossamer::cli {

void info(session& s);
void components(session& s);
void bfs(session& s);
void pagerank(session& s);
void betweenness(session& s);
void convert(session& s);
void doctor(session& s);

}  // namespace gossamer::cli
