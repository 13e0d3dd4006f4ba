// Polynomial features: all products of two or three entries of a row, each with its own number or hashed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.hpp"
#include "data/learners.hpp"
#include "data/made_rows.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {
namespace {

constexpr int kMostHashBits = 30;
constexpr Index kMostProducts = Index{1} << 25U;  // of a row
constexpr double kMostFeatures = 0x1.0p62;

// How many products i <= j (<= k) of `degree` out of `size` things there are: size (size + 1) ... / degree!
double count_products(int degree, double size) {
  return degree == 2 ? size * (size + 1) / 2 : size * (size + 1) * (size + 2) / 6;
}

Index pairs_below(Index j) { return j * (j + 1) / 2; }

// Not j (j + 1) (j + 2) / 6 at once: the product may not fit where the quotient does.
Index triples_below(Index k) {
  const Index pairs = pairs_below(k);
  return pairs % 3 == 0 ? pairs / 3 * (k + 2) : (k + 2) / 3 * pairs;
}

// z: sqrt(gamma) a, with sqrt(coef0) in front unless it is 0.
template <class Line>
MadeRow scaled_row(const Polynomial& options, const Line& line) {
  MadeRow z;
  const Index first = options.coef0 > 0 ? 1 : 0;
  if (first == 1) z.push_back({0, std::sqrt(options.coef0)});
  const double root = std::sqrt(options.gamma);
  for_each_nonzero(line, [&](Index j, double value) { z.push_back({first + j, root * value}); });
  return z;
}

// Calls visit({i, j} or {i, j, k}, value) for every product, in the order of the features.
template <class Visit>
void for_each_pair(const MadeRow& z, const Visit& visit) {
  for (std::size_t j = 0; j < z.size(); ++j)
    for (std::size_t i = 0; i <= j; ++i)
      visit(std::array{z[i].at, z[j].at}, (i == j ? 1 : std::sqrt(2.0)) * z[i].value * z[j].value);
}

template <class Visit>
void for_each_triple(const MadeRow& z, const Visit& visit) {
  const std::array<double, 4> root_of_orders = {std::sqrt(6.0), std::sqrt(3.0), 0, 1};  // by how many pairs are equal
  for (std::size_t k = 0; k < z.size(); ++k)
    for (std::size_t j = 0; j <= k; ++j)
      for (std::size_t i = 0; i <= j; ++i) {
        const int equal = static_cast<int>(i == j) + static_cast<int>(j == k) + static_cast<int>(i == k);
        visit(std::array{z[i].at, z[j].at, z[k].at},
              root_of_orders[static_cast<std::size_t>(equal)] * z[i].value * z[j].value * z[k].value);
      }
}

template <class Visit>
void for_each_product(int degree, const MadeRow& z, const Visit& visit) {
  if (degree == 2)
    for_each_pair(z, visit);
  else
    for_each_triple(z, visit);
}

Index number_of(const std::array<Index, 2>& product) { return pairs_below(product[1]) + product[0]; }
Index number_of(const std::array<Index, 3>& product) {
  return triples_below(product[2]) + pairs_below(product[1]) + product[0];
}

template <std::size_t degree>
std::uint64_t hash(const std::array<Index, degree>& product, std::uint64_t seed) {
  std::uint64_t bits = Random(seed).bits();
  for (const Index i : product) bits = Random(bits + static_cast<std::uint64_t>(i)).bits();
  return bits;
}

// Products that share a feature are summed, each with a sign of its own, so that strangers cancel on average.
MadeRow hashed(const Polynomial& options, const MadeRow& z) {
  const std::uint64_t mask = (std::uint64_t{1} << static_cast<unsigned>(*options.hash_bits)) - 1;
  MadeRow entries;
  for_each_product(options.degree, z, [&](const auto& product, double value) {
    const std::uint64_t bits = hash(product, options.seed);
    entries.push_back({static_cast<Index>(bits & mask), (bits >> 63U) == 0 ? value : -value});
  });
  std::stable_sort(entries.begin(), entries.end(), [](const MadeEntry& a, const MadeEntry& b) { return a.at < b.at; });
  std::size_t last = 0;
  for (std::size_t k = 1; k < entries.size(); ++k) {
    if (entries[k].at == entries[last].at)
      entries[last].value += entries[k].value;
    else
      entries[++last] = entries[k];
  }
  if (!entries.empty()) entries.resize(last + 1);
  return entries;
}

MadeRow exact(const Polynomial& options, const MadeRow& z) {
  MadeRow entries;
  for_each_product(options.degree, z, [&](const auto& product, double value) {
    entries.push_back({number_of(product), value});
  });
  return entries;
}

template <class Line>
MadeRow made_row(const Polynomial& options, const Line& line) {
  const MadeRow z = scaled_row(options, line);
  if (count_products(options.degree, static_cast<double>(z.size())) > static_cast<double>(kMostProducts))
    throw InputError("degree", fmt::format("{} for a row of {} non-zeros", options.degree, line.size),
                     fmt::format("at most {} products a row", kMostProducts));
  MadeRow entries = options.hash_bits ? hashed(options, z) : exact(options, z);
  // Sums can cancel, and products of small numbers can be too small for a double.
  std::erase_if(entries, [](const MadeEntry& entry) { return entry.value == 0; });
  for (const MadeEntry& entry : entries)
    if (!std::isfinite(entry.value))
      throw InputError("data", "a row with a product beyond the largest double",
                       "values of ordinary size; scale the columns first");
  return entries;
}

}  // namespace

void validate(const Polynomial& options) {
  if (options.degree != 2 && options.degree != 3)
    throw InputError("degree", fmt::format("{}", options.degree), "2 or 3");
  if (!(options.gamma > 0 && std::isfinite(options.gamma)))
    throw InputError("gamma", fmt::format("{}", options.gamma), "a finite number > 0");
  if (!(options.coef0 >= 0 && std::isfinite(options.coef0)))
    throw InputError("coef0", fmt::format("{}", options.coef0), "a finite number >= 0");
  if (options.hash_bits && (*options.hash_bits < 1 || *options.hash_bits > kMostHashBits))
    throw InputError("hash", fmt::format("{}", *options.hash_bits),
                     fmt::format("a number of bits, 1 .. {}", kMostHashBits));
}

Index Polynomial::features(Index columns) const {
  validate(*this);
  if (hash_bits) return Index{1} << static_cast<unsigned>(*hash_bits);
  const Index variables = columns + (coef0 > 0 ? 1 : 0);
  if (count_products(degree, static_cast<double>(variables)) >= kMostFeatures)
    throw InputError("degree", fmt::format("{} for {} columns", degree, columns),
                     "at most 2^62 features; hash them into fewer");
  return degree == 2 ? pairs_below(variables) : triples_below(variables);
}

MatrixPtr Polynomial::apply(const DataMatrix& A, int threads) const {
  const Index columns = features(A.columns());
  constexpr Index kRowsOfAPiece = 16;
  return made_rows(A, columns, kRowsOfAPiece, threads, [this](const auto& row) { return made_row(*this, row); });
}

}  // namespace pdbfw
