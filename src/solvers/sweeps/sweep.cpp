#include "solvers/sweeps/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "linalg/kernels.hpp"

namespace pdbfw {
namespace {

// Refreshes of lambda in a sweep: as often as they pay. One costs about |W|, more where shards are added up; a sweep
// costs 2 nnz(A_W).
constexpr Index kRefreshCost = 2;
constexpr Index kRefreshCostOfShards = 8;
constexpr Index kFewestRefreshes = 2;
constexpr Index kMostRefreshes = 32;
// More of them where two shards have got into each other's way.
constexpr Index kMoreRefreshes = 4;
constexpr Index kMostRefreshesOfShards = 512;
// Rows are visited in chunks that lie together in memory; small data is shuffled row by row.
constexpr Index kLargestChunk = 32;
constexpr Index kFewestChunks = 256;
// The scale of the changes of several members begins at this share of their number.
constexpr double kFirstScale = 0.5;
// Rounding may make D seem to fall by this share.
constexpr double kDualRounding = 1e-12;

std::optional<std::array<QuadraticConjugate, 2>> look_for_pieces(const Loss& loss) {
  const std::span<const double> b = loss.targets();
  std::array<std::optional<QuadraticConjugate>, 2> known;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::optional<QuadraticConjugate> piece = loss.quadratic_conjugate(i);
    if (!piece || piece->c != b[i]) return {};
    std::optional<QuadraticConjugate>& same = known[b[i] > 0 ? 1 : 0];
    if (!same) same = *piece;
    if (piece->q != same->q || piece->low != same->low || piece->high != same->high) return {};
  }
  if (!known[0]) known[0] = known[1];
  if (!known[1]) known[1] = known[0];
  if (!known[0] || known[0]->q != known[1]->q) return {};
  return std::array{*known[0], *known[1]};
}

}  // namespace

Sweep::Sweep(SweepState& state, const Settings& settings)
    : s_(state),
      random_(settings.seed + static_cast<std::uint64_t>(state.p.team ? state.p.team->rank() : 0)),
      pieces_(look_for_pieces(state.loss)),
      norm_(state.y.size()),
      step_(state.y.size()),
      most_refreshes_(kMostRefreshes),
      scale_(std::max(1.0, kFirstScale * static_cast<double>(state.members))) {}

void Sweep::make(Run& run) {
  if (std::exchange(edition_, s_.edition) != s_.edition) {
    norms_are_known_ = false;
    sweeps_forward_ = 0;
  }
  const Index shards = this->shards();
  if (shards > 1 || s_.members > 1) before_ = s_.place();
  go(shards, run);
  if (shards > 1 && !(s_.dual >= least_dual())) {
    s_.return_to(before_);
    be_more_careful();
    go(1, run);
  }
  if (s_.members > 1) take_step();
  ++count_;
}

// They follow from the data alone, so that any number of threads gives the same bits. All rows pull at an intercept:
// two shards that do not know of each other would pull it too far.
Index Sweep::shards() const {
  const bool is_large = s_.rows.entries() >= kWorthSharding;
  const bool go_well_together = s_.members == 1 && s_.proximity == 0 && !s_.has_intercept();
  return is_large && go_well_together && count_ >= alone_until_ ? 2 : 1;
}

// Less is a fall; rounding may make D seem to fall.
double Sweep::least_dual() const { return before_.dual - kDualRounding * std::abs(before_.dual); }

// Shards that meet more often know more of each other. Where that does not help, the next few sweeps have one.
void Sweep::be_more_careful() {
  if (most_refreshes_ < kMostRefreshesOfShards) {
    most_refreshes_ *= kMoreRefreshes;
  } else {
    alone_until_ = count_ + pause_;
    pause_ *= 2;
  }
}

void Sweep::go(Index shards, Run& run) {
  go_beyond();
  meeting_ = s_.members > 1 ? s_.now : Products{};
  const Index worth = (shards > 1 ? kRefreshCostOfShards : kRefreshCost) * std::max<Index>(1, s_.rows.width());
  const Index most = shards > 1 ? most_refreshes_ : kMostRefreshes;
  parts_ = parts();
  part_ = 1;
  refreshes_ = std::max(parts_, std::clamp(s_.rows.entries() / worth, kFewestRefreshes, most));
  goes_on_ = true;
  run.charge(static_cast<double>(s_.rows.cost() - s_.rows.entries()));
  s_.with_curvatures([&](const auto& x_of) {
    s_.rows.visit([&](Index first, Index count, const auto& rows) {
      if (goes_on_) visit_block(x_of, rows, first, count, shards, run);
    });
  });
  norms_are_known_ = norms_are_known_ || goes_on_;
  run.charge_other(kScalarStep * static_cast<double>(s_.y.size()));
  const std::array<double, 2> sums = meet({s_.loss.total_conjugate(s_.y), s_.loss.total_value(s_.w)});
  stale_loss_ = sums[1] / s_.n;
  s_.look(sums[0] / s_.n);
}

// The rows of a block, chunk by chunk in an order drawn anew: a fixed order takes many times as many sweeps. Lambda is
// refreshed as often as is this block's share.
template <class XOf, class Rows>
void Sweep::visit_block(const XOf& x_of, const Rows& rows, Index first, Index count, Index shards, Run& run) {
  const Index all = s_.p.n(), refreshes = refreshes_ * (first + count) / all - refreshes_ * first / all;
  const Index rounds = std::max<Index>(1, refreshes);
  const Index chunk = std::clamp<Index>(count / kFewestChunks, 1, kLargestChunk);
  order_chunks((count + chunk - 1) / chunk);
  const auto chunks = static_cast<Index>(chunks_.size());
  std::vector<Products> own(static_cast<std::size_t>(shards > 1 ? shards : 0), s_.now);
  std::vector<Index> touched(static_cast<std::size_t>(shards));
  parallel_rounds(
      s_.threads, shards, rounds,
      [&](Index shard, Index round) {
        const auto s = static_cast<std::size_t>(shard);
        Products& at = shards > 1 ? own[s] : s_.now;
        touched[s] = 0;
        for (Index c = chunks * round / rounds + shard; c < chunks * (round + 1) / rounds; c += shards) {
          const Index begin = chunks_[static_cast<std::size_t>(c)] * chunk;
          touched[s] += visit_chunk(x_of, rows, first, begin, std::min(begin + chunk, count), at);
        }
      },
      [&](Index round) {
        if (shards > 1) join(own);
        // A member of few rows may have to meet the others more than once after one of them.
        const Index visited = first + count * (round + 1) / rounds;
        for (; part_ < parts_ && visited * parts_ >= part_ * all; ++part_) meet({});
        if (refreshes > 0) s_.refresh_zone();
        run.charge(static_cast<double>(std::accumulate(touched.begin(), touched.end(), Index{0})),
                   refreshes > 0 ? 1 : 0);
        goes_on_ = run.may_go_on();
        return goes_on_;
      });
}

// [M10]  Rows `begin` .. `end` - 1 of the block whose first row is `first`. Returns the entries touched.
template <class XOf, class Rows>
Index Sweep::visit_chunk(const XOf& x_of, const Rows& rows, Index first, Index begin, Index end, Products& at) {
  double* const u = at.u.data();
  double *const y = s_.y.data(), *const w = s_.w.data();
  const DeadZone zone = s_.zone;
  const double n = s_.n, scale = scale_, inverse_q = s_.intercept.inverse_q;
  Index touched = 0;
  for (Index r = begin; r < end; ++r) {
    const auto i = static_cast<std::size_t>(first + r);
    const auto line = rows[r];
    if (!norms_are_known_) {
      norm_[i] = x_of.norm(line) + inverse_q;
      choose_step(i);
    }
    w[i] = x_of.dot(line, u, zone) + at.bias * inverse_q;
    touched += line.size;
    const double next = dual_prox(i, w[i], is_beyond_ ? s_.loss.dual_prox(i, 0, y[i], 0) : y[i]);
    const double change = scale * (next - y[i]) / n;
    if (change == 0) continue;
    y[i] = next;
    add_scaled(line, -change, u);
    at.bias -= change;
    touched += line.size;
  }
  return touched;
}

// argmax_v  w v - f_i*(v) - (v - y)^2 / (2 step_i). Where f_i*(v) = q v^2 / 2 + b_i v on an interval, with
// t = 1 / (1 / step_i + q) that is  t (w - b_i) + (1 - q t) y, clipped.                                          [M7]
double Sweep::dual_prox(std::size_t i, double w, double y) const {
  const double t = step_[i];
  if (!pieces_) return s_.loss.dual_prox(i, w, y, t);
  const QuadraticConjugate& piece = (*pieces_)[b_[i] > 0 ? 1 : 0];
  return std::min(std::max(t * (w - b_[i]) + (1 - piece.q * t) * y, piece.low), piece.high);
}

// step_i = n / (s sum_j a_ij^2 / q_j) over W; an empty row needs no proximal term.
void Sweep::choose_step(std::size_t i) {
  const double step = norm_[i] > 0 ? s_.n / (scale_ * norm_[i]) : std::numeric_limits<double>::infinity();
  step_[i] = pieces_ ? 1 / (1 / step + pieces_->front().q) : step;
}

void Sweep::order_chunks(Index chunks) {
  if (static_cast<Index>(chunks_.size()) != chunks) {
    chunks_.resize(static_cast<std::size_t>(chunks));
    std::iota(chunks_.begin(), chunks_.end(), Index{0});
  }
  random_.shuffle(std::span(chunks_));
}

// u += what the shards have changed; they go on from there.
void Sweep::join(std::vector<Products>& own) {
  for (std::size_t a = 0; a < s_.now.u.size(); ++a) {
    double sum = 0;
    for (const Products& shard : own) sum += shard.u[a] - s_.now.u[a];
    s_.now.u[a] += sum;
    for (Products& shard : own) shard.u[a] = s_.now.u[a];
  }
  double sum = 0;
  for (const Products& shard : own) sum += shard.bias - s_.now.bias;
  s_.now.bias += sum;
  for (Products& shard : own) shard.bias = s_.now.bias;
}

}  // namespace pdbfw
