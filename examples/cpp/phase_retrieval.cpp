// A complex signal of length 8 from 64 intensities: its phase is found, but for the one that no intensity can tell.
#include <iostream>
#include <pdbfw/recovery.hpp>
#include <random>

int main() {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  const auto draw = [&] { return std::complex<double>(normal(generator), normal(generator)); };
  const pdbfw::ComplexVector truth = pdbfw::ComplexVector::NullaryExpr(8, draw);
  const pdbfw::ComplexMatrix a = pdbfw::ComplexMatrix::NullaryExpr(64, 8, draw);
  const pdbfw::Vector b = (a.conjugate() * truth).cwiseAbs2();  // the intensities |a_i* x|^2

  const pdbfw::Measurements m = pdbfw::phase_measurements(a, pdbfw::SignalKind::complex);
  const pdbfw::PhaseRetrieval found = pdbfw::retrieve_phase(m, {b.data(), 64});

  const double error = pdbfw::relative_error(found.x, truth);
  std::cout << found.explanation.result.message << "\nmisfit " << found.explanation.misfit
            << ", relative error of the signal, its phase resolved: " << error << '\n';
  return error < 1e-4 ? 0 : 1;
}
