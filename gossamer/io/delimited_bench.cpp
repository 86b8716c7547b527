// Delimited text: two of five columns out of 100 MB, on one core, compared with memchr() over the line feeds
// alone, which any reader of records must find. The text is in memory; a checksum of the fields proves that
// each was read.

#include <cmath>
#include <cstring>
#include <iterator>

#include "gossamer/base/random.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/numbers.hpp"
#include "micro/benches.hpp"

namespace gossamer::bench {
namespace {

constexpr double k_budget_gb = 1.5;
constexpr std::uint32_t k_wanted[] = {1, 3};  // country and amount

struct sales {
  std::string text;
  std::uint64_t records = 0, check = 0;
  double cents = 0;
};

struct layout {
  std::string_view name, line;
  io::delimited_format format;
};

std::uint64_t check_of(std::string_view country, std::string_view amount) {
  return country.size() * 31 + static_cast<unsigned char>(amount.back());
}

// Repeats a text that is too long for a branch predictor to learn.
sales make_sales(const layout& l, std::uint64_t bytes) {
  constexpr std::string_view k_countries[] = {"Norway", "Chile", "Viet Nam",
                                              "Democratic Republic of the Congo"};
  sales chunk, all;
  xoshiro256 random(1);
  while (chunk.text.size() < std::min<std::uint64_t>(bytes, 4 << 20)) {
    const std::string_view country = k_countries[bounded(random, l.format.blanks ? 2 : 4)];
    const auto below = [&](unsigned n) { return static_cast<unsigned>(bounded(random, n)); };
    const unsigned year = 2000 + below(25), customer = below(1000000), whole = below(5000),
                   cents = below(100);
    chunk.text += fmt::format(fmt::runtime(l.line), year, country, customer, whole, cents, below(100000));
    const std::string amount = fmt::format("{}.{:02}", whole, cents);
    chunk.check += check_of(country, amount);
    chunk.cents += whole * 100.0 + cents;
    ++chunk.records;
  }
  all.text.reserve(bytes + chunk.text.size());
  while (all.text.size() < bytes) {
    all.text += chunk.text;
    all.records += chunk.records;
    all.check += chunk.check;
    all.cents += chunk.cents;
  }
  return all;
}

double gb_per_s(const sales& from, double ns) { return static_cast<double>(from.text.size()) / ns; }

row read_two(const settings& s, const layout& l, const sales& from) {
  io::delimited_scratch scratch;
  bool right = true;
  const samples rates = repeat(s, [&] {
    std::uint64_t check = 0;
    io::delimited_result result;
    const double ns = cpu_ns_of([&] {
      result = io::read_records(from.text, l.format, k_wanted, scratch, [&](const io::delimited_record& r) {
        check += check_of(r.fields[0], r.fields[1]);
      });
    });
    right &= !result.problem && result.records == from.records && check == from.check;
    return gb_per_s(from, ns);
  });
  return within(checked(row_of("delimited", std::string(l.name), "GB/s", rates), right), k_budget_gb);
}

row sum_one(const settings& s, const layout& l, const sales& from) {
  io::delimited_scratch scratch;
  bool right = true;
  const samples rates = repeat(s, [&] {
    double sum = 0;
    const double ns = cpu_ns_of([&] {
      io::read_records(from.text, l.format, k_wanted, scratch,
                       [&](const io::delimited_record& r) { sum += io::parse_double(r.fields[1]).value; });
    });
    right &= std::abs(sum * 100 / from.cents - 1) < 1e-9;
    return gb_per_s(from, ns);
  });
  return checked(row_of("delimited", fmt::format("{}, one as a number", l.name), "GB/s", rates), right);
}

row count_lines(const settings& s, const sales& from) {
  bool right = true;
  const samples rates = repeat(s, [&] {
    std::uint64_t lines = 0;
    const double ns = cpu_ns_of([&] {
      const char* const end = from.text.data() + from.text.size();
      for (const char* p = from.text.data(); p != end; ++lines) {
        p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
        p = p ? p + 1 : end;
      }
    });
    right &= lines == from.records;
    return gb_per_s(from, ns);
  });
  return checked(row_of("delimited", "line feeds of the first by memchr", "GB/s", rates), right);
}

}  // namespace

void delimited(const settings& s, const report& out) {
  io::delimited_format quoted, plain, blanks;
  plain.quotes = false;
  plain.separator = '\t';
  blanks.quotes = false;
  blanks.blanks = true;
  const layout layouts[] = {
      {"CSV, 2 of 5 columns", "{},{},customer {},{}.{:02},{}\n", quoted},
      {"CSV with quotes, 2 of 5 columns", "{},\"{}\",\"customer {}, retail\",{}.{:02},{}\n", quoted},
      {"CSV with doubled quotes, 2 of 5 columns", "{},\"{}\",\"\"\"customer\"\" {}\",{}.{:02},{}\n", quoted},
      {"TSV without quotes, 2 of 5 columns", "{}\t{}\tcustomer {}\t{}.{:02}\t{}\n", plain},
      {"between blanks, 2 of 5 columns", "{}  {} customer{}\t{}.{:02} {}\n", blanks},
  };
  const std::uint64_t bytes = s.pick<std::uint64_t>(100'000'000, 200'000);
  if (!out.room_for(bytes + (8 << 20), "delimited", "all cases")) return;
  for (const layout& l : layouts) {
    const sales from = make_sales(l, bytes);
    out.add(read_two(s, l, from));
    if (&l != layouts) continue;
    out.add(sum_one(s, l, from));
    out.add(count_lines(s, from));
  }
}

}  // namespace gossamer::bench
