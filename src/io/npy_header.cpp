#include "io/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>

#include "io/decimal.hpp"

namespace pdbfw {
namespace {

// As much of Python as the header has: a dictionary of texts, truth values and tuples of whole numbers.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    std::set<std::string> seen;
    expect('{');
    while (!skip('}')) {
      const std::string key = parse_text("a key");
      if (!seen.insert(key).second) fail(fmt::format("the key {} stands twice", pdbfw::in_quotes(key)));
      expect(':');
      if (key == "descr")
        header.type = parse_type();
      else if (key == "fortran_order")
        header.is_fortran = parse_truth();
      else if (key == "shape")
        header.shape = parse_shape();
      else
        fail(fmt::format("the key {} is not known", pdbfw::in_quotes(key)));
      if (!skip(',') && peek() != '}') fail("there is no comma between two keys");
    }
    if (seen.size() != 3) fail("one of the keys 'descr', 'fortran_order' and 'shape' is missing");
    static_cast<void>(peek());
    if (!rest_.empty()) fail("something follows the dictionary");
    return header;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw InputError(fmt::format("{}: the header of the array is broken: {}", name_, what));
  }

  // The next character that is no blank; '\0' at the end.
  char peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size()));
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool skip(char c) {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!skip(c)) fail(fmt::format("no '{}' before {}", c, in_quotes(rest_)));
  }

  std::string parse_text(std::string_view what) {
    const char quote = peek();
    const std::size_t end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail(fmt::format("{} is not {} in quotes", in_quotes(rest_), what));
    const std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string parse_type() {
    if (peek() == '[') throw InputError(fmt::format("{}: a structured array; only plain numbers can be read", name_));
    return parse_text("a type");
  }

  bool parse_truth() {
    static_cast<void>(peek());
    for (const bool truth : {false, true}) {
      const std::string_view word = truth ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return truth;
    }
    fail(fmt::format("'fortran_order' is neither True nor False but {}", in_quotes(rest_)));
  }

  std::vector<Index> parse_shape() {
    constexpr Index kLargest = Index{1} << 48U;  // keeps all products far from 2^63
    constexpr std::size_t kMostDimensions = 32;  // NumPy's own limit
    std::vector<Index> shape;
    expect('(');
    while (!skip(')')) {
      static_cast<void>(peek());
      Index size = -1;
      const auto [stop, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (code != std::errc() || size < 0 || size > kLargest || shape.size() == kMostDimensions)
        fail(fmt::format("{} is no shape of whole numbers", in_quotes(rest_)));
      rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
      skip('L');  // Python 2 wrote long numbers so
      shape.push_back(size);
      if (!skip(',') && peek() != ')') fail(fmt::format("{} is no shape of whole numbers", in_quotes(rest_)));
    }
    return shape;
  }

  std::string_view rest_;
  const std::string& name_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& name) { return HeaderParser(text, name).parse(); }

}  // namespace pdbfw
