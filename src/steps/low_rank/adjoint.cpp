#include "steps/low_rank/adjoint.hpp"

#include "linalg/operators.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw::low_rank {

Adjoint::Adjoint(const Problem& p, int threads) : map_(p.map), is_formed_(may_be_formed(p)), threads_(threads) {
  if (!is_formed_) return;
  Z_ = Matrix::Zero(p.d(), p.c());
  operator_ = std::make_unique<DenseOperator>(Z_);
}

double Adjoint::set(const MapPtr& map, const Matrix& Y) {
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

double Adjoint::change(std::span<const Index> rows, const Matrix& change, const Matrix& Y) {
  if (!is_formed_) return set(Y);
  const MapPtr some = map_->subset(rows);
  some->add_adjoint(change, 1, Z_, threads_);
  return some->pass_cost();
}

}  // namespace pdbfw::low_rank
