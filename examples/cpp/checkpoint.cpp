// A run that is stopped, and another one that goes on from where it was: from a file, which could have been written
// yesterday.
#include <cstdio>
#include <iostream>
#include <pdbfw/pdbfw.hpp>
#include <string>

int main() {
  const std::string file = "example.checkpoint";
  const pdbfw::Dataset data = pdbfw::generate({.rows = 2'000, .features = 5'000}).data;
  const pdbfw::Problem problem = pdbfw::make_problem(data.A, data.target, {.radius = 50});
  const pdbfw::DataFingerprint whose = pdbfw::fingerprint(*problem.A, problem.loss->targets());

  // Kept after every iteration, because this run is short; 60 seconds is more like it.
  pdbfw::Settings settings{.tol = 1e-8, .max_iterations = 3};
  settings.checkpoints = {0, [&](const pdbfw::Start& point, const pdbfw::TracePoint& now) {
                            pdbfw::write_checkpoint(file, {.data = whose, .now = now, .point = point});
                          }};
  std::cout << pdbfw::solve(problem, settings).message << '\n';

  const pdbfw::Checkpoint kept = pdbfw::read_checkpoint(file);
  kept.data.require_same(whose);
  std::cout << "resumed after " << kept.now.iteration << " iterations\n";
  const pdbfw::Result result = pdbfw::solve(problem, {.tol = 1e-8}, {}, kept.point);
  std::cout << result.message << '\n';
  std::remove(file.c_str());
  return result.status == pdbfw::Status::converged ? 0 : 1;
}
