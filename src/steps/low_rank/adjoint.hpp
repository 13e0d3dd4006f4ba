// Z = A*(Y), formed where d x c numbers may be, else known by its products.
#pragma once

#include <memory>
#include <span>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw::low_rank {

class Adjoint {
 public:
  Adjoint(const Problem& p, int threads) : map_(p.map), is_formed_(may_be_formed(p)), threads_(threads) {
    if (!is_formed_) return;
    Z_ = Matrix::Zero(p.d(), p.c());
    operator_ = std::make_unique<DenseOperator>(Z_);
  }

  // Z = A*(Y). Returns the multiply-adds.
  double set(const Matrix& Y) { return set(map_, Y); }
  // The same of some of the samples only.
  double set(const MapPtr& map, const Matrix& Y) {
    if (!is_formed_) {
      operator_.reset();
      Y_ = Y;
      map_of_Y_ = map;
      operator_ = map->adjoint(Y_);
      return 0;
    }
    Z_.setZero();
    map->add_adjoint(Y, 1, Z_, threads_);
    return map->pass_cost();
  }

  // Z for a Y that has changed in these rows since the last call; `change` has them one below the other.
  double change(std::span<const Index> rows, const Matrix& change, const Matrix& Y) {
    if (!is_formed_) return set(Y);
    const MapPtr some = map_->subset(rows);
    some->add_adjoint(change, 1, Z_, threads_);
    return some->pass_cost();
  }

  [[nodiscard]] const Operator& Z() const { return *operator_; }
  [[nodiscard]] bool is_formed() const { return is_formed_; }
  [[nodiscard]] const Matrix& formed() const { return Z_; }

 private:
  MapPtr map_;
  bool is_formed_;
  int threads_;
  Matrix Z_;  // if formed
  Matrix Y_;  // else what the operator is made of
  MapPtr map_of_Y_;
  std::unique_ptr<const Operator> operator_;
};

}  // namespace pdbfw::low_rank
