// Features learnt from rows that come block by block, the rules that they keep, and their options by name.
#pragma once

#include <functional>
#include <string_view>

#include "data/column_scale.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {

[[nodiscard]] std::string_view name_of(Normalisation::Columns rule);
[[nodiscard]] std::string_view name_of(Normalisation::Rows rule);
[[nodiscard]] Normalisation::Columns column_rule_of(std::string_view name);  // throw InputError with the nearest name
[[nodiscard]] Normalisation::Rows row_rule_of(std::string_view name);

// Normalisation::learn() and RandomFourier::learn() from rows that come block by block; memory does not grow with their
// number.

class NormalisationLearner {
 public:
  explicit NormalisationLearner(const Normalisation::Options& options) : options_(options) {}

  void add(const DataMatrix& rows) { moments_.add(rows); }
  [[nodiscard]] Normalisation finish() const;

 private:
  Normalisation::Options options_;
  ColumnMoments moments_;
};

class RandomFourierLearner {
 public:
  explicit RandomFourierLearner(const RandomFourierOptions& options);

  void add(const DataMatrix& rows);
  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] RandomFourier finish() const;

 private:
  RandomFourierOptions options_;
  Index rows_ = 0, columns_ = 0;
  ColumnMoments moments_;  // with scale
  RowSample sample_;       // without gamma
};

[[nodiscard]] std::string_view name_of(RandomFourierOptions::Kernel kernel);
[[nodiscard]] RandomFourierOptions::Kernel kernel_of(std::string_view name);  // throws InputError with the nearest name

// Throw InputError for options out of range, and for what cannot have been learnt.
void validate(const Normalisation& map);
void validate(const Polynomial& options);
void validate(const RandomBinningOptions& options);
void validate(const RandomBinning& map);
void validate(const RandomFourierOptions& options);
void validate(const RandomFourier& map);

}  // namespace pdbfw

template <>
struct std::hash<pdbfw::RandomBinning::Bin> {
  std::size_t operator()(const pdbfw::RandomBinning::Bin& bin) const noexcept {
    return static_cast<std::size_t>(bin.low);
  }
};
