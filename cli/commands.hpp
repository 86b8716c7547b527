#pragma once
// The commands. Each is called by the main fiber inside run(), reads the graph, computes, and adds
// its answer to the session; doctor alone needs no cores. bench() is on its own: it runs jobs itself and
// prints rows as it gets them.

#include "gossamer/parallel/job.hpp"
#include "session.hpp"

namespace gossamer::cli {

void info(session& s);
void components(session& s);
void bfs(session& s);
void pagerank(session& s);
void betweenness(session& s);
void convert(session& s);
void uts(session& s);
void uts_mem(session& s);
void gups(session& s);
void gather(session& s);
void structures(session& s);
void doctor(session& s);

/// Outside of run(): it runs one job that aggregates and one that does not.
void ping(session& s, job_options job);

/// Outside of run(): it uses the transport alone.
void network(session& s);

/// gossamer run: becomes the launcher of an MPI, which starts this program. Returns only by an error.
[[noreturn]] void launch(const options& o);

/// gossamer simulate: becomes the command, on a simulated cluster; or runs it once for each of several seeds
/// and returns the exit code: 1 where one failed.
int simulate(const options& o);

/// gossamer scale: the command on simulated clusters of several sizes. Returns the exit code: that of the run
/// which failed; rows before it are printed.
int scale(const options& o);

/// Returns the exit code: 1 where a result was wrong.
int bench(const options& o);

}  // namespace gossamer::cli
