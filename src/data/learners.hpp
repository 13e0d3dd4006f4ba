// Features learnt from rows that come block by block, the rules that they keep, and their options by name.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "pdbfw/features.hpp"

namespace pdbfw {

[[nodiscard]] std::string_view name_of(ColumnRule rule);
[[nodiscard]] std::string_view name_of(RowRule rule);
[[nodiscard]] ColumnRule column_rule_of(std::string_view name);  // throw InputError with the nearest name
[[nodiscard]] RowRule row_rule_of(std::string_view name);

// learn_normalisation() from rows that come block by block; memory does not grow with their number.
class NormalisationLearner {
 public:
  explicit NormalisationLearner(const NormalisationOptions& options);
  ~NormalisationLearner();
  NormalisationLearner(const NormalisationLearner&) = delete;
  NormalisationLearner& operator=(const NormalisationLearner&) = delete;

  void add(const DataMatrix& rows);
  [[nodiscard]] Normalisation finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// learn_random_fourier() from rows that come block by block; memory does not grow with their number.
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

[[nodiscard]] std::string_view name_of(Kernel kernel);
[[nodiscard]] Kernel kernel_of(std::string_view name);  // throws InputError with the nearest name

// Throw InputError for options out of range, and for what cannot have been learnt.
void validate(const Normalisation& map);
void validate(const Polynomial& options);
void validate(const RandomBinningOptions& options);
void validate(const RandomBinning& map);
void validate(const RandomFourierOptions& options);
void validate(const RandomFourier& map);

}  // namespace pdbfw

template <>
struct std::hash<pdbfw::BinHash> {
  std::size_t operator()(const pdbfw::BinHash& bin) const noexcept { return static_cast<std::size_t>(bin.low); }
};
