// Features learnt from rows that come block by block, the rules that they keep, and their options by name.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "pdbfw/features.hpp"

namespace pdbfw {

[[nodiscard]] std::string_view name_of(Normalisation::Columns rule);
[[nodiscard]] std::string_view name_of(Normalisation::Rows rule);
[[nodiscard]] Normalisation::Columns column_rule_of(std::string_view name);  // throw InputError with the nearest name
[[nodiscard]] Normalisation::Rows row_rule_of(std::string_view name);

// Normalisation::learn() from rows that come block by block; memory does not grow with their number.
class NormalisationLearner {
 public:
  explicit NormalisationLearner(const Normalisation::Options& options);
  ~NormalisationLearner();
  NormalisationLearner(const NormalisationLearner&) = delete;
  NormalisationLearner& operator=(const NormalisationLearner&) = delete;

  void add(const DataMatrix& rows);
  [[nodiscard]] Normalisation finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// RandomFourier::learn() from rows that come block by block; memory does not grow with their number.
class RandomFourierLearner {
 public:
  explicit RandomFourierLearner(const RandomFourierOptions& options);
  ~RandomFourierLearner();
  RandomFourierLearner(const RandomFourierLearner&) = delete;
  RandomFourierLearner& operator=(const RandomFourierLearner&) = delete;

  void add(const DataMatrix& rows);
  [[nodiscard]] Index columns() const;
  [[nodiscard]] RandomFourier finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
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
