// Random binning: draw the grids, name the bins of the training rows, find them again for any rows.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "data/learners.hpp"
#include "data/made_rows.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {
namespace {

constexpr Index kMostGrids = 100'000;
constexpr Index kMostFeatures = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kUnknown = -1;

RandomBinning::Bin operator+(const RandomBinning::Bin& a, const RandomBinning::Bin& b) {
  return {a.high + b.high, a.low + b.low};
}
RandomBinning::Bin operator-(const RandomBinning::Bin& a, const RandomBinning::Bin& b) {
  return {a.high - b.high, a.low - b.low};
}

// Gives the bin of a row. Its hash is a sum over the columns of a hash of (column, interval), so entries that are 0
// need not be looked at: the sum starts from the bin of the row of zeros, and sparse and dense rows get the same hash.
class BinFinder {
 public:
  explicit BinFinder(const RandomBinning::Grid& grid) {
    columns_.reserve(grid.pitch.size());
    for (std::size_t j = 0; j < grid.pitch.size(); ++j) {
      Random keys(j);
      Column column{.pitch = grid.pitch[j], .shift = grid.shift[j], .key = {keys.bits(), keys.bits()}, .zero = {}};
      column.zero = hash(column, 0);
      zeros_ = zeros_ + column.zero;
      columns_.push_back(column);
    }
  }

  template <class Line>
  [[nodiscard]] RandomBinning::Bin operator()(const Line& line) const {
    RandomBinning::Bin sum = zeros_;
    for_each_nonzero(line, static_cast<Index>(columns_.size()), [&](Index j, double value) {
      const Column& column = columns_[static_cast<std::size_t>(j)];
      sum = sum + (hash(column, value) - column.zero);
    });
    return sum;
  }

 private:
  struct Column {
    double pitch, shift;
    RandomBinning::Bin key;   // makes equal intervals of different columns differ
    RandomBinning::Bin zero;  // of the interval that 0 lies in
  };

  // SplitMix64's mixing maps one to one, so two intervals of one column never share a hash.
  static RandomBinning::Bin hash(const Column& column, double value) {
    const std::uint64_t interval = number_of_interval((value - column.shift) / column.pitch);
    return {Random(column.key.high + interval).bits(), Random(column.key.low + interval).bits()};
  }

  // floor(q), as bits. A double beyond 2^52 is whole already and may not fit an integer: its own bits name it.
  static std::uint64_t number_of_interval(double q) {
    constexpr double kWholeFrom = 0x1.0p52;
    if (!(std::abs(q) < kWholeFrom)) return std::bit_cast<std::uint64_t>(q);
    const auto towards_zero = static_cast<std::int64_t>(q);
    return static_cast<std::uint64_t>(towards_zero - (static_cast<double>(towards_zero) > q ? 1 : 0));
  }

  std::vector<Column> columns_;
  RandomBinning::Bin zeros_;
};

// Gamma of shape 2 is the sum of two exponentials. The limits only matter to columns of absurd scale.
void draw_column(double unit, Random& random, RandomBinning::Grid& grid) {
  const double exponentials = -std::log(1 - random.uniform()) - std::log(1 - random.uniform());
  const double pitch =
      std::clamp(unit * exponentials, std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
  grid.pitch.push_back(pitch);
  grid.shift.push_back(pitch * random.uniform());
}

// One stream for all grids: a map of fewer grids is the beginning of one of more.
std::vector<RandomBinning::Grid> draw_grids(Index count, double gamma, std::span<const double> scale,
                                            std::uint64_t seed) {
  Random random(seed);
  std::vector<RandomBinning::Grid> grids(static_cast<std::size_t>(count));
  for (RandomBinning::Grid& grid : grids)
    for (const double column_scale : scale) draw_column(column_scale / gamma, random, grid);
  return grids;
}

std::vector<RandomBinning::Bin> bins_of_rows(const RandomBinning::Grid& grid, const DataMatrix& A) {
  const BinFinder find(grid);
  std::unordered_set<RandomBinning::Bin> seen;
  std::vector<RandomBinning::Bin> bins;
  for_each_row(A, [&](Index, const auto& row) {
    const RandomBinning::Bin bin = find(row);
    if (seen.insert(bin).second) bins.push_back(bin);
  });
  return bins;
}

// The feature of every row in one grid, whose features start at `first`.
std::vector<std::int32_t> features_of_rows(const RandomBinning::Grid& grid, Index first, const DataMatrix& A) {
  const BinFinder find(grid);
  std::unordered_map<RandomBinning::Bin, std::int32_t> numbers;
  numbers.reserve(grid.bins.size());
  for (const RandomBinning::Bin& bin : grid.bins)
    numbers.try_emplace(bin, static_cast<std::int32_t>(first + static_cast<Index>(numbers.size())));
  std::vector<std::int32_t> features;
  features.reserve(static_cast<std::size_t>(A.rows()));
  for_each_row(A, [&](Index, const auto& row) {
    const auto at = numbers.find(find(row));
    features.push_back(at == numbers.end() ? kUnknown : at->second);
  });
  return features;
}

Index count_bins(const DataMatrix& A, const std::vector<RandomBinning::Grid>& grids, int threads) {
  std::vector<std::size_t> counts(grids.size());
  parallel_for(threads, static_cast<Index>(grids.size()), [&](Index shard) {
    const auto g = static_cast<std::size_t>(shard);
    counts[g] = bins_of_rows(grids[g], A).size();
  });
  return static_cast<Index>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
}

// The gamma for which there are about `features` bins. Their number grows with gamma, up to little steps: all pitches
// shrink alike. Bins are counted in a few grids first, because grids are alike and the count of one costs a pass over
// the data; then in all of them, from where that led to.
class GammaSearch {
 public:
  GammaSearch(const DataMatrix& A, std::span<const double> scale, const RandomBinningOptions& options)
      : A_(A), scale_(scale), options_(options), best_(1 / median_distance(A, scale)) {}

  [[nodiscard]] double find() {
    constexpr Index kFewGrids = 8;
    constexpr double kFarApart = 4, kNear = 1.1;
    bisect(std::min(kFewGrids, options_.grids), kFarApart);
    if (options_.grids > kFewGrids) bisect(options_.grids, kNear);
    constexpr double kFarOff = 0.1;
    if (error_ > kFarOff)
      throw InputError(
          "features", fmt::format("{}", *options_.features),
          fmt::format("near what {} grids can give on these data; the nearest found is {}", options_.grids, nearest_));
    return best_;
  }

 private:
  // From the best gamma so far: first in steps of a factor until the wanted number lies between, then by halves.
  void bisect(Index grids, double factor) {
    error_ = std::numeric_limits<double>::infinity();
    double low = 0, high = std::numeric_limits<double>::infinity();
    constexpr int kMostTries = 40;
    constexpr double kNearEnough = 0.01, kLeast = 1e-300, kMost = 1e300;
    double gamma = best_;
    for (int tries = 0; tries < kMostTries && error_ > kNearEnough; ++tries) {
      (count(grids, gamma) < wanted(grids) ? low : high) = gamma;
      gamma = low == 0 ? high / factor : std::isinf(high) ? low * factor : std::sqrt(low) * std::sqrt(high);
      if (gamma < kLeast || gamma > kMost) return;
    }
  }

  // Remembers the gamma that came nearest.
  Index count(Index grids, double gamma) {
    const Index bins = count_bins(A_, draw_grids(grids, gamma, scale_, options_.seed), options_.threads);
    const double error = std::abs(static_cast<double>(bins - wanted(grids))) / static_cast<double>(wanted(grids));
    if (error < error_) {
      error_ = error;
      best_ = gamma;
      nearest_ = bins;
    }
    return bins;
  }

  [[nodiscard]] Index wanted(Index grids) const {
    const double share = static_cast<double>(grids) / static_cast<double>(options_.grids);
    return std::max(grids, static_cast<Index>(std::llround(static_cast<double>(*options_.features) * share)));
  }

  const DataMatrix& A_;
  std::span<const double> scale_;
  const RandomBinningOptions& options_;
  double best_;
  double error_ = 0;   // relative, of the best
  Index nearest_ = 0;  // bins of the best
};

void check_features(Index features) {
  if (features > kMostFeatures)
    throw InputError("grids", fmt::format("{} bins in all", features), "at most 2^31 - 1 bins; take fewer grids");
}

void check_grid(const RandomBinning::Grid& grid, Index columns) {
  if (static_cast<Index>(grid.pitch.size()) != columns || static_cast<Index>(grid.shift.size()) != columns)
    throw InputError("grids", fmt::format("{} pitches and {} shifts", grid.pitch.size(), grid.shift.size()),
                     fmt::format("one of each for each of the {} columns", columns));
  for (std::size_t j = 0; j < grid.pitch.size(); ++j)
    if (!(std::isfinite(grid.pitch[j]) && grid.shift[j] >= 0 && grid.shift[j] < grid.pitch[j]))
      throw InputError("grids", fmt::format("pitch {}, shift {}", grid.pitch[j], grid.shift[j]),
                       "finite numbers, 0 <= shift < pitch");
  if (std::unordered_set<RandomBinning::Bin>(grid.bins.begin(), grid.bins.end()).size() != grid.bins.size())
    throw InputError("grids", "a bin that stands twice", "every bin of a grid once");
}

}  // namespace

Index RandomBinning::features() const {
  Index sum = 0;
  for (const RandomBinning::Grid& grid : grids) sum += static_cast<Index>(grid.bins.size());
  return sum;
}

void validate(const RandomBinningOptions& options) {
  if (options.grids < 1 || options.grids > kMostGrids)
    throw InputError("grids", fmt::format("{}", options.grids), fmt::format("an integer, 1 .. {}", kMostGrids));
  if (options.gamma && !(*options.gamma > 0 && std::isfinite(*options.gamma)))
    throw InputError("gamma", fmt::format("{}", *options.gamma), "a finite number > 0, or auto");
  if (!options.features) return;
  if (options.gamma) throw InputError("features", fmt::format("{} with a gamma", *options.features), "one of the two");
  if (*options.features < options.grids || *options.features > kMostFeatures)
    throw InputError("features", fmt::format("{}", *options.features),
                     fmt::format("from one a grid, here {}, to {}", options.grids, kMostFeatures));
}

void validate(const RandomBinning& map) {
  if (!(map.gamma > 0 && std::isfinite(map.gamma)))
    throw InputError("gamma", fmt::format("{}", map.gamma), "a finite number > 0");
  if (map.grids.empty()) throw InputError("grids", "0", "at least one grid");
  for (const RandomBinning::Grid& grid : map.grids) check_grid(grid, map.columns);
  check_features(map.features());
}

MatrixPtr RandomBinning::apply(const DataMatrix& A, int threads) const {
  validate(*this);
  std::vector<Index> first{0};
  for (const RandomBinning::Grid& grid : grids) first.push_back(first.back() + static_cast<Index>(grid.bins.size()));
  static_cast<void>(A.by_row());  // built by one thread, if at all

  std::vector<std::vector<std::int32_t>> feature(grids.size());
  parallel_for(threads, static_cast<Index>(grids.size()), [&](Index shard) {
    const auto g = static_cast<std::size_t>(shard);
    feature[g] = features_of_rows(grids[g], first[g], A);
  });

  std::vector<Index> offsets{0};
  std::vector<std::int32_t> at;
  const auto rows = static_cast<std::size_t>(A.rows());
  offsets.reserve(rows + 1);
  at.reserve(rows * grids.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (const std::vector<std::int32_t>& of_grid : feature)
      if (of_grid[i] != kUnknown) at.push_back(of_grid[i]);
    offsets.push_back(static_cast<Index>(at.size()));
  }
  std::vector<double> value(at.size(), 1 / std::sqrt(static_cast<double>(grids.size())));
  return own_csr(A.rows(), features(), std::move(offsets), std::move(at), std::move(value));
}

RandomBinning RandomBinning::learn(const DataMatrix& A, const RandomBinningOptions& options) {
  validate(options);
  if (A.rows() < 1) throw InputError("rows", "0", "at least one row to learn from");
  const auto columns = static_cast<std::size_t>(A.columns());
  const std::vector<double> scale = options.scale ? standard_deviations(A) : std::vector<double>(columns, 1.0);
  RandomBinning map;
  static_cast<void>(A.by_row());  // built by one thread, if at all
  if (options.gamma)
    map.gamma = *options.gamma;
  else if (options.features)
    map.gamma = GammaSearch(A, scale, options).find();
  else
    map.gamma = 1 / median_distance(A, scale);
  map.columns = A.columns();
  map.grids = draw_grids(options.grids, map.gamma, scale, options.seed);
  parallel_for(options.threads, options.grids, [&](Index shard) {
    RandomBinning::Grid& grid = map.grids[static_cast<std::size_t>(shard)];
    grid.bins = bins_of_rows(grid, A);
  });
  check_features(map.features());
  return map;
}

}  // namespace pdbfw
