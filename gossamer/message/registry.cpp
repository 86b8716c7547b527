#include "gossamer/message/registry.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "gossamer/base/assert.hpp"

namespace gossamer::message {

namespace {
constinit registration* g_first = nullptr;  // filled before main()

std::vector<registration*>& ordered() {
  static std::vector<registration*> all;  // changed by freeze_registry() only
  return all;
}

std::vector<run_function>& table() {
  static std::vector<run_function> functions;
  return functions;
}
}  // namespace

run_function* detail::handler_table = nullptr;

registration::registration(const char* type_name, const char* short_name, run_function function) noexcept
    : name(type_name), shown(short_name), run(function), next(g_first) {
  g_first = this;
}

void freeze_registry() {
  auto& all = ordered();
  all.clear();
  for (registration* r = g_first; r != nullptr; r = r->next) all.push_back(r);
  std::reverse(all.begin(), all.end());
  std::stable_sort(all.begin(), all.end(),
                   [](auto* a, auto* b) { return std::strcmp(a->name, b->name) < 0; });
  GOSSAMER_ASSERT(all.size() < 65535, "more than 65,534 kinds of message");
  table().assign(all.size() + 1, nullptr);
  std::uint16_t id = 0;
  for (registration* r : all) {
    r->id = ++id;
    table()[id] = r->run;
  }
  detail::handler_table = table().data();
}

const char* handler_name(std::uint16_t id) { return ordered()[id - std::size_t{1}]->shown; }

std::uint64_t registry_digest() {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits
  for (const registration* r : ordered())
    for (char c : std::string_view(r->name, std::strlen(r->name) + 1))
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace gossamer::message
