// The options of commands: arguments and flags, added to a parser one a line; and what several commands share: flags
// made from the table of fields, the data file, the files of a problem.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/console.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/matrix.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {

// Read the text of an option that is a number; throw InputError with the rule that it breaks.
[[nodiscard]] Index parse_count(std::string_view option, std::string_view text, std::string_view rule);
[[nodiscard]] double parse_number(std::string_view option, std::string_view text, std::string_view rule);
[[nodiscard]] std::optional<Index> parse_top(const std::string& text);                // --top, at least 1; empty: none
[[nodiscard]] double parse_positive(std::string_view option, std::string_view text);  // a finite number > 0
[[nodiscard]] std::vector<double> parse_list(std::string_view option, std::string_view text, std::string_view rule);
[[nodiscard]] std::array<double, 2> parse_pair(std::string_view option, std::string_view text, std::string_view rule);
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

// The field whose flag it is; null for other flags.
[[nodiscard]] const Field* field_of(std::string_view flag);
[[nodiscard]] std::string_view heading(Field::Group group);
// Whether the weights are a matrix: the low-rank family.
[[nodiscard]] bool is_low_rank(const Formulation& formulation);
// Whether a loss looks at a field; at most fields all of them do.
[[nodiscard]] bool reads(std::string_view loss, const Field& field);
// The solvers of this set's family that look at a research field.
[[nodiscard]] std::vector<std::string_view> readers_of(const Field& field, std::string_view set);

// The flags of some fields. Text is kept as it came; the table judges it.
class FieldFlags {
 public:
  void add_all(CLI::App& parser);
  void add(CLI::App& parser, std::string_view field_name);

  [[nodiscard]] bool given(std::string_view field_name) const;
  // Throws InputError with the field's rule.
  void apply(Request& request) const;
  [[nodiscard]] Request request() const;
  // Throws InputError for a loss or solver of the other family, and for a flag that neither would look at.
  void require_a_say(const Request& request) const;
  // The same for flags that this loss would not look at.
  void require_loss_to_read(const Formulation& formulation) const;

 private:
  struct Flag {
    const Field* field;
    CLI::Option* option;
  };
  void add(CLI::App& parser, const Field& field);

  std::vector<Flag> flags_;
};

// The flags --json and --quiet of every command that tells of its work. What a command is asked for, such as
// predictions, is printed even so.
struct ReportFlags {
  static constexpr const char* kQuietMeaning = "Print nothing but errors";

  bool is_json = false;
  bool is_quiet = false;

  void add_report(CLI::App& parser, const char* json = "Print one JSON object instead of the summary",
                  const char* quiet = kQuietMeaning);
  void add_quiet(CLI::App& parser, const char* meaning = kQuietMeaning);

  // Prints the one or the other, or nothing. Where standard output is taken by a result, text goes to standard error.
  void tell(const std::function<Json()>& object, const std::function<std::string()>& text,
            bool is_output_taken = false) const;
  void tell(const Json& object, const std::string& text, bool is_output_taken = false) const;

  [[nodiscard]] bool is_silent() const { return is_quiet && !is_json; }
  [[nodiscard]] bool shows_progress() const { return !is_quiet && !is_json; }
};

// The heading of the options that say how DATA is read.
inline constexpr std::string_view kReadingHeading = "Reading data (docs/data-formats.md)";

// The argument DATA and how to read it.
class DataArgument {
 public:
  void add(CLI::App& parser);
  // DATA may be several files; the last of all is then another argument, for the parser cannot tell.
  void add_several(CLI::App& parser);
  [[nodiscard]] std::string take_last(const std::string& argument);

  [[nodiscard]] std::string path() const { return paths_.empty() ? std::string() : paths_.front(); }  // empty: none
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  [[nodiscard]] std::string name() const { return path() == "-" ? "standard input" : path(); }  // for messages
  [[nodiscard]] const std::string& values() const { return values_; }
  [[nodiscard]] std::vector<std::string> files() const;  // all that are read; none of them may be replaced
  // Throws InputError when one of the options breaks its rule.
  [[nodiscard]] ReadOptions read_options(int threads, Index min_features = 0) const;

 private:
  void add_reading(CLI::App& parser);

  std::vector<std::string> paths_;
  std::string values_ = "float64";
  std::string format_ = "auto";
  std::optional<std::string> labels_{};
  std::optional<std::string> label_column_{};
  std::string header_ = "auto";
  std::optional<std::string> classes_{};
};

// What belongs to a problem and stands in files: the options --atoms, --sample-weight and --penalty-weight; and beside
// the last one --free-features.
class ProblemFiles {
 public:
  // Only some commands know the set polytope, which has atoms.
  void add(CLI::App& parser, bool has_atoms);

  [[nodiscard]] std::vector<std::string> paths() const {
    return {atoms_, sample_weight_, penalty_weight_};
  }  // empty: none
  // Puts what was given into the formulation. Throws InputError where it cannot be read, or does not fit the set.
  void read(int threads, Formulation& formulation) const;

 private:
  void read_atoms(int threads, Formulation& formulation) const;
  void read_free_features(Formulation& formulation) const;

  std::string atoms_, sample_weight_, penalty_weight_, free_features_;
};

// The option --memory of commands that can work on data larger than memory.
class MemoryArgument {
 public:
  void add(CLI::App& parser);

  // Puts it into the options of read_samples, which streams what would take more. Throws InputError for files that
  // cannot be streamed.
  void apply(const std::string& path, ReadOptions& options) const;
  // Throws InputError if it was given: for `what` data are in memory always.
  void refuse_for(std::string_view what) const;

 private:
  std::optional<std::string> memory_{};
};

// Throws InputError when both are to come from standard input.
void require_one_stdin(const std::string& data, const std::string& model);

// What commands have whose options state a problem.
struct ProblemOptions : ReportFlags {
  const CLI::App* parser = nullptr;  // knows which of them were given
  DataArgument data;
  FieldFlags flags;
  ProblemFiles files;
  MemoryArgument memory;
};

}  // namespace pdbfw::cli
