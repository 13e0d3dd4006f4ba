// The model's own numbers, by name: what to learn, not how. `make_problem` (solve.hpp, joint.hpp, low_rank.hpp) makes a
// problem of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/problem.hpp"

namespace pdbfw {

// The strength of the ridge: a number, or a number divided by the number of samples ("10/n").
struct Ridge {
  double value = 1;
  bool per_sample = true;
  [[nodiscard]] double weight(double n) const { return per_sample ? value / n : value; }

  // "0.01" or "10/n". Throws InputError.
  [[nodiscard]] static Ridge parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

// What a sample of either class counts: a number for label -1 and one for +1, or what makes both classes weigh the
// same.
struct ClassWeight {
  double negative = 1;
  double positive = 1;
  bool is_balanced = false;
  [[nodiscard]] bool is_none() const { return !is_balanced && negative == 1 && positive == 1; }

  // "none", "balanced" or "1,5". Throws InputError.
  [[nodiscard]] static ClassWeight parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

// The one set that its name and its radius do not define: it also needs atoms.
inline constexpr std::string_view kPolytope = "polytope";
// The set of another family: matrices of weights, low_rank.hpp.
inline constexpr std::string_view kTrace = "trace";
// For classes learnt jointly (joint.hpp): an l1 ball for the weights of each.
inline constexpr std::string_view kPerClass = "l1_per_class";

struct Formulation {
  std::string loss = "smooth_hinge";
  std::string set = "l1";
  double radius = 100;  // of the polytope: the factor of its atoms
  Ridge ridge{1, true};
  double smoothing = 1;               // smooth_hinge: width of the curved piece, in (0, 1]
  double huber_width = 1;             // huber: where the loss turns linear
  std::vector<double> ridge_scale{};  // empty, or one factor >= 0 for each feature: a diagonal ridge
  // Each feature divided by its standard deviation, and weights reported for the features as they are. With an
  // intercept, taking the means away too would change nothing.
  bool standardise = false;
  // Empty, or one number >= 0 for each feature: what its weight counts in the set and in the ridge, which is to say,
  // the feature divided by it. 0: the feature is free.
  std::vector<double> penalty_weight{};
  // Features, counted from 0, that neither the set nor the ridge hold back.
  std::vector<Index> free_features{};
  MatrixPtr atoms{};       // set polytope: one a row (set.hpp); null for the others
  bool intercept = false;  // learn an intercept too, which is neither in the set nor in the ridge
  // Empty, or one number >= 0 for each sample: weight 2 is the sample twice, weight 0 is without it. The mean loss is
  // over the sum of the weights, class weights included, and n in "10/n" is that sum.
  std::vector<double> sample_weight{};
  ClassWeight class_weight{};  // of labels; multiplies sample_weight
};

}  // namespace pdbfw
