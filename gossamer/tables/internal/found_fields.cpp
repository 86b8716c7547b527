#include "gossamer/tables/internal/found_fields.hpp"

#include <functional>

#include "gossamer/mapreduce/hybrid_engine.hpp"
#include "gossamer/tables/internal/quantile.hpp"

namespace gossamer::tables {

found_fields find_fields(const opened_text& text, const group_reader& reader, wanted_fields wanted,
                         const map_reduce_options& o) {
  on_all_cores([scratch = reader.scratch] { scratch.here().extremes = {}; });
  return mapreduce::by_containers<std::string_view, std::uint64_t>(
      text,
      [reader, wanted](const text_chunk& chunk, auto& out) {
        using form = wanted_fields::form;
        std::string pair;
        known_extremes& known = reader.scratch.here().extremes;
        const auto take = [&](std::string_view key, const auto& fields) {
          const std::string_view field = fields[wanted.field];
          if (field.empty() || (reader.has_nulls != 0 && reader.is_null(field))) return;
          if (wanted.as == form::extremes && !known.widens(key, field)) return;
          const auto n = static_cast<std::uint32_t>(key.size());
          pair.assign(reinterpret_cast<const char*>(&n), sizeof n).append(key);
          if (wanted.as == form::integers || wanted.as == form::reals)
            pair += bytes_of_code(number_codes{wanted.as == form::integers}.code_of(field));
          else
            pair += field;
          out.emit(std::string_view(pair), std::uint64_t{1});
        };
        if (!reader.read(chunk, take)) out.abandon();
      },
      std::plus<>{}, o, distinct_hash{});
}

}  // namespace gossamer::tables
