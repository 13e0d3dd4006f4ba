// Arguments and flags of a command, added to its parser one a line.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw::cli {

// Read the text of an option that is a number; throw InputError with the rule that it breaks.
[[nodiscard]] Index parse_count(std::string_view option, std::string_view text, std::string_view rule);
[[nodiscard]] double parse_number(std::string_view option, std::string_view text, std::string_view rule);
[[nodiscard]] double parse_positive(std::string_view option, std::string_view text);  // a finite number > 0
[[nodiscard]] std::vector<double> parse_list(std::string_view option, std::string_view text, std::string_view rule);
[[nodiscard]] std::vector<double> parse_positive_list(std::string_view option, std::string_view text);

// "512M", "1.5G", "2000000000": bytes; K, M, G and T are powers of 1024, and a B or iB may follow.
[[nodiscard]] Index parse_bytes(std::string_view option, std::string_view text);

// Reads the text of an option that is one of a few names; throws InputError with the nearest.
[[nodiscard]] std::size_t chosen(std::string_view option, std::string_view text,
                                 const std::vector<std::string_view>& names);

// "--max-seconds" for "max_seconds".
[[nodiscard]] std::string flag_name(std::string_view field_name);

// Adds arguments and flags that stand under one heading of a command's help.
class Flags {
 public:
  explicit Flags(CLI::App& parser, std::string_view heading = {}) : parser_(parser), heading_(heading) {}

  // NAME, which must be given, or may.
  CLI::Option* argument(const char* name, std::string& value, const std::string& meaning) const {
    return optional_argument(name, value, meaning)->required();
  }
  template <class Text>
  CLI::Option* optional_argument(const char* name, Text& value, const std::string& meaning) const {
    return parser_.add_option(name, value, meaning)->type_name("");
  }

  // --flag TYPE. The text is kept as it comes.
  template <class Text>
  CLI::Option* text(const std::string& flag, const char* type, Text& value, const std::string& meaning) const {
    return placed(parser_.add_option(flag, value, meaning)->type_name(type));
  }
  // --flag TYPE, given to `read` when it is met.
  template <class Read>
  CLI::Option* read(const std::string& flag, const char* type, const Read& read, const std::string& meaning) const {
    return placed(parser_.add_option_function<std::string>(flag, read, meaning)->type_name(type));
  }
  // The same for a number or a count, whose rule is told for a text that is none. What it must be beyond that, others
  // judge.
  template <class Value>
  CLI::Option* number(const std::string& name, Value& value, const char* rule, const std::string& meaning,
                      const char* type = "NUMBER") const {
    const auto set = [&value, name, rule](const std::string& text) {
      if constexpr (std::is_same_v<Value, Index> || std::is_same_v<Value, std::optional<Index>>)
        value = parse_count(name, text, rule);
      else
        value = parse_number(name, text, rule);
    };
    return read(flag_name(name), type, set, meaning);
  }
  // --flag alone.
  CLI::Option* flag(const std::string& flag, bool& value, const std::string& meaning) const {
    return placed(parser_.add_flag(flag, value, meaning));
  }

 private:
  CLI::Option* placed(CLI::Option* option) const {
    if (!heading_.empty()) option->group(heading_);
    return option;
  }

  CLI::App& parser_;
  std::string heading_;
};

}  // namespace pdbfw::cli
