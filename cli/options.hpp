// What several subcommands share: flags made from the table of fields, the data file, output paths.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "cli/flags.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {

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

}  // namespace pdbfw::cli
