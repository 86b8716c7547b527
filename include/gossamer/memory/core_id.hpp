#pragma once
// STUB
namespace gossamer {
using core_id = unsigned;
namespace stub {
inline thread_local core_id t_here = 0;
inline unsigned n_cores = 1;
}  // namespace stub
inline core_id here() { return stub::t_here; }
inline unsigned cores() { return stub::n_cores; }
}  // namespace gossamer
