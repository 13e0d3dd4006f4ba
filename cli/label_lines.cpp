#include "cli/label_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <vector>

#include "pdbfw/metrics.hpp"

namespace pdbfw::cli {
namespace {

std::vector<Index> chosen_labels(const double* scores, Index columns, const LabelLines& how) {
  const std::span<const double> row(scores, static_cast<std::size_t>(columns));
  if (how.top) return best_places(row, *how.top);
  if (how.has_classes && !how.wants_scores) return best_places(row, 1);
  std::vector<Index> labels;
  for (Index j = 0; j < columns; ++j)
    if (how.wants_scores || is_positive(scores[j])) labels.push_back(j);
  return labels;
}

}  // namespace

std::string label_lines(const Matrix& scores, const LabelLines& how) {
  std::string lines;
  auto out = std::back_inserter(lines);
  for (Index i = 0; i < scores.rows(); ++i) {
    const double* row = scores.row(i).data();
    const char* separator = "";
    for (const Index j : chosen_labels(row, scores.cols(), how)) {
      const double name = how.names[static_cast<std::size_t>(j)];
      if (how.wants_scores)
        fmt::format_to(out, "{}{}:{}", separator, name, row[j]);
      else
        fmt::format_to(out, "{}{}", separator, name);
      separator = how.wants_scores ? " " : ",";
    }
    lines += '\n';
  }
  return lines;
}

std::string number_lines(const Matrix& scores) {
  std::string lines;
  for (Index i = 0; i < scores.rows(); ++i)
    fmt::format_to(std::back_inserter(lines), "{}\n",
                   fmt::join(scores.row(i).data(), scores.row(i).data() + scores.cols(), " "));
  return lines;
}

}  // namespace pdbfw::cli
