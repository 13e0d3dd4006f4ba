// Splits by drawing from urns: one for every label, with a ball for every row of it; the colour says which part the row
// belongs to. One ball is drawn a row, so the parts come out exactly as large as there are balls, in any order of rows.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {
namespace {

constexpr Index kMostFolds = 1'000;
constexpr std::size_t kMostLabels = 20;  // as for `pdbfw info`: more distinct targets than this are numbers

class Urn {
 public:
  explicit Urn(std::vector<Index> balls) : balls_(std::move(balls)), left_(std::reduce(balls_.begin(), balls_.end())) {}

  [[nodiscard]] bool is_empty() const { return left_ == 0; }

  [[nodiscard]] std::size_t draw(Random& random) {
    auto ball = static_cast<Index>(random.below(static_cast<std::uint64_t>(left_--)));
    std::size_t colour = 0;
    while (ball >= balls_[colour]) ball -= balls_[colour++];
    --balls_[colour];
    return colour;
  }

 private:
  std::vector<Index> balls_;  // by colour
  Index left_;
};

}  // namespace

struct Splitter::State {
  Splitter::Options options;
  Random random;
  Index rows = 0;
  std::map<double, Index> labels{};  // how often each occurs; one more than allowed when there are too many
  std::map<double, Urn> urns{};
  Index test_rows = 0;

  [[nodiscard]] bool is_stratified() const { return options.stratify && labels.size() <= kMostLabels; }
  [[nodiscard]] double urn_of(double target) const { return is_stratified() ? target : 0; }

  // Colours 0 .. folds - 1. Where the rows cannot be shared out evenly, the fold that gets the first one too many is
  // the one after the last that got one: folds then differ by one row at most, all labels together.
  [[nodiscard]] std::vector<Index> shares(Index count, Index& next) const {
    const Index folds = *options.folds;
    std::vector<Index> balls(static_cast<std::size_t>(folds), count / folds);
    for (Index extra = 0; extra < count % folds; ++extra) ++balls[static_cast<std::size_t>(next++ % folds)];
    return balls;
  }

  // Colour 0 is for testing.
  [[nodiscard]] std::vector<Index> fraction(Index count) const {
    const auto test = static_cast<Index>(std::llround(options.test_fraction * static_cast<double>(count)));
    return {test, count - test};
  }

  [[nodiscard]] std::size_t test_colour() const {
    return options.folds ? static_cast<std::size_t>(options.fold - 1) : 0;
  }

  void fill_urns() {
    Index next = 0;
    for (const auto& [label, count] : is_stratified() ? labels : std::map<double, Index>{{0.0, rows}}) {
      std::vector<Index> balls = options.folds ? shares(count, next) : fraction(count);
      test_rows += balls[test_colour()];
      urns.emplace(label, Urn(std::move(balls)));
    }
    if (test_rows == 0 || test_rows == rows)
      throw InputError("DATA", fmt::format("{} rows, {} of them to test", rows, test_rows),
                       "so many rows that there are some to train and some to test");
  }
};

void Splitter::validate(const Options& options) {
  if (!(options.test_fraction > 0 && options.test_fraction < 1))
    throw InputError("test_fraction", fmt::format("{}", options.test_fraction), "a number > 0 and < 1");
  if (!options.folds) return;
  if (*options.folds < 2 || *options.folds > kMostFolds)
    throw InputError("folds", fmt::format("{}", *options.folds), fmt::format("an integer, 2 .. {}", kMostFolds));
  if (options.fold < 1 || options.fold > *options.folds)
    throw InputError("fold", fmt::format("{}", options.fold), fmt::format("an integer, 1 .. {}", *options.folds));
}

Splitter::Splitter(const Splitter::Options& options)
    : state_(std::make_unique<State>(State{options, Random(options.seed)})) {
  validate(options);
}

Splitter::~Splitter() = default;

void Splitter::count(double target) {
  ++state_->rows;
  if (state_->labels.size() <= kMostLabels) ++state_->labels[target];
}

bool Splitter::is_test(double target) {
  if (state_->urns.empty()) state_->fill_urns();
  const auto at = state_->urns.find(state_->urn_of(target));
  if (at == state_->urns.end() || at->second.is_empty())
    throw InputError("DATA", "a row that was not there before", "data that do not change meanwhile");
  return at->second.draw(state_->random) == state_->test_colour();
}

bool Splitter::is_stratified() const { return state_->is_stratified(); }
Index Splitter::rows() const { return state_->rows; }
Index Splitter::test_rows() const { return state_->test_rows; }

}  // namespace pdbfw
