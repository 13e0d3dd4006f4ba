// Data that looks like text, made from a seed: word frequencies fall as a power of their rank, rows are bags of words
// with damped counts and inverse document frequencies, scaled to unit length, and few words decide the target.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "data/synthetic_chunks.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {
namespace {

// Zipf's law with the usual offset: the frequency of the word of rank r is proportional to (r + kOffset)^-kExponent.
constexpr double kExponent = 1.1;
constexpr double kOffset = 10;
constexpr Index kRowsOfAChunk = 4096;

void check(const Synthetic& s) {
  if (s.rows < 1) throw InputError("rows", fmt::format("{}", s.rows), "an integer >= 1");
  if (s.features < 1 || s.features > std::numeric_limits<std::int32_t>::max())
    throw InputError("features", fmt::format("{}", s.features), "an integer, 1 .. 2^31 - 1");
  if (!(s.row_nonzeros >= 1 && s.row_nonzeros <= static_cast<double>(s.features)))
    throw InputError("row_nonzeros", fmt::format("{}", s.row_nonzeros), "a number, 1 .. features");
  if (s.support < 0 || s.support > s.features)
    throw InputError("support", fmt::format("{}", s.support), "an integer, 0 .. features");
  if (!(s.noise >= 0) || !std::isfinite(s.noise) || (!s.is_regression && s.noise > 0.5))
    throw InputError("noise", fmt::format("{}", s.noise),
                     s.is_regression ? "a finite number >= 0" : "a share of flipped labels, 0 .. 0.5");
}

// Words by rank: how far the frequencies add up, and which feature each one is.
struct Vocabulary {
  std::vector<double> cumulative;
  std::vector<std::int32_t> feature;

  [[nodiscard]] std::size_t draw_rank(Random& random) const {
    const double at = random.uniform() * cumulative.back();
    return static_cast<std::size_t>(std::upper_bound(cumulative.begin(), cumulative.end(), at) - cumulative.begin());
  }
  [[nodiscard]] double frequency(std::size_t rank) const {
    return (cumulative[rank] - (rank > 0 ? cumulative[rank - 1] : 0.0)) / cumulative.back();
  }
};

Vocabulary make_vocabulary(Index features, Random& random) {
  Vocabulary words;
  words.cumulative.resize(static_cast<std::size_t>(features));
  words.feature.resize(static_cast<std::size_t>(features));
  double sum = 0;
  for (std::size_t r = 0; r < words.cumulative.size(); ++r) {
    sum += std::pow(static_cast<double>(r) + kOffset, -kExponent);
    words.cumulative[r] = sum;
  }
  std::iota(words.feature.begin(), words.feature.end(), 0);
  random.shuffle(std::span(words.feature));
  return words;
}

// Words spread evenly over the logarithm of the rank, so that common and rarer ones both matter; signs alternate in
// expectation, sizes vary.
std::vector<double> plant_model(const Synthetic& s, const Vocabulary& words, Random& random) {
  std::vector<double> planted(static_cast<std::size_t>(s.features), 0.0);
  const double last = std::log(static_cast<double>(std::max(s.support, s.features / 10)) + 1);
  std::size_t rank = 0;
  for (Index k = 0; k < s.support; ++k) {
    const double wanted = std::exp(last * static_cast<double>(k + 1) / static_cast<double>(s.support)) - 1;
    rank = std::min(std::max(rank, static_cast<std::size_t>(wanted)), planted.size() - 1);
    const double size = 1 + random.uniform();
    planted[static_cast<std::size_t>(words.feature[rank])] = random.uniform() < 0.5 ? -size : size;
    ++rank;
  }
  return planted;
}

struct Entry {
  std::int32_t feature;
  double value;
};

// (1 + log count) * idf for the words drawn, then unit length.
void draw_row(const Vocabulary& words, double length, Random& random, std::vector<Entry>& row) {
  std::vector<std::size_t> ranks(std::max<std::size_t>(1, static_cast<std::size_t>(length * (0.5 + random.uniform()))));
  for (std::size_t& rank : ranks) rank = words.draw_rank(random);
  std::sort(ranks.begin(), ranks.end());
  row.clear();
  double norm = 0;
  for (std::size_t k = 0; k < ranks.size();) {
    std::size_t end = k;
    while (end < ranks.size() && ranks[end] == ranks[k]) ++end;
    const double idf = std::log(1 + 1 / words.frequency(ranks[k]));
    const double value = (1 + std::log(static_cast<double>(end - k))) * idf;
    row.push_back({words.feature[ranks[k]], value});
    norm += value * value;
    k = end;
  }
  for (Entry& entry : row) entry.value /= std::sqrt(norm);
  std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.feature < b.feature; });
}

// What many rows share, so that each is drawn fast.
struct DrawnFast {
  DrawnFast(const Vocabulary& vocabulary) : words(vocabulary) {
    constexpr std::size_t kBuckets = std::size_t{1} << 20U;
    const double total = words.cumulative.back();
    guide.reserve(kBuckets + 1);
    std::size_t rank = 0;
    for (std::size_t b = 0; b <= kBuckets; ++b) {
      const double at = total * static_cast<double>(b) / kBuckets;
      while (rank + 1 < words.cumulative.size() && words.cumulative[rank] <= at) ++rank;
      guide.push_back(static_cast<std::uint32_t>(rank));
    }
    idf.resize(words.feature.size());
    for (std::size_t r = 0; r < words.feature.size(); ++r)
      idf[static_cast<std::size_t>(words.feature[r])] = static_cast<float>(std::log(1 + 1 / words.frequency(r)));
  }

  [[nodiscard]] std::int32_t draw_feature(Random& random) const {
    const double u = random.uniform();
    const double at = u * words.cumulative.back();
    const auto bucket = static_cast<std::size_t>(u * static_cast<double>(guide.size() - 1));
    const double* const begin = words.cumulative.data() + guide[bucket];
    const double* const end = words.cumulative.data() + guide[bucket + 1];
    return words.feature[static_cast<std::size_t>(std::upper_bound(begin, end, at) - words.cumulative.data())];
  }

  const Vocabulary& words;
  std::vector<std::uint32_t> guide;  // the rank at the beginning of each of many equal pieces of [0, 1)
  std::vector<float> idf;            // by feature
};

// As draw_row, with the features in their order at once.
void draw_row(const DrawnFast& fast, double length, Random& random, std::vector<std::int32_t>& drawn,
              std::vector<Entry>& row) {
  drawn.resize(std::max<std::size_t>(1, static_cast<std::size_t>(length * (0.5 + random.uniform()))));
  for (std::int32_t& feature : drawn) feature = fast.draw_feature(random);
  std::sort(drawn.begin(), drawn.end());
  row.clear();
  double norm = 0;
  for (std::size_t k = 0; k < drawn.size();) {
    std::size_t end = k + 1;
    while (end < drawn.size() && drawn[end] == drawn[k]) ++end;
    const double damped = end - k == 1 ? 1 : 1 + std::log(static_cast<double>(end - k));
    const double value = damped * static_cast<double>(fast.idf[static_cast<std::size_t>(drawn[k])]);
    row.push_back({drawn[k], value});
    norm += value * value;
    k = end;
  }
  const double scale = 1 / std::sqrt(norm);
  for (Entry& entry : row) entry.value *= scale;
}

// Rows that were drawn, with values of one kind.
template <class Value>
struct DrawnRows {
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> at;
  std::vector<Value> value;

  // Gives the score of the row by the planted model.
  double add(const std::vector<Entry>& row, const std::vector<double>& planted) {
    double score = 0;
    for (const Entry& entry : row) {
      at.push_back(entry.feature);
      value.push_back(static_cast<Value>(entry.value));
      score += entry.value * planted[static_cast<std::size_t>(entry.feature)];
    }
    offsets.push_back(static_cast<Index>(at.size()));
    return score;
  }
  [[nodiscard]] MatrixPtr matrix(Index features) {
    const auto rows = static_cast<Index>(offsets.size()) - 1;
    return own_csr(rows, features, std::move(offsets), std::move(at), std::move(value));
  }
};

double draw_target(const Synthetic& s, double score, Random& random) {
  if (s.is_regression) return score + s.noise * random.normal();
  const double label = score > 0 || (score == 0 && random.uniform() < 0.5) ? 1 : -1;
  return random.uniform() < s.noise ? -label : label;
}

}  // namespace

SyntheticDataset generate(const Synthetic& recipe) {
  check(recipe);
  Random random(recipe.seed);
  const Vocabulary words = make_vocabulary(recipe.features, random);
  SyntheticDataset out;
  out.planted = plant_model(recipe, words, random);
  DrawnRows<double> rows;
  std::vector<Entry> row;
  for (Index i = 0; i < recipe.rows; ++i) {
    draw_row(words, recipe.row_nonzeros, random, row);
    out.data.target.push_back(draw_target(recipe, rows.add(row, out.planted), random));
  }
  out.data.A = rows.matrix(recipe.features);
  return out;
}

struct SyntheticChunks::Kept {
  explicit Kept(const Synthetic& wanted) : recipe(wanted), random(wanted.seed) {}

  Synthetic recipe;
  Random random;
  Vocabulary words = make_vocabulary(recipe.features, random);
  std::vector<double> planted = plant_model(recipe, words, random);
  DrawnFast fast{words};
};

SyntheticChunks::SyntheticChunks(const Synthetic& recipe) {
  check(recipe);
  kept_ = std::make_unique<const Kept>(recipe);
}

SyntheticChunks::~SyntheticChunks() = default;

const std::vector<double>& SyntheticChunks::planted() const { return kept_->planted; }

Index SyntheticChunks::count() const { return (kept_->recipe.rows - 1) / kRowsOfAChunk + 1; }

Dataset SyntheticChunks::operator[](Index k) const {
  const Synthetic& recipe = kept_->recipe;
  // Seeds far apart, so that no chunk repeats the numbers of another.
  Random random(Random(recipe.seed ^ Random(static_cast<std::uint64_t>(k)).bits()).bits());
  const Index count = std::min(kRowsOfAChunk, recipe.rows - k * kRowsOfAChunk);
  DrawnRows<float> rows;
  std::vector<std::int32_t> drawn;
  std::vector<Entry> row;
  std::vector<double> target;
  rows.at.reserve(static_cast<std::size_t>(recipe.row_nonzeros * static_cast<double>(count)));
  rows.value.reserve(rows.at.capacity());
  for (Index i = 0; i < count; ++i) {
    draw_row(kept_->fast, recipe.row_nonzeros, random, drawn, row);
    target.push_back(draw_target(recipe, rows.add(row, kept_->planted), random));
  }
  return {rows.matrix(recipe.features), std::move(target)};
}

}  // namespace pdbfw
