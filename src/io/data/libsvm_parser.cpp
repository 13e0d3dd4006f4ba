#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>
#include <utility>

#include "io/bytes/text.hpp"
#include "io/data/libsvm_file.hpp"

namespace pdbfw {
namespace {

// Leaves the block at its first mistake; parse_libsvm_block turns the place into a line and a column.
struct Fault {
  const char* at;
  std::string message;
  bool has_several_labels = false;
};

std::string_view word_at(const char* p) {
  const char* end = p;
  while (!ends_word(*end)) ++end;
  return {p, static_cast<std::size_t>(end - p)};
}

const char* skip_blanks(const char* p) {
  while (*p == ' ' || *p == '\t' || *p == '\r') ++p;
  return p;
}

bool ends_content(char c) { return c == '\n' || c == '#'; }

class BlockParser {
 public:
  BlockParser(const LibsvmRules& rules, LibsvmPiece& piece, std::size_t most_entries)
      : rules_(rules), piece_(piece), at_(piece.at.extend(most_entries)), value_(piece.value.extend(most_entries)) {}

  // Reads the line at p and says where the next one starts.
  const char* parse_line(const char* p) {
    p = skip_blanks(p);
    if (!ends_content(*p)) {
      p = rules_.is_multilabel ? parse_labels(p) : parse_target(p);
      p = parse_entries(p);
      piece_.offsets.push_back(entries_);
    }
    while (*p != '\n') ++p;
    return p + 1;
  }

  [[nodiscard]] Index entries() const { return entries_; }

 private:
  const char* parse_target(const char* p);
  const char* parse_labels(const char* word);
  const char* parse_entries(const char* p);
  const char* parse_value(const char* p, double& value) const;
  [[nodiscard]] std::uint64_t parse_index(const char* p, std::string_view word, std::uint64_t last) const;

  const LibsvmRules& rules_;
  LibsvmPiece& piece_;
  Index* at_;
  double* value_;
  Index entries_ = 0;
};

const char* BlockParser::parse_target(const char* p) {
  if (!rules_.needs_target && word_at(p).find(':') != std::string_view::npos) {
    piece_.target.push_back(0);
    return p;
  }
  double target = 0;
  const char* end = parse_short_decimal(p, target);
  if (end == nullptr) {
    const std::string_view word = word_at(p);
    if (word.find(',') != word.npos)
      throw Fault{p, fmt::format("target {}: several labels, which only multilabel losses take", in_quotes(word)),
                  true};
    const NumberFault fault = parse_number(word, target);
    if (fault != NumberFault::none) throw Fault{p, "target " + describe(fault, word)};
    end = p + word.size();
  }
  piece_.target.push_back(target);
  return end;
}

// The label that begins at p, a whole number, and where it ends.
std::pair<Index, const char*> parse_label(const char* p) {
  const char* end = p;
  while (*end != ',' && !ends_word(*end)) ++end;
  const std::string_view text(p, static_cast<std::size_t>(end - p));
  Index label = 0;
  const auto [stop, code] = std::from_chars(p, end, label);
  if (code == std::errc() && stop == end && is_digit(*p)) return {label, end};
  if (text.empty()) throw Fault{p, "a label is missing: labels are separated by single commas"};
  if (std::all_of(text.begin(), text.end(), is_digit))
    throw Fault{p, fmt::format("label {} is above 2^63 - 1", in_quotes(text))};
  throw Fault{p, fmt::format("label {} is not a whole number from 0 up", in_quotes(text))};
}

// A set, so that not even a line of nothing but labels takes long.
[[noreturn]] void throw_repeated_label(const char* p) {
  std::set<Index> seen;
  for (;; ++p) {
    const auto [label, end] = parse_label(p);
    if (!seen.insert(label).second) throw Fault{p, fmt::format("label {} is repeated", label)};
    p = end;
  }
}

// 3,17,40; a row that begins with its first entry has no label.
const char* BlockParser::parse_labels(const char* const word) {
  const char* p = word;
  if (word_at(word).find(':') == std::string_view::npos) {
    const std::size_t before = piece_.label.size();
    for (;; ++p) {
      const auto [label, end] = parse_label(p);
      piece_.label.push_back(label);
      p = end;
      if (*p != ',') break;
    }
    Index* const first = piece_.label.data() + before;
    Index* const last = piece_.label.data() + piece_.label.size();
    std::sort(first, last);
    if (std::adjacent_find(first, last) != last) throw_repeated_label(word);
  }
  piece_.label_end.push_back(static_cast<Index>(piece_.label.size()));
  piece_.target.push_back(0);
  return p;
}

// The hot loop: index:value index:value ...
const char* BlockParser::parse_entries(const char* p) {
  constexpr std::ptrdiff_t kMostDigits = 18;  // fit 63 bits
  const auto most_features = static_cast<std::uint64_t>(rules_.most_features);
  std::uint64_t last = 0;
  Index k = entries_;
  for (p = skip_blanks(p); !ends_content(*p); p = skip_blanks(p)) {
    const char* const word = p;
    std::uint64_t index = 0;
    while (is_digit(*p)) index = index * 10 + static_cast<std::uint64_t>(*p++ - '0');
    if (*p != ':' || p - word > kMostDigits || index <= last || index > most_features) [[unlikely]] {
      const std::string_view whole = word_at(word);
      if (whole.starts_with("qid:")) {
        p = word + whole.size();
        continue;
      }
      index = parse_index(word, whole, last);
      p = word + whole.find(':');
    }
    p = parse_value(p + 1, value_[k]);
    at_[k++] = static_cast<Index>(index - 1);
    last = index;
  }
  entries_ = k;
  piece_.features = std::max(piece_.features, static_cast<Index>(last));
  return p;
}

const char* BlockParser::parse_value(const char* p, double& value) const {
  if (const char* const end = parse_short_decimal(p, value)) [[likely]]
    return end;
  const std::string_view word = word_at(p);
  // Short decimals stay below 2^53: only these can be too large for a float.
  const NumberFault fault = parse_number(word, value, rules_.float32);
  if (fault != NumberFault::none) throw Fault{p, "value " + describe(fault, word)};
  return p + word.size();
}

// For an index that the hot loop does not take: says what is wrong, unless it only has many leading zeros.
std::uint64_t BlockParser::parse_index(const char* p, std::string_view word, std::uint64_t last) const {
  const std::size_t colon = word.find(':');
  if (colon == word.npos) throw Fault{p, fmt::format("{} has no colon: entries are index:value", in_quotes(word))};
  const std::string_view text = word.substr(0, colon);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit))
    throw Fault{p, fmt::format("index {} is not a whole number", in_quotes(text))};
  const std::string_view significant = digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
  if (significant.empty() || text.starts_with('-'))
    throw Fault{p, fmt::format("index {} is below 1: indices start at 1", in_quotes(text))};
  constexpr std::string_view kLargest = "9223372036854775807";
  if (significant.size() > kLargest.size() || (significant.size() == kLargest.size() && significant > kLargest))
    throw Fault{p, fmt::format("index {} is above 2^63 - 1", in_quotes(text))};
  std::uint64_t index = 0;
  for (const char c : significant) index = index * 10 + static_cast<std::uint64_t>(c - '0');
  if (index == last) throw Fault{p, fmt::format("index {} is repeated", index)};
  if (index < last) throw Fault{p, fmt::format("index {} after {}: indices must ascend", index, last)};
  if (index > static_cast<std::uint64_t>(rules_.most_features))
    throw Fault{p, fmt::format("index {}: weights for so many features do not fit into this machine's memory", index)};
  return index;
}

}  // namespace

void parse_libsvm_block(std::string_view text, const LibsvmRules& rules, LibsvmPiece& piece) {
  clear(piece);
  piece.lines = 0;
  piece.fault.reset();
  piece.label.resize_down(0);
  piece.label_end.resize_down(0);
  // Every entry has a colon: no need to look for the end of the arrays in the hot loop.
  BlockParser parser(rules, piece, static_cast<std::size_t>(std::count(text.begin(), text.end(), ':')));
  const char* line = text.data();
  try {
    for (const char* const end = line + text.size(); line != end; ++piece.lines) line = parser.parse_line(line);
  } catch (Fault& fault) {
    piece.fault = TextFault{piece.lines + 1, fault.at - line + 1, std::move(fault.message), fault.has_several_labels};
  }
  piece.at.resize_down(static_cast<std::size_t>(parser.entries()));
  piece.value.resize_down(static_cast<std::size_t>(parser.entries()));
}

}  // namespace pdbfw
