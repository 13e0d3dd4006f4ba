// The slow and obvious reader of valid LIBSVM text, to compare the fast one with.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace pdbfw::reference {

struct Row {
  double target = 0;
  std::vector<std::pair<std::int64_t, double>> entries;  // 0-based index, value
  bool operator==(const Row&) const = default;
};

// std::stod rounds correctly, in the C locale that tests run in.
inline std::vector<Row> read_libsvm(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word)) continue;
    Row row{std::stod(word), {}};
    while (words >> word) {
      const std::size_t colon = word.find(':');
      if (word.substr(0, colon) != "qid")
        row.entries.emplace_back(std::stoll(word.substr(0, colon)) - 1, std::stod(word.substr(colon + 1)));
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace pdbfw::reference
