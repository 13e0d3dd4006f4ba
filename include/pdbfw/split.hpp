// Which rows are for training and which for testing, decided in two passes over the targets, without keeping them.
//
//   pdbfw::Splitter splitter({.test_fraction = 0.2});
//   for (const double target : targets) splitter.count(target);
//   for (const double target : targets) (splitter.is_test(target) ? test : train).push_back(...);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "pdbfw/errors.hpp"

namespace pdbfw {

struct SplitOptions {
  double test_fraction = 0.2;    // in (0, 1); has no say with folds
  std::optional<Index> folds{};  // 2 .. 1,000; the test rows are those of one of them
  Index fold = 1;                // which one, 1 .. folds; the same seed gives folds that are disjoint and hold all rows
  bool stratify = true;          // every label has its share of test rows, where there are at most 20 labels
  std::uint64_t seed = 0;
};

void validate(const SplitOptions& options);  // throws InputError

// Of every label (or of all rows together), the test rows are so many as the fraction says, to the nearest number, or a
// fold's equal share, to within one; and every choice of so many rows is as likely as any other.
class Splitter {
 public:
  explicit Splitter(const SplitOptions& options);  // throws as validate does
  ~Splitter();
  Splitter(const Splitter&) = delete;
  Splitter& operator=(const Splitter&) = delete;

  // First for every row. Throws nothing but for lack of memory.
  void count(double target);

  // Then for every row again, in the same order. Throws InputError when there are more rows than were counted, and at
  // the first one when there are so few that a part would be empty.
  [[nodiscard]] bool is_test(double target);

  [[nodiscard]] bool is_stratified() const;  // after counting
  [[nodiscard]] Index rows() const;          // counted
  [[nodiscard]] Index test_rows() const;     // of them, after the first is_test

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pdbfw
