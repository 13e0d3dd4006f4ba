#include "cli/label_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

namespace pdbfw::cli {
namespace {

// The `count` largest, the best first; of equal scores the first label.
std::vector<Index> best(const double* scores, Index columns, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(columns));
  std::iota(order.begin(), order.end(), Index{0});
  const auto end = order.begin() + std::min(columns, count);
  std::partial_sort(order.begin(), end, order.end(),
                    [&](Index a, Index b) { return scores[a] > scores[b] || (scores[a] == scores[b] && a < b); });
  order.erase(end, order.end());
  return order;
}

std::vector<Index> chosen_labels(const double* scores, Index columns, const LabelLines& how) {
  if (how.top) return best(scores, columns, *how.top);
  if (how.has_classes && !how.wants_scores) return best(scores, columns, 1);
  std::vector<Index> labels;
  for (Index j = 0; j < columns; ++j)
    if (how.wants_scores || scores[j] > 0) labels.push_back(j);
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

void require_probabilities(const std::string& loss) {
  if (loss != "multilabel_logistic" && loss != "softmax")
    throw InputError("probabilities", fmt::format("loss {}", loss),
                     "only for the losses logistic, multilabel_logistic and softmax");
}

void make_probabilities(const std::string& loss, Matrix& scores) {
  if (loss == "multilabel_logistic") {
    scores = (1 + (-scores.array()).exp()).inverse().matrix();
    return;
  }
  for (Index i = 0; i < scores.rows(); ++i) {
    auto row = scores.row(i).array();
    row = (row - row.maxCoeff()).exp();
    row /= row.sum();
  }
}

}  // namespace pdbfw::cli
