// A learnt matrix of low rank: its factors, what they were learnt for, and the proof. docs/model-file.md specifies the
// file. Needs Eigen 3.4 on the caller's side.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "pdbfw/certificate.hpp"
#include "pdbfw/classes_model.hpp"
#include "pdbfw/factors.hpp"
#include "pdbfw/low_rank_formulation.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/ratings.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw {

struct LowRankModel {
  low_rank::Formulation formulation;  // ridge as a plain weight
  std::string map = "rows";           // the name of the linear map between X and the samples (linear_map.hpp)
  Index samples = 0;                  // of the training data
  Factors X;                          // d x c

  // What the columns of X stand for, where each is a class or a label; else none.
  std::vector<double> classes{};  // their targets (Classes::original)
  std::vector<Index> labels{};    // their ids (MultilabelDataset::ids)

  // Matrix completion: what rows and columns are called (no names: the numbers from 1 up), and what was removed from
  // the entries before: entry (i, j) is  mean + row_means[i] + column_means[j] + X_ij. Empty means are zeros.
  std::vector<std::string> row_names{}, column_names{};
  double mean = 0;
  std::vector<double> row_means{}, column_means{};

  std::optional<Status> status{};            // how training ended
  std::optional<Certificate> certificate{};  // of the training run; `certify` recomputes it
  std::optional<Matrix> proof{};             // the dual point Y, samples x outputs
};

// Writes to a temporary name and renames, so a failure leaves the old file as it was. "-" is standard output. Throws
// InputError for a model that could not be read back.
void write_low_rank_model(const std::string& path, const LowRankModel& model);

// Throws InputError "file:line:column: what is wrong"; memory grows with the file's length, never with a number it
// states.
[[nodiscard]] LowRankModel read_low_rank_model(const std::string& path);

// Any of the three kinds, told apart by the first line.
using AnyModel = std::variant<Model, LowRankModel, ClassesModel>;
[[nodiscard]] AnyModel read_any_model(const std::string& path);

}  // namespace pdbfw
