// LIBLINEAR's own options of `train`, understood where they mean the same here.
//
//   -s 5 | 6      min |w|_1 + C sum_i loss_i: squared hinge without its 1/2, or logistic; the penalty alpha = 1 / (C n)
//   -c C          as above
//   -B b [-R]     b >= 0: an intercept, as LIBLINEAR learns it with -R
//   -wi weight    the class i counts this much
//   -v folds      cross-validation, and no model
//   -n threads, -q
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pdbfw/dataset.hpp"
#include "pdbfw/fields.hpp"

namespace pdbfw::cli {

class LiblinearFlags {
 public:
  void add(CLI::App& parser);

  // Throws InputError for what means something else here.
  void apply(Request& request) const;
  // What is taken with another meaning, a line each.
  [[nodiscard]] std::string remarks() const;
  [[nodiscard]] bool has_penalty() const { return !type_.empty(); }
  [[nodiscard]] bool has_threads() const { return !threads_.empty(); }
  // C, with -s.
  [[nodiscard]] std::optional<double> cost() const;
  // The class weights by LIBLINEAR's -wi. Throws InputError for a label that the data do not have.
  [[nodiscard]] ClassWeight class_weight(const std::array<double, 2>& labels) const;
  [[nodiscard]] bool has_class_weights() const { return !weights_.empty(); }
  [[nodiscard]] std::optional<Index> folds() const;

 private:
  [[nodiscard]] bool given(const std::string& flag) const;

  CLI::App* parser_ = nullptr;
  std::string type_, cost_ = "1", bias_ = "-1", epsilon_, tube_, folds_, threads_;
  std::vector<std::string> weights_;  // "1=5"
  bool bias_is_free_ = false, finds_cost_ = false;
};

// `-w-1 5` is no option that a parser can know: it becomes `-w -1=5`.
[[nodiscard]] std::vector<std::string> with_class_weights_joined(std::vector<std::string> words);

}  // namespace pdbfw::cli
