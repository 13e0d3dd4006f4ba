// Data that are read often: convert them once, and they open at once.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <pdbfw/pdbfw.hpp>

int main() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string path = folder / "pdbfw-example-cache.pdb";
  const pdbfw::Dataset made = pdbfw::generate({.rows = 2'000, .features = 5'000}).data;  // or read_dataset("file.xz")
  pdbfw::write_cache(path, made);

  const pdbfw::Dataset data = pdbfw::read_dataset(path, {.threads = 2});  // mapped, checked, by row and by column
  std::filesystem::remove(path);                                          // the mapping stays

  const pdbfw::Result from_cache = pdbfw::solve(pdbfw::make_problem(data.A, data.target, {.radius = 50}));
  const pdbfw::Result from_memory = pdbfw::solve(pdbfw::make_problem(made.A, made.target, {.radius = 50}));
  std::cout << from_cache.message << '\n';
  return from_cache.x == from_memory.x ? EXIT_SUCCESS : EXIT_FAILURE;  // the same bits
}
