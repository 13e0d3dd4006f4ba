// Data from a CSV file; NumPy's, Matrix Market's and MNIST's files are read by the same call (docs/data-formats.md).
#include <filesystem>
#include <fstream>
#include <iostream>
#include <pdbfw/pdbfw.hpp>

int main() {
  const auto path = std::filesystem::temp_directory_path() / "pdbfw-example-weather.csv";
  std::ofstream(path) << "day,wind,rain,label\n1,3.5,0,1\n2,0,12.25,-1\n3,1,0,1\n";

  const pdbfw::Dataset data = pdbfw::read_dataset(path, {.label_column = "label"});

  std::cout << data.A->rows() << " rows, " << data.A->columns() << " features, the last label is " << data.target.back()
            << '\n';
  std::filesystem::remove(path);
  return data.A->columns() == 3 ? 0 : 1;
}
