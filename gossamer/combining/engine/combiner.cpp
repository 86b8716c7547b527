#include "gossamer/combining/engine/combiner.hpp"

namespace gossamer::combining {

parallel::structure_id begin_structure() {
  (void)message::inside("making a structure");
  return on_core(0, [] { return parallel::core::here().structures().give(); });
}

void end_structure(parallel::structure_id id) {
  on_all_cores([id] {
    const std::unique_ptr<local_combiner> mine(
        static_cast<local_combiner*>(parallel::core::here().structures().end(id)));
    if (mine != nullptr) mine->close();
  });
  on_core(0, [id] { parallel::core::here().structures().take_back(id); });
}

}  // namespace gossamer::combining
