// Data with any number of labels per row, and how good scores are for them (docs/data-file.md).
#include <filesystem>
#include <fstream>
#include <iostream>
#include <pdbfw/pdbfw.hpp>
#include <vector>

int main() {
  const auto path = std::filesystem::temp_directory_path() / "pdbfw-example-topics.txt";
  std::ofstream(path) << "3,17,40 1:0.5 7:2\n40 2:1\n2:0.25 7:1\n";

  const pdbfw::MultilabelDataset data = pdbfw::read_multilabel(path);
  const std::vector<double> scores{1,  2,  0.5,  // of the labels 3, 17, 40 for the first row
                                   -1, -1, 1,   -1, 1, -1};
  const pdbfw::LabelMetrics metrics = pdbfw::label_metrics({scores, 3}, data.labels);

  std::cout << data.ids.size() << " labels, micro F1 " << metrics.micro_f1 << ", macro F1 " << metrics.macro_f1
            << ", precision@1 " << pdbfw::precision_at(1, {scores, 3}, data.labels) << '\n';
  std::filesystem::remove(path);
  return metrics.micro_f1 > 0.88 && metrics.micro_f1 < 0.89 ? 0 : 1;  // 2 * 4 / (2 * 4 + 1)
}
