#include "solvers/newton_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/dual_value.hpp"
#include "linalg/kernels.hpp"
#include "solvers/bracket.hpp"

namespace pdbfw {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The model is solved when a cycle changes nothing by more than this share of what the first cycle did.
constexpr double kSolved = 1e-7;
constexpr int kMostRounds = 40;
// Cycles over the entries that are not zero, between two looks at all of them.
constexpr int kCyclesOnFace = 4;
// R may be singular; this share of its diagonal is added on a face, and more where that is not enough.
constexpr double kDamping = 1e-11, kMoreDamping = 100, kMostDamping = 1e-3;
// Tries on the bent path, on which entries stop at zero, before the straight one is taken.
constexpr int kMostBends = 3;
// The radius is met when it is missed by no more than this share.
constexpr double kMet = 1e-9;
constexpr int kMostMultipliers = 60;
// Multipliers that differ by no more than this share of the largest slope are the same.
constexpr double kSame = 1e-9;
// The first step away from a multiplier that is too small, as a share of the largest slope.
constexpr double kFirstStep = 1e-3;

// from + change, but 0 where a sign would turn, or where rounding alone is left.
Vector stopped_at_zero(const Vector& from, const Vector& change, const Vector& signs) {
  constexpr double kRounding = 1e-14;
  Vector to = from + change;
  for (Index k = 0; k < to.size(); ++k)
    if (to[k] * signs[k] <= kRounding * std::abs(from[k])) to[k] = 0;
  return to;
}

// A minimiser, and its slope, at one multiplier.
struct End {
  double multiplier, excess;  // of |z|_1 over the radius
  Vector z, g;
};

// The minimisers nearest to the radius, one from outside the ball and one from inside.
class Ends {
 public:
  void add(End end) {
    End& known = end.excess > 0 ? outside_ : inside_;
    if (std::abs(end.excess) <= std::abs(known.excess)) known = std::move(end);
  }
  // Where entries depend on each other minimisers of one multiplier differ, and all between two of them are as good.
  [[nodiscard]] End nearest(double same) const {
    const bool are_two = outside_.z.size() > 0 && inside_.z.size() > 0;
    if (!are_two || std::abs(inside_.multiplier - outside_.multiplier) > same)
      return outside_.excess <= -inside_.excess ? outside_ : inside_;
    const double share = outside_.excess / (outside_.excess - inside_.excess);
    return {inside_.multiplier, 0, (1 - share) * outside_.z + share * inside_.z,
            (1 - share) * outside_.g + share * inside_.g};
  }

 private:
  End outside_{0, kInfinity, {}, {}}, inside_{0, -kInfinity, {}, {}};
};

}  // namespace

double soft_threshold(double u, double width, bool is_one_sided) {
  if (u > width) return u - width;
  return u < -width && !is_one_sided ? u + width : 0;
}

bool wants_to_move(double slope, double price, bool is_one_sided) {
  constexpr double kBeyond = 1 + 1e-9;
  return (is_one_sided ? -slope : std::abs(slope)) > kBeyond * price;
}

Hold Hold::of(const Set& set) {
  const double alpha = pdbfw::price(set);
  return {alpha, alpha > 0 ? kInfinity : set.radius(), std::isinf(set.dead_zone({}, {}).lower), set.violation({}) > 0};
}

NewtonModel::NewtonModel(Matrix R, Vector g, Vector x, const Hold& hold, double multiplier)
    : R_(std::move(R)), g_(std::move(g)), z_(std::move(x)), hold_(hold), multiplier_(multiplier) {}

void NewtonModel::move(Index entry, double change) {
  z_[entry] += change;
  dense_add_scaled(R_.row(entry).data(), change, g_.data(), g_.size());
  work_ += static_cast<double>(g_.size());
}

// One step for each entry, to its minimiser with all others fixed. Returns the largest change.
double NewtonModel::cycle(const std::vector<Index>& entries, double price) {
  double largest = 0;
  for (const Index a : entries) {
    const double bend = R_(a, a);
    // An entry that does not curve is not worth its price, or has no minimum.
    const double next = bend > 0 ? soft_threshold(z_[a] - g_[a] / bend, price / bend, hold_.is_one_sided)
                        : wants_to_move(g_[a], price, hold_.is_one_sided) ? z_[a]
                                                                          : 0;
    const double change = next - z_[a];
    if (change == 0) continue;
    move(a, change);
    z_[a] = next;
    largest = std::max(largest, std::abs(change) * std::sqrt(bend));
  }
  work_ += static_cast<double>(entries.size());
  return largest;
}

std::vector<Index> NewtonModel::face() const {
  std::vector<Index> out;
  for (Index a = 0; a < z_.size(); ++a)
    if (z_[a] != 0) out.push_back(a);
  return out;
}

bool NewtonModel::factor(const std::vector<Index>& face) {
  if (is_factored_ && face == factored_) return true;
  factored_ = face;
  is_factored_ = false;
  const Matrix part = R_(face, face);
  for (double damping = kDamping; damping <= kMostDamping && !is_factored_; damping *= kMoreDamping) {
    Matrix damped = part;
    damped.diagonal() *= 1 + damping;
    is_factored_ = cholesky_.factor(std::move(damped));
    work_ += std::pow(static_cast<double>(face.size()), 3) / 6;
  }
  return is_factored_;
}

// H times a change of the entries on a face, for all entries.
Vector NewtonModel::image_of(const std::vector<Index>& on, const Vector& change) {
  Vector image = Vector::Zero(g_.size());
  for (Index k = 0; k < change.size(); ++k)
    if (change[k] != 0)
      dense_add_scaled(R_.row(on[static_cast<std::size_t>(k)]).data(), change[k], image.data(), image.size());
  work_ += static_cast<double>(change.size() * g_.size());
  return image;
}

// To the minimum of the face, or as far as the signs last.
void NewtonModel::step_on_face(double price) {
  const std::vector<Index> on = face();
  if (on.empty() || !factor(on)) return;
  const Vector from = z_(on), signs = from.cwiseSign(), slope = g_(on) + price * signs;
  const Vector e = -cholesky_.solve(slope);
  if (!e.allFinite()) return;
  double straight = 1;  // as far as the first sign lasts
  for (Index k = 0; k < e.size(); ++k)
    if ((from[k] + e[k]) * signs[k] < 0) straight = std::min(straight, -from[k] / e[k]);
  // Many entries may want to leave at once, and one at a time would take as many factors: let them, if the model falls.
  double t = 1;
  for (int bend = 0; bend <= kMostBends; ++bend, t /= 2) {
    if (bend == kMostBends || t < straight) t = straight;
    const Vector to = stopped_at_zero(from, t * e, signs), change = to - from, image = image_of(on, change);
    const bool falls = slope.dot(change) + 0.5 * change.dot(image(on)) < 0;
    if (falls) {
      z_(on) = to;
      g_ += image;
    }
    if (falls || t == straight) return;
  }
}

void NewtonModel::minimise_at(double price, Run& run) {
  std::vector<Index> all(static_cast<std::size_t>(z_.size()));
  std::iota(all.begin(), all.end(), Index{0});
  for (int round = 0; round < kMostRounds && run.may_go_on(); ++round) {
    const double change = cycle(all, price);
    if (round == 0) first_ = std::max(first_, change);
    if (!(change > kSolved * first_)) return;
    const std::vector<Index> on = face();
    for (int k = 0; k < kCyclesOnFace; ++k)
      if (!(cycle(on, price) > kSolved * first_)) break;
    step_on_face(price);
  }
}

bool NewtonModel::is_bounded() const {
  for (Index a = 0; a < z_.size(); ++a)
    if (!(R_(a, a) > 0) && wants_to_move(g_[a], multiplier_, hold_.is_one_sided)) return false;
  return true;
}

// How fast |z|_1 falls when the multiplier rises: s'R_FF^-1 s.
double NewtonModel::spread() {
  const std::vector<Index> on = face();
  if (on.empty() || !factor(on)) return 0;
  Vector signs(static_cast<Index>(on.size()));
  for (Index k = 0; k < signs.size(); ++k) signs[k] = z_[on[static_cast<std::size_t>(k)]] > 0 ? 1 : -1;
  return signs.dot(cholesky_.solve(signs));
}

// |z|_1 falls with the multiplier, in a straight line while the face stays: Newton's method inside a bracket. Where
// entries depend on each other |z|_1 may fall at once, and Newton's steps become tiny: then parts of the bracket.
void NewtonModel::minimise(Run& run) {
  if (hold_.price > 0) {
    multiplier_ = hold_.price;
    return minimise_at(hold_.price, run);
  }
  const double steepest = g_.size() == 0 ? 0 : g_.cwiseAbs().maxCoeff();
  if (std::isnan(multiplier_)) multiplier_ = steepest / 2;
  Bracket bracket(!hold_.meets_the_radius, kFirstStep * steepest);
  Ends ends;
  double multiplier = multiplier_;
  for (int t = 0; t < kMostMultipliers && run.may_go_on(); ++t) {
    minimise_at(multiplier, run);
    const double excess = z_.lpNorm<1>() - hold_.radius;
    ends.add({multiplier, excess, z_, g_});
    const bool holds_nothing_back = excess < 0 && multiplier == 0 && !hold_.meets_the_radius;
    if (std::abs(excess) <= kMet * hold_.radius || holds_nothing_back || bracket.width() <= kSame * steepest) break;
    const double next = bracket.next(multiplier, excess, excess / spread());
    if (next == multiplier) break;  // neighbours
    multiplier = next;
  }
  End found = ends.nearest(kSame * steepest);
  if (found.z.size() == 0) return;  // the run has ended before the first one
  multiplier_ = found.multiplier;
  z_ = std::move(found.z);
  g_ = std::move(found.g);
}

}  // namespace pdbfw
