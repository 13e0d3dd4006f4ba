#include "outcome.hpp"

#include <string>

#include "arrays.hpp"

namespace nb = nanobind;

namespace pdbfw::python {
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

}  // namespace

nb::dict certificate_to_dict(const Certificate& certificate) {
  nb::dict d;
  d["primal"] = certificate.primal;
  d["dual"] = certificate.dual;
  d["gap"] = certificate.gap;
  d["relative_gap"] = certificate.relative_gap;
  d["violation"] = certificate.violation;
  return d;
}

nb::dict progress_to_dict(const Progress& progress) {
  nb::dict d;
  for_each_field([&](const char* name, auto field) { d[name] = progress.now.*field; });
  d["seconds_left"] = progress.seconds_left;
  return d;
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

}  // namespace pdbfw::python
