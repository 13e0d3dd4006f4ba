#include "io/model_text.hpp"

#include <algorithm>
#include <cmath>

#include "io/decimal.hpp"

namespace pdbfw {

bool is_model_name(std::string_view name) {
  const auto is_plain = [](char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z'); };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_plain);
}

void check_model_name(std::string_view field, const std::string& name) {
  if (!is_model_name(name)) throw InputError(field, fmt::format("'{}'", name), "small letters, digits and _");
}

void check_model_number(std::string_view field, double number) {
  if (!std::isfinite(number)) throw InputError(field, fmt::format("{}", number), "a finite number");
}

// Infinite gaps are honest, NaN is not.
void check_model_certificate(const Certificate& certificate) {
  const auto check = [](std::string_view field, double number, double infinity) {
    if (!std::isfinite(number) && number != infinity)
      throw InputError(field, fmt::format("{}", number), fmt::format("a finite number or {}", infinity));
  };
  check_model_number("primal", certificate.primal);
  check("dual", certificate.dual, -HUGE_VAL);
  check("gap", certificate.gap, HUGE_VAL);
  check("relative_gap", certificate.relative_gap, HUGE_VAL);
  check_model_number("violation", certificate.violation);
}

void write_training(TextSink& sink, std::optional<Status> status, const std::optional<Certificate>& certificate) {
  if (status) write_line(sink, "status {}", to_string(*status));
  if (!certificate) return;
  write_line(sink, "primal {}", certificate->primal);
  write_line(sink, "dual {}", certificate->dual);
  write_line(sink, "gap {}", certificate->gap);
  write_line(sink, "relative_gap {}", certificate->relative_gap);
  write_line(sink, "violation {}", certificate->violation);
}

}  // namespace pdbfw
