// From samples to a model file with its proof, in one call each: learn, write, predict, prove again.
#include <filesystem>
#include <iostream>
#include <pdbfw/pdbfw.hpp>

int main() {
  const pdbfw::Dataset made = pdbfw::generate({.rows = 2'000, .features = 5'000}).data;
  const pdbfw::Samples samples{.A = made.A, .target = made.target};  // or read_samples("file")
  const std::string path = std::filesystem::temp_directory_path() / "pdbfw-example-fit.model";

  // A loss of two classes: with more of them in the targets, each would be learnt against the rest.
  const pdbfw::Formulation formulation{.loss = "smooth_hinge", .radius = 50, .intercept = true};
  const pdbfw::Fitted fitted = pdbfw::fit(samples, formulation, {.settings = {.tol = 1e-6}});
  pdbfw::write_model(path, fitted.model);
  std::cout << fitted.outcomes.front().message << "; accuracy " << fitted.measures.accuracy << " on these data, "
            << fitted.size.nonzeros << " of " << fitted.size.entries << " features\n";

  // Any program with the same samples can prove it again, from the file alone.
  const pdbfw::Model model = pdbfw::read_model(path);
  const pdbfw::Proven proven = pdbfw::certify(samples, model, model.formulation).front();
  std::cout << "proven again: relative duality gap " << proven.certificate.relative_gap << ", "
            << (pdbfw::is_in_set(proven.certificate, model.formulation.radius) ? "in" : "outside") << " the set\n";

  // A smaller radius begins where this one ended.
  pdbfw::Formulation smaller = formulation;
  smaller.radius = 40;
  const pdbfw::Fitted next = pdbfw::fit(samples, smaller, {.settings = {.tol = 1e-6}, .start = &model});
  std::cout << "radius 40: " << next.outcomes.front().message << '\n';

  std::filesystem::remove(path);
  return fitted.has_converged && next.has_converged && proven.certificate.relative_gap <= 1e-6 ? 0 : 1;
}
