#include "exchange.hpp"

#include <array>
#include <string>
#include <utility>

namespace pdbfw::python {

Request request_of(const nb::dict& options) {
  Request request;
  for (const auto [name, value] : options) {
    const Field& known = field(nb::cast<const char*>(name));
    if (value.is_none()) continue;
    // Python writes a float with as many digits as bring the same bits back. NumPy's numbers are turned into Python's
    // before.
    known.set(request, nb::str(value).c_str());
  }
  return request;
}

Formulation formulation_of(const Request& request, const nb::dict& arrays, const DataMatrix& A) {
  Formulation formulation = request.formulation;
  for (const auto& [name, slot] :
       {std::pair{"sample_weight", &formulation.sample_weight}, std::pair{"ridge_scale", &formulation.ridge_scale},
        std::pair{"penalty_weight", &formulation.penalty_weight}})
    if (arrays.contains(name)) *slot = as_vector(nb::cast<Numbers>(arrays[name]));
  if (arrays.contains("free_features"))
    formulation.free_features = as_vector(nb::cast<Integers>(arrays["free_features"]));
  for (const Index j : formulation.free_features)
    if (j < 0 || j >= A.columns())
      throw InputError("free_features", std::to_string(j), "features from 0 to " + std::to_string(A.columns() - 1));
  if (arrays.contains("atoms")) formulation.atoms = nb::cast<const BorrowedMatrix&>(arrays["atoms"]).A;
  return formulation;
}

namespace {

nb::str text(std::string_view view) { return nb::str(view.data(), view.size()); }

template <class T>
nb::object column(const std::vector<TracePoint>& trace, T TracePoint::*field) {
  // std::vector<bool> has no memory to hand over.
  using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
  std::vector<Stored> values;
  values.reserve(trace.size());
  for (const TracePoint& point : trace) values.push_back(static_cast<Stored>(point.*field));
  return to_array(std::move(values));
}

// One visit for the trace's columns and for a callback's row.
template <class Put>
void for_each_field(Put put) {
  put("iteration", &TracePoint::iteration);
  put("seconds", &TracePoint::seconds);
  put("data_passes", &TracePoint::data_passes);
  put("multiply_adds", &TracePoint::multiply_adds);
  put("primal", &TracePoint::primal);
  put("dual", &TracePoint::dual);
  put("gap", &TracePoint::gap);
  put("relative_gap", &TracePoint::relative_gap);
  put("nonzeros", &TracePoint::nonzeros);
  put("is_certified", &TracePoint::is_certified);
}

nb::dict progress_to_dict(const Progress& progress) {
  nb::dict d;
  for_each_field([&](const char* name, auto field) { d[name] = progress.now.*field; });
  d["seconds_left"] = progress.seconds_left;
  return d;
}

constexpr std::array<std::pair<const char*, double Certificate::*>, 5> kCertificate{
    {{"primal", &Certificate::primal},
     {"dual", &Certificate::dual},
     {"gap", &Certificate::gap},
     {"relative_gap", &Certificate::relative_gap},
     {"violation", &Certificate::violation}}};

}  // namespace

nb::dict certificate_to_dict(const Certificate& certificate) {
  nb::dict d;
  for (const auto& [name, field] : kCertificate) d[name] = certificate.*field;
  return d;
}

Certificate certificate_from(const nb::dict& given) {
  Certificate certificate;
  for (const auto& [name, field] : kCertificate) certificate.*field = nb::cast<double>(given[name]);
  return certificate;
}

nb::dict outcome_to_dict(const Outcome& outcome) {
  nb::dict work, trace, d;
  work["iterations"] = outcome.work.iterations;
  work["oracle_calls"] = outcome.work.oracle_calls;
  work["multiply_adds"] = outcome.work.multiply_adds;
  work["data_passes"] = outcome.work.data_passes;
  for_each_field([&](const char* name, auto field) { trace[name] = column(outcome.trace, field); });
  d["multiplier"] = outcome.multiplier;
  d["status"] = text(to_string(outcome.status));
  d["message"] = text(outcome.message);
  d["solver"] = text(outcome.solver);
  d["certificate"] = certificate_to_dict(outcome.certificate);
  d["work"] = work;
  d["seconds"] = outcome.seconds;
  d["trace"] = trace;
  return d;
}

nb::dict low_rank_to_dict(low_rank::Result& result) {
  nb::dict d = outcome_to_dict(result);
  const Factors& X = result.X;
  d["factors"] = nb::make_tuple(to_table(X.U), to_table(X.s), to_table(X.V));
  d["y"] = to_table(std::move(result.Y));
  return d;
}

bool Watch::go_on(const Progress& progress) {
  if (has_raised_) return false;
  // Often enough for a person at the keyboard, too seldom to be felt in the time of a solve.
  constexpr double kSecondsBetweenLooks = 0.05;
  const bool is_due = since_look_.seconds() >= kSecondsBetweenLooks;
  if (!is_due && callable_.is_none()) return true;

  const nb::gil_scoped_acquire held;
  if (is_due) {
    since_look_ = {};
    if (PyErr_CheckSignals() != 0) {
      has_raised_ = true;
      return false;
    }
  }
  if (callable_.is_none()) return true;
  try {
    const nb::object answer = callable_(progress_to_dict(progress));
    // A function that returns nothing only watches.
    return answer.is_none() || nb::cast<bool>(nb::bool_(answer));
  } catch (nb::python_error& error) {
    error.restore();
    has_raised_ = true;
    return false;
  }
}

}  // namespace pdbfw::python
