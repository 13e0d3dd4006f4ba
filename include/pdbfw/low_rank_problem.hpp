// The problem:   min over X in C of   P(X) = (1/n) sum_i f_i(A(X)_i) + (ridge/2) |X|_F^2,   X of size d x c.   [M21b]
#pragma once

#include <memory>

#include "pdbfw/linear_map.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/row_loss.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw::low_rank {

// Plain data, immutable while it is solved, safe to share between threads. `make_problem` (low_rank.hpp)
// builds one from names and numbers.
struct Problem {
  MapPtr map;
  std::shared_ptr<const RowLoss> loss;  // with the targets of n samples
  double ridge = 0;
  std::shared_ptr<const SpectralSet> set;

  // Where several processes share the work: `map` is that of `rows_map`, and with the loss it is that of the samples
  // here; samples() counts all. Every member holds the same X, and the rows of Y that belong to its own.
  TeamPtr team{};
  Index samples_of_team = 0;

  [[nodiscard]] Index n() const { return map->samples(); }  // here
  [[nodiscard]] Index samples() const { return team ? samples_of_team : n(); }
  [[nodiscard]] Index d() const { return map->rows(); }
  [[nodiscard]] Index c() const { return map->columns(); }
  [[nodiscard]] Index k() const { return map->outputs(); }
};

// The one judge: all of it from the map, the loss, X and Y. Where not all singular values of A*(Y) are computed,
// the others are bounded; `slack` is what may be given away for that, relative to |P(X)|. The members of a team call it
// together, each with its own rows of Y, and get the same certificate of all samples.                          [M25]
[[nodiscard]] Certificate certify(const Problem& problem, const Factors& X, const Matrix& Y, int threads = 1,
                                  double slack = 1e-9);

// Where to begin: what an earlier solve of a similar problem gave back, or nothing (no rows).
struct Start {
  Factors X{};
  Matrix Y{};
};

struct Result : Outcome {
  Factors X;  // orthonormal, singular values descending
  Matrix Y;   // n x k: the proof
};

}  // namespace pdbfw::low_rank
