// A complex signal of length 8 from 64 intensities: its phase is found, but for the one that no intensity can tell.
#include <iostream>
#include <pdbfw/low_rank_data.hpp>
#include <pdbfw/recovery.hpp>

int main() {
  const pdbfw::GeneratedPhase made = pdbfw::generate_phase(
      {.size = 8, .measurements = 64, .signal = pdbfw::SignalKind::complex, .is_measured_complex = true});
  const std::span<const double> b(made.intensity.data(), static_cast<std::size_t>(made.intensity.size()));

  const pdbfw::Measurements m = pdbfw::phase_measurements(made.a, pdbfw::SignalKind::complex);
  const pdbfw::PhaseRetrieval found = pdbfw::retrieve_phase(m, b);

  const double error = pdbfw::relative_error(found.x, made.truth);
  std::cout << found.explanation.result.message << "\nmisfit " << found.explanation.misfit
            << ", relative error of the signal, its phase resolved: " << error << '\n';
  return error < 1e-4 ? 0 : 1;
}
