#include "commands/question_command.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>

#include "commands/vertex_file.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "parse/values.hpp"

namespace gossamer::cli {
namespace {

using graph::vertex_id;

command_text text_of(const graph::question_text& q) { return {q.name, q.summary, q.examples}; }

/// Returns the key of a parameter in JSON.
std::string key_of(const graph::parameter& p) {
  std::string key(p.name);
  std::ranges::replace(key, '-', '_');
  return key;
}

/// Formats a score: below 10 with six decimals, large ones as 12,345.6 and not as 1.23456e4.
std::string score_text(graph::vertex_ranking::form how, double score, double largest) {
  if (how == graph::vertex_ranking::form::lengths) return format_sum(score);
  if (how == graph::vertex_ranking::form::counts) return format_count(static_cast<std::uint64_t>(score));
  if (largest < 10) return fmt::format("{:.6f}", score);
  const double tenths = std::round(std::abs(score) * 10);
  if (!(tenths < 1e18)) return fmt::format("{:.6g}", score);
  const auto whole = static_cast<std::uint64_t>(tenths);
  return fmt::format("{}{}.{}", score < 0 ? "-" : "", format_count(whole / 10), whole % 10);
}

void set(json_object& j, const loaded_graph& g, const graph::fact& known) {
  std::visit(
      [&](const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, graph::vertex_value>) {
          j.set_label(known.key, g.label_of(value.vertex));
        } else if constexpr (std::is_same_v<T, std::vector<graph::vertex_value>>) {
          j.set_array(known.key);
          for (const graph::vertex_value& each : value) j.append_label(known.key, g.label_of(each.vertex));
        } else if constexpr (std::is_same_v<T, graph::histogram>) {
          j.set_array(known.key);
          for (const auto& [of, counts] : value.bins) {
            json_object row;
            row.set(value.of, of);
            row.set(value.counts, counts);
            j.append(known.key, std::move(row));
          }
        } else if constexpr (std::is_same_v<T, std::vector<graph::facts>>) {
          j.set_array(known.key);
          for (const graph::facts& each : value) {
            json_object row;
            for (const graph::fact& of_row : each) set(row, g, of_row);
            j.append(known.key, std::move(row));
          }
        } else {
          j.set(known.key, value);
        }
      },
      known.value);
}

void say(session& s, const graph::sentence& what) {
  s.say("\n{}{}{}", printable(what.before), s.colours().bold(abridged(what.strong)), printable(what.after));
}

void say(session& s, const graph::text_table& what) {
  if (what.rows.empty()) return;
  std::vector<table::column> columns;
  for (const std::string& title : what.titles) columns.push_back({title});
  table rows(std::move(columns));
  for (const auto& row : what.rows) rows.row(row);
  s.say("");
  s.say(rows);
}

/// Writes the values of a vertex or row, and ends the row.
void end_row(row_writer& rows, const loaded_graph& g, const std::vector<graph::vertex_column>& columns,
             std::uint64_t at) {
  for (const graph::vertex_column& each : columns) {
    bool is_there = false;
    each.with(at, [&](auto value) {
      is_there = !(each.is_tree && value == static_cast<decltype(value)>(at));
      if (!is_there) return;
      if constexpr (std::is_same_v<decltype(value), double>)
        rows.field(value);
      else if (each.form == graph::vertex_column::kind::vertices)
        rows.field(g.label_of(static_cast<vertex_id>(value)));
      else
        rows.field(std::uint64_t{value});
    });
    if (!is_there) rows.no_value();
  }
  rows.end_row();
}

void write_rows(row_writer& rows, const loaded_graph& g, const std::vector<graph::vertex_column>& columns) {
  for (vertex_id v = 0; v < g.view().vertices; ++v) {
    rows.field(g.label_of(v));
    end_row(rows, g, columns, v);
  }
}

/// Returns the numbers of the best rows: the first ones, or those with the largest values in the last column,
/// ties in their order.
std::vector<std::uint64_t> best_rows(const std::vector<graph::vertex_column>& columns, bool last_ranks,
                                     std::uint64_t most) {
  std::vector<std::uint64_t> order(columns.empty() ? 0 : columns[0].size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, order.size()));
  if (last_ranks)
    std::partial_sort(order.begin(), end, order.end(), [&](std::uint64_t a, std::uint64_t b) {
      const auto first = columns.back().number(a), second = columns.back().number(b);
      return first != second ? first > second : a < b;
    });
  order.erase(end, order.end());
  return order;
}

/// Adds a table of some rows of an answer that has its own rows, and the key "rows".
void say_rows(session& s, const loaded_graph& g, const std::vector<std::string>& names,
              const std::vector<graph::vertex_column>& columns, const std::vector<std::uint64_t>& listed) {
  std::vector<table::column> titles;
  for (const std::string& name : names) titles.push_back({name});
  table rows(std::move(titles));
  s.json().set_array("rows");
  for (const std::uint64_t i : listed) {
    json_object of_row;
    std::vector<std::string> cells(names.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      of_row.set_null(names[c]);
      columns[c].with(i, [&](auto value) {
        if constexpr (std::is_same_v<decltype(value), double>) {
          of_row.set(names[c], value);
          cells[c] = format_sum(value);
        } else if (columns[c].form == graph::vertex_column::kind::vertices) {
          const auto v = static_cast<vertex_id>(value);
          of_row.set_label(names[c], g.label_of(v));
          cells[c] = g.text_of(v);
        } else {
          of_row.set(names[c], std::uint64_t{value});
          cells[c] = format_count(value);
        }
      });
    }
    s.json().append("rows", std::move(of_row));
    rows.row(std::move(cells));
  }
  if (listed.empty()) return;
  s.say("");
  s.say(rows);
}

/// Adds a table of the first vertices whose value is another vertex, and the key "top".
void say_vertices(session& s, const loaded_graph& g, const graph::vertex_ranking& top,
                  const graph::vertex_column& column, std::uint64_t most) {
  table rows({{std::string(top.title), table::align::left}, {std::string(top.score), table::align::left}});
  s.json().set_array("top");
  std::uint64_t listed = 0;
  for (vertex_id v = 0; v < g.view().vertices && listed < most; ++v)
    column.with(v, [&](auto value) {
      const auto other = static_cast<vertex_id>(value);
      if (column.is_tree && other == v) return;
      json_object entry;
      entry.set_label("vertex", g.label_of(v));
      entry.set_label(std::string(top.score), g.label_of(other));
      s.json().append("top", std::move(entry));
      rows.row({g.text_of(v), g.text_of(other)});
      ++listed;
    });
  if (listed == 0) return;
  s.say("");
  s.say(rows);
}

}  // namespace

question_command::question_command(std::unique_ptr<graph::question> asked)
    : graph_command(text_of(asked->text())), asked_(std::move(asked)) {
  asked_->declare(parameters_);
}

std::string question_command::columns() const {
  if (!asked_->text().rows.empty()) return fmt::to_string(fmt::join(asked_->row_names(), " "));
  if (asked_->text().columns.empty()) return "none";
  std::string names = "vertex";
  for (const graph::column_text& each : asked_->text().columns) names.append(" ").append(each.name);
  return names;
}

void question_command::declare_algorithm(declaration& d) {
  for (const graph::parameter& p : parameters_.all())
    if (p.in_program) declare(d, p);
}

void question_command::declare(declaration& d, const graph::parameter& p) {
  if (p.is_argument) {
    return d.argument(std::string(p.name), labels_[&p], std::string(p.help), p.help);
  }
  const std::string name = fmt::format("{}{}--{}", p.spellings, p.spellings.empty() ? "" : ",", p.name);
  if (p.is_flag()) return d.flag(name, *std::get<bool*>(p.value), std::string(p.help));
  std::string help(p.help);
  if (!p.is_optional()) help += fmt::format(" (default {})", p.text());
  if (p.is_choice()) {
    const std::span<const std::string_view> all = std::get<graph::choice*>(p.value)->names;
    return d.word(name, std::string(p.type), words_.emplace(&p, p.text()).first->second, help,
                  {all.begin(), all.end()});
  }
  d.value(name, std::string(p.type), help, [this, &p](const auto& option, const auto& text) {
    if (p.is_folder())
      (void)p.set(path_name(option, text, p.expected()));
    else if (p.is_vertex_values())
      files_[&p] = path_name(option, text, "a file");
    else if (p.is_vertex())
      labels_[&p] = text;
    else if (p.is_list())
      lists_[&p] = text;
    else if (p.is_real())
      p.set(real_number(option, text, p.expected(), p.reals->accepts));
    else
      p.set(whole_number(option, text, p.least, k_any));
  });
}

void question_command::check() {
  for (const auto& [parameter, text] : labels_) parameter->set(std::uint64_t{0});  // marks it as given
  for (const auto& [parameter, path] : lists_) parameter->set(std::vector<vertex_id>());
  for (const auto& [parameter, word] : words_) parameter->pick(word);
  asked_->check();
  if (asked_->text().columns.empty() && asked_->text().rows.empty() && (top_ || !output_.empty()))
    throw error(
        fmt::format("{}: --top and --output are for answers of every vertex, this one has none", name()));
  graph_command::check();
}

std::vector<input_file> question_command::inputs() const {
  auto all = graph_command::inputs();
  for (const auto& given : {&files_, &lists_})
    for (const auto& [parameter, path] : *given)
      all.push_back({fmt::format("the file of --{}", parameter->name), path});
  return all;
}

void question_command::describe(json_object& j) const {
  graph_command::describe(j);
  for (const graph::parameter& p : parameters_.all()) {
    if (!p.in_program) continue;
    const std::string key = "options/" + key_of(p);
    std::visit(
        [&](auto* at) {
          using T = std::remove_pointer_t<decltype(at)>;
          if constexpr (std::is_same_v<T, bool>) {
            if (*at) j.set(key, true);
          } else if constexpr (std::is_same_v<T, graph::choice>) {
            j.set(key, std::string(at->name()));
          } else if constexpr (std::is_same_v<T, graph::vertex_values>) {
            if (const auto given = files_.find(&p); given != files_.end()) j.set(key, given->second);
          } else if constexpr (std::is_same_v<T, graph::vertex_list>) {
            if (const auto given = lists_.find(&p); given != lists_.end()) j.set(key, given->second);
          } else if constexpr (std::is_same_v<T, std::string>) {
            if (!at->empty()) j.set(key, *at);
          } else if constexpr (std::is_arithmetic_v<T>) {
            j.set(key, *at);
          } else if constexpr (std::is_same_v<T, std::optional<vertex_id>>) {
            if (const auto given = labels_.find(&p); given != labels_.end()) j.set(key, given->second);
          } else if (*at) {
            j.set(key, **at);
          }
        },
        p.value);
  }
}

void question_command::say_top(session& s, const loaded_graph& g, const graph::vertex_ranking& top,
                               const std::vector<graph::vertex_column>& columns) const {
  if (!top.scores && columns[0].form == graph::vertex_column::kind::vertices)
    return say_vertices(s, g, top, columns[0], vertices_to_list());
  std::function<std::optional<double>(vertex_id)> score_of = [&](vertex_id v) {
    return columns[0].number(v);
  };
  if (top.scores) score_of = top.scores(columns);
  constexpr double k_not_listed = -std::numeric_limits<double>::infinity();
  const double sign = top.is_ascending ? -1 : 1;
  auto listed = best(g.view().vertices, vertices_to_list(), [&](vertex_id v) {
    const std::optional<double> score = score_of(v);
    return score ? sign * *score : k_not_listed;
  });
  std::erase_if(listed, [](const ranked_vertex& each) { return each.score == k_not_listed; });
  for (ranked_vertex& each : listed) each.score *= sign;
  set_top(s, g, listed);
  if (listed.empty()) return;
  const bool is_ranked = !top.is_asked_for;
  std::vector<table::column> titles;
  if (is_ranked) titles.push_back({"rank"});
  titles.push_back({std::string(top.title), table::align::left});
  titles.push_back({std::string(top.score)});
  table rows(std::move(titles));
  for (std::size_t i = 0; i < listed.size(); ++i) {
    std::vector<std::string> cells;
    if (is_ranked) cells.push_back(format_count(i + 1));
    cells.push_back(g.text_of(listed[i].vertex));
    cells.push_back(score_text(top.how, listed[i].score, listed.front().score));
    rows.row(std::move(cells));
  }
  s.say("");
  s.say(rows);
}

void question_command::answer(session& s) {
  const graph::question_text& q = asked_->text();
  std::vector<std::string> names = asked_->row_names();
  if (names.empty()) {
    names.emplace_back("vertex");
    for (const graph::column_text& each : q.columns) names.emplace_back(each.name);
  }
  s.open_rows(names);
  const loaded_graph g = load(s, asked_->weights());
  for (const auto& [parameter, text] : labels_)
    parameter->set(
        std::uint64_t{g.find((parameter->is_argument ? "" : "--") + std::string(parameter->name), text)});
  for (const auto& [parameter, path] : files_) parameter->set(read_vertex_values(g, path));
  for (const auto& [parameter, path] : lists_)
    parameter->set(read_vertices(g, path, std::get<graph::vertex_list*>(parameter->value)->each));
  asked_->seed = seed_;
  g.tell(s);
  s.phase(name());
  const graph::answer found =
      asked_->ask(g.whole(), {.graph_name = graph_, .verify = verify_, .progress = hook(s)});
  s.phase("writing the answer");
  for (const std::string& note : found.notes) s.note(fmt::format("{}: {}", graph_, note));
  for (const graph::fact& known : found.known) set(s.json(), g, known);
  s.took("run", found.seconds);
  for (std::size_t i = 0; i < found.sentences.size(); ++i) {
    say(s, found.sentences[i]);
    if (i > 0) continue;
    for (const graph::text_table& each : found.tables) say(s, each);
  }
  if (!found.shortfall.empty()) s.say("{}", s.colours().bad(found.shortfall));
  const bool lists = found.columns && (top_ || !found.top.is_asked_for);
  if (lists || (found.columns && s.rows())) {
    const std::vector<graph::vertex_column> columns = found.columns();
    if (lists) say_top(s, g, found.top, columns);
    if (row_writer* rows = s.rows()) write_rows(*rows, g, columns);
  }
  const bool lists_rows = found.rows && (top_ || !found.top.is_asked_for);
  if (lists_rows || (found.rows && s.rows())) {
    const std::vector<graph::vertex_column> columns = found.rows();
    if (lists_rows)
      say_rows(s, g, names, columns, best_rows(columns, found.last_column_ranks_rows, vertices_to_list()));
    if (row_writer* rows = s.rows(); rows != nullptr && !columns.empty())
      for (std::uint64_t i = 0; i < columns[0].size(); ++i) end_row(*rows, g, columns, i);
  }
  if (verify_) s.verified(found.verified, q.verifier);
  if (!found.forget) return;
  s.commit_rows();  // saved work is kept until the answer is on the disk
  if (!s.is_wrong()) found.forget();
}

}  // namespace gossamer::cli
