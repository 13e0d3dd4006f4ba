#include "core/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pdbfw {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

// Roundings inside a term, beside the additions.
constexpr double kInsideTerms = 16;

constexpr std::array<std::string_view, 8> kStatuses{"converged", "iteration_limit", "time_limit",  "pass_limit",
                                                    "stalled",   "diverged",        "interrupted", "team_lost"};
static_assert(kStatuses.size() == static_cast<std::size_t>(Status::team_lost) + 1);  // all, in their order

}  // namespace

double unit_of_gap(double primal, double objective_at_zero) {
  return std::max({std::abs(primal), kTinyFraction * objective_at_zero, std::numeric_limits<double>::min()});
}

void compare(Certificate& c, const Rounding& rounding, double objective_at_zero) {
  const double unit = unit_of_gap(c.primal, objective_at_zero);
  if (!std::isfinite(c.dual) || !std::isfinite(rounding.of_gap)) c.dual = -kInfinity;
  if (!std::isfinite(c.primal - c.dual)) {
    c.gap = c.relative_gap = kInfinity;
    return;
  }
  c.gap = std::max(c.primal - c.dual, rounding.of_gap);
  if (c.gap <= kAgreement * unit) c.gap = 0;
  c.relative_gap = c.gap / unit;
  c.dual = std::min(c.dual, c.primal - c.gap);
}

bool is_within(const Rounding& rounding, const Certificate& c) {
  return c.gap <= rounding.of_gap + rounding.out_of_reach;
}

Verdict conclude(const CertificateTerms& t) {
  Verdict verdict;
  Certificate& c = verdict.certificate;
  c.primal = t.loss + t.regulariser;
  c.dual = t.on_set - t.conjugate;
  const double size = 4 * std::abs(t.loss) + std::abs(t.regulariser) + t.size_on_set + 2 * t.size_of_product +
                      std::abs(c.primal - c.dual);
  verdict.rounding.of_gap = kUnit * (kInsideTerms + t.additions) * size + std::abs(t.product + t.at_x);
  verdict.rounding.out_of_reach = t.out_of_reach;
  compare(c, verdict.rounding, t.objective_at_zero);
  return verdict;
}

std::string text_of_gap(double relative_gap, int digits) {
  return relative_gap == 0 ? "0, within rounding" : fmt::format("{:.{}e}", relative_gap, digits);
}

std::string_view to_string(Status status) {
  const auto k = static_cast<std::size_t>(status);
  return k < kStatuses.size() ? kStatuses[k] : "unknown";
}

const std::vector<Status>& statuses() {
  static const std::vector<Status> all = [] {
    std::vector<Status> each;
    for (std::size_t k = 0; k < kStatuses.size(); ++k) each.push_back(static_cast<Status>(k));
    return each;
  }();
  return all;
}

std::optional<Status> to_status(std::string_view name) {
  const auto found = std::find_if(statuses().begin(), statuses().end(), [&](Status s) { return to_string(s) == name; });
  return found == statuses().end() ? std::nullopt : std::optional(*found);
}

}  // namespace pdbfw
