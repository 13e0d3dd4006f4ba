// The end of every certificate: from the sums that P and D are made of to a gap that counts their rounding. All judges
// end here.                                                                                                  [M2c]
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/result.hpp"

namespace pdbfw {

// As computed, with w = A x (and what free columns add to it) and u = -A'y / n.
struct CertificateTerms {
  double loss = 0;             // (1/n) sum_i f_i(w_i)
  double regulariser = 0;      // g(x), and what else P has
  double conjugate = 0;        // (1/n) sum_i f_i*(y_i)
  double on_set = 0;           // min_{x in C} g(x) - <u, x>, or a lower bound
  double size_on_set = 0;      // the sum of the absolute values of its terms
  double product = 0;          // (1/n) <w, y>
  double size_of_product = 0;  // (1/n) sum_i |w_i y_i|
  double at_x = 0;             // <u, x>, which is -(1/n) <w, y> but for the rounding of w and u
  double additions = 0;        // in which a term takes part at most
  double out_of_reach = 0;     // what `on_set` was lowered by because rounding allows no better proof
  double objective_at_zero = 0;
};

struct Rounding {
  double of_gap = 0;        // the true P - D may exceed the computed one by this much
  double out_of_reach = 0;  // and no D can be proven that is better by this much
};

struct Verdict {
  Certificate certificate;  // its violation is the judge's business
  Rounding rounding;
};

[[nodiscard]] Verdict conclude(const CertificateTerms& terms);

// The gaps of two values. No gap is below its rounding, so D is lowered where it must be; a gap that is no larger than
// kAgreement of the objective is 0. P - D can be negative by rounding only. Infinite where the values are no numbers.
void compare(Certificate& certificate, const Rounding& rounding, double objective_at_zero);
// Nothing is left of the gap but rounding.
[[nodiscard]] bool is_within(const Rounding& rounding, const Certificate& certificate);

// Values that agree to this share of the objective agree.
inline constexpr double kAgreement = 1e-13;

// What a gap is relative to: |P|, or a tiny share of P(0) where that is more.
[[nodiscard]] double unit_of_gap(double primal, double objective_at_zero);

// A relative gap in words: "9.02e-08", or "0, within rounding".
[[nodiscard]] std::string text_of_gap(double relative_gap, int digits = 2);

// All statuses, in their order; and the one of this name, if there is one.
[[nodiscard]] const std::vector<Status>& statuses();
[[nodiscard]] std::optional<Status> to_status(std::string_view name);

}  // namespace pdbfw
