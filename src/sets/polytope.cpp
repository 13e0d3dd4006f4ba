// The convex hull of atoms, known by a linear oracle:  C = radius conv{ v_1, v_2, ... }.                         [M4c]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "pdbfw/set.hpp"
#include "steps/mixture.hpp"

namespace pdbfw {
namespace {

void check_atom(const SparseAtom& atom, std::size_t features) {
  if (atom.at.size() != atom.value.size())
    throw InputError("atom", fmt::format("{} indices, {} values", atom.at.size(), atom.value.size()),
                     "as many of both");
  Index last = -1;
  for (const Index j : atom.at) {
    if (j <= last || j >= static_cast<Index>(features))
      throw InputError("atom", fmt::format("index {} after {}", j, last),
                       fmt::format("indices ascend from 0 to {}", static_cast<Index>(features) - 1));
    last = j;
  }
  for (const double value : atom.value)
    if (!std::isfinite(value)) throw InputError("atom", fmt::format("{}", value), "finite numbers");
}

SparseAtom row_of(const DataMatrix& matrix, Index row) {
  SparseAtom atom;
  std::visit(
      [&](const auto& rows) {
        const auto line = rows[row];
        for (Index k = 0; k < line.size; ++k) {
          if (line.value[k] == 0) continue;
          atom.at.push_back(line.index(k));
          atom.value.push_back(static_cast<double>(line.value[k]));
        }
      },
      matrix.by_row());
  return atom;
}

class Polytope final : public Set {
 public:
  // `features`: how many the atoms need; 0 where only the oracle knows.
  Polytope(LinearOracle oracle, Index features, double radius)
      : oracle_(std::move(oracle)), features_(features), radius_(radius) {
    if (!oracle_) throw InputError("oracle", "none", "a function that finds an atom");
    if (!(radius > 0 && std::isfinite(radius)))
      throw InputError("radius", fmt::format("{}", radius), "a finite number > 0");
  }

  [[nodiscard]] std::string_view name() const override { return "polytope"; }
  [[nodiscard]] double radius() const override { return radius_; }
  [[nodiscard]] std::shared_ptr<const Set> with_radius(double radius) const override {
    return std::make_shared<Polytope>(oracle_, features_, radius);
  }
  [[nodiscard]] bool has_dead_zone() const override { return false; }
  void check_dimension(Index features) const override {
    if (features_ > features)
      throw InputError("atoms", fmt::format("{} columns", features_),
                       fmt::format("at most the {} features of the data", features));
  }

  void linear_oracle(std::span<const double> gradient, SparseAtom& out) const override {
    out = oracle_(gradient);
    for (double& value : out.value) value *= radius_;
    check_atom(out, gradient.size());
  }

  void start(Index dimension, SparseAtom& out) const override {
    linear_oracle(std::vector<double>(static_cast<std::size_t>(dimension), 0.0), out);
  }

  // The nearest mixture of atoms that can be found.
  void project(std::span<double> v) const override {
    const Mixture nearest = nearest_mixture(*this, v);
    std::fill(v.begin(), v.end(), 0.0);
    nearest.add_to(v);
  }

  // Its distance as a share of |x| or of its longest atom, whichever is larger, times the radius: an upper bound,
  // because the mixture lies in C.
  [[nodiscard]] double violation(std::span<const double> x) const override {
    if (!std::all_of(x.begin(), x.end(), [](double x_j) { return std::isfinite(x_j); }))
      return std::numeric_limits<double>::infinity();
    const Mixture nearest = nearest_mixture(*this, x);
    const double distance = nearest.distance(x);
    const double unit = std::max(nearest.longest_atom(), length(x));
    return distance > 0 ? radius_ * (distance / unit) : 0;
  }

  // Both throw InputError: a polytope has neither.
  void block_oracle(std::span<const double>, Index, SparseAtom&) const override {
    throw InputError("set", name(), "a set with a block oracle");
  }

  [[nodiscard]] DeadZone dead_zone(std::span<const double>, const Curvatures&, const DeadZone*) const override {
    throw InputError("set", name(), "a set with a dead zone");
  }

 private:
  LinearOracle oracle_;
  Index features_;
  double radius_;
};

}  // namespace

std::shared_ptr<const Set> make_polytope(MatrixPtr atoms, double radius) {
  if (!atoms || atoms->rows() == 0) throw InputError("atoms", "none", "at least one");
  const Index features = atoms->columns();
  const LinearOracle smallest_product = [atoms = std::move(atoms)](std::span<const double> gradient) {
    std::vector<double> product(static_cast<std::size_t>(atoms->rows()));
    multiply(*atoms, gradient.first(static_cast<std::size_t>(atoms->columns())), product);
    return row_of(*atoms, std::min_element(product.begin(), product.end()) - product.begin());
  };
  return std::make_shared<Polytope>(smallest_product, features, radius);
}

std::shared_ptr<const Set> make_polytope(LinearOracle oracle, double radius) {
  return std::make_shared<Polytope>(std::move(oracle), 0, radius);
}

}  // namespace pdbfw
