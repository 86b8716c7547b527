#pragma once
// Declares the arguments and options of one command. Help, completion and man pages are made from the same
// declarations. Values are read as text and converted by parse/values.hpp, so that all errors have the same
// form. This header hides CLI11.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parse/values.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gossamer::cli {

/// Marks a word in brackets, or removes the mark: CLI11 would take "[a,b]" for a list of two words.
std::string marked(std::string word);
std::string unmarked(const std::string& word);

/// The last group of options in each help text; it ends with --help.
inline constexpr std::string_view k_last_group = "Reporting";

/// An argument or option, as completion and manual pages show it.
struct declared {
  std::string names;  // "-s,--source"; of an argument its name
  std::string type = {};  // "V"; empty for flags
  std::string help;
  std::string group = {};  // empty for arguments
  std::vector<std::string> choices = {};  // the only words that are accepted; empty: any
  std::string usage = {};  // of an argument: "G", "[TREE]", "FILE..."
};

class declaration {
 public:
  explicit declaration(CLI::App& app) : app_(app) {}
  const std::vector<declared>& all() const { return all_; }
  /// Returns what follows the name of the command: "G [options]".
  std::string usage() const;

  /// Reads the text of an option; `option` is its name, for errors.
  using reader = std::function<void(const std::string& option, const std::string& text)>;

  /// Declares a positional argument. `missing` describes a required one, for the error if it is missing
  /// ("a graph: a file, ..."); empty: it is optional.
  void argument(const std::string& name, std::string& target, const std::string& help,
                std::string_view missing = {});
  void arguments(const std::string& name, std::vector<std::string>& targets, const std::string& help,
                 std::string_view missing = {});
  void argument(const std::string& name, const reader& read, const std::string& help);
  /// Passes all words, from the first that is no option of this command, unchanged to another command.
  void wraps_command();

  /// Lists the options that follow under this title.
  void section(std::string_view title) { group_ = title; }

  /// Declares an option with a value. `names` is "-s,--source"; errors use the last one.
  void value(const std::string& names, const std::string& type, const std::string& help, const reader& read);
  /// Declares an option that may be given several times. Every value is read, in the order of the command
  /// line: also among other such options, and flags that call a function.
  void values(const std::string& names, const std::string& type, const std::string& help, const reader& read);
  void flag(const std::string& names, bool& target, const std::string& help);
  /// Declares a flag that calls a function each time it is given.
  void flag(const std::string& names, const std::function<void()>& given, const std::string& help);
  /// Declares two flags that exclude each other.
  void either(std::optional<bool>& target, const std::string& yes, const std::string& yes_help,
              const std::string& no, const std::string& no_help);

  /// Declares an option that takes a whole number from low to high.
  template <class Target>
  void number(const std::string& names, Target& target, const std::string& help, std::uint64_t low = 0,
              std::uint64_t high = k_any, const std::string& type = "N") {
    value(names, type, help, [&target, low, high](const std::string& option, const std::string& text) {
      target = static_cast<decltype(plain(target))>(whole_number(option, text, low, high));
    });
  }
  void text(const std::string& names, const std::string& type, std::string& target, const std::string& help);
  /// Declares an option that takes a file or a folder. An empty name, as of a shell's unset variable, is
  /// refused.
  void file(const std::string& names, std::string& target, const std::string& help);
  void folder(const std::string& names, std::string& target, const std::string& help);
  void word(const std::string& names, const std::string& type, std::string& target, const std::string& help,
            std::vector<std::string_view> known);
  void bytes(const std::string& names, std::uint64_t& target, const std::string& help, std::uint64_t least);

 private:
  void add_argument(CLI::Option& option, const std::string& name, const std::string& help,
                    std::string_view missing);

  template <class T>
  static T plain(const std::optional<T>&);
  template <class T>
  static T plain(const T&);

  CLI::App& app_;
  std::string group_ = "Options";
  std::vector<declared> all_;
  bool wraps_ = false;
};

}  // namespace gossamer::cli
