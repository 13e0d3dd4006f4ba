#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <set>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/machine_memory.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/text.hpp"
#include "io/data/npy_reader.hpp"

namespace pdbfw {
namespace {

// "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"; as much of Python as that has: a dictionary of texts,
// truth values and tuples of whole numbers.
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

constexpr std::string_view kMagic = "\x93NUMPY";

// "<f8" is the byte order, the kind and the size of the elements (of a character for the kind U).
struct ElementType {
  char order = '|';
  char kind = '?';
  std::size_t bytes = 0;
};

ElementType element_type(const NpyHeader& header, const std::string& name) {
  const std::string_view text = header.type;
  const std::string_view digits = text.substr(std::min<std::size_t>(2, text.size()));
  constexpr std::size_t kMostDigits = 4;
  if (digits.empty() || digits.size() > kMostDigits || !std::all_of(digits.begin(), digits.end(), is_digit))
    fail(name, fmt::format("elements of the type {}, which are no numbers", pdbfw::in_quotes(text)));
  ElementType type{text[0], text[1], 0};
  for (const char c : digits) type.bytes = type.bytes * 10 + static_cast<std::size_t>(c - '0');
  constexpr std::size_t kBytesOfACharacter = 4;
  if (type.kind == 'U') type.bytes *= kBytesOfACharacter;
  return type;
}

// Reads up to the elements and says how many bytes these are.
std::size_t read_header(ExactReader& reader, NpyArray& array) {
  constexpr std::size_t kVersionBytes = 2;
  constexpr std::size_t kShortLength = 2, kLongLength = 4;
  if (!is_npy(reader.take(kMagic.size()))) fail(array.name, "does not begin like a .npy file");
  const int version = reader.take(kVersionBytes)[0];
  if (version < 1 || version > 3) fail(array.name, fmt::format("version {} of the .npy format is not known", version));
  const std::size_t length = little_endian(reader.take(version == 1 ? kShortLength : kLongLength));
  if (length > ExactReader::kMostTaken) fail(array.name, fmt::format("a header of {} bytes", length));
  array.header = HeaderParser(reader.take(length), array.name).parse();
  const std::size_t width = element_type(array.header, array.name).bytes;
  double elements = 1;
  for (const Index size : array.header.shape) elements *= static_cast<double>(size);
  constexpr double kMostElements = 0x1p48;
  // Without elements any sizes will do; their product can then be infinity times 0.
  if (array.is_empty()) return 0;
  if (elements > kMostElements) fail(array.name, fmt::format("the shape {} is too large", array.shape_text()));
  return static_cast<std::size_t>(elements) * width;
}

template <class T>
T swapped(T value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

template <class To, class From>
To converted(const NpyArray& array, std::size_t k, From value) {
  if constexpr (std::is_integral_v<To>) {
    if (!std::in_range<To>(value))
      fail(array.name, fmt::format("element {} is {}, beyond {} bits", k, value, 8 * sizeof(To)));
  }
  return static_cast<To>(value);
}

template <class To, class From>
Numbers<To> numbers_from(const NpyArray& array, bool is_swapped) {
  const auto size = static_cast<std::size_t>(array.size());
  if constexpr (std::is_same_v<To, From>) {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(array.bytes.data()) % alignof(To) == 0;
    if (is_aligned && !is_swapped) return {{reinterpret_cast<const To*>(array.bytes.data()), size}, array.storage};
  }
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    fail(array.name,
         fmt::format("elements of the type {}; these must be whole numbers", pdbfw::in_quotes(array.header.type)));
  } else {
    GrowingArray<To> out;
    To* const to = out.extend(size);
    for (std::size_t k = 0; k < size; ++k) {
      From value{};
      std::memcpy(&value, array.bytes.data() + k * sizeof(From), sizeof(From));
      to[k] = converted<To>(array, k, is_swapped ? swapped(value) : value);
    }
    const auto storage = std::make_shared<const GrowingArray<To>>(std::move(out));
    return {storage->view(), storage};
  }
}

}  // namespace

bool is_npy(std::string_view head) { return head.starts_with(kMagic); }

bool NpyArray::is_empty() const { return std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end(); }

Index NpyArray::size() const {
  if (is_empty()) return 0;  // else the other sizes could overflow
  Index count = 1;
  for (const Index size : header.shape) count *= size;
  return count;
}

std::string NpyArray::shape_text() const {
  return fmt::format("({}{})", fmt::join(header.shape, ", "), header.shape.size() == 1 ? "," : "");
}

NpyArray read_npy_array(ByteSource& source, const std::string& name) {
  ExactReader reader(source, name);
  NpyArray array;
  array.name = name;
  const std::size_t bytes = read_header(reader, array);
  if (bytes > static_cast<std::size_t>(machine_memory_bytes()))
    fail(name, fmt::format("the shape {} does not fit into this machine's memory", array.shape_text()));
  const auto storage = std::make_shared<const GrowingArray<char>>(reader.take_all(bytes));
  reader.expect_end();
  array.bytes = std::as_bytes(storage->view());
  array.storage = storage;
  return array;
}

NpyArray open_npy_array(const LoadedFile& file, const std::string& name) {
  const auto text = std::string_view(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  MemorySource source(text);
  ExactReader reader(source, name);
  NpyArray array;
  array.name = name;
  const std::size_t bytes = read_header(reader, array);
  const std::size_t begin = reader.taken();
  if (file.bytes.size() - begin != bytes)
    fail(name, fmt::format("{} bytes of elements, but the shape {} of {} has {}{}", file.bytes.size() - begin,
                           array.shape_text(), pdbfw::in_quotes(array.header.type), bytes,
                           file.bytes.size() - begin < bytes ? " (truncated file?)" : ""));
  array.bytes = file.bytes.subspan(begin);
  array.storage = file.storage;
  return array;
}

template <class T>
Numbers<T> numbers(const NpyArray& array) {
  const auto [order, kind, bytes] = element_type(array.header, array.name);
  const bool is_swapped = order == '>' && bytes > 1;
  const std::string code = fmt::format("{}{}", kind, bytes);
  if (code == "f8") return numbers_from<T, double>(array, is_swapped);
  if (code == "f4") return numbers_from<T, float>(array, is_swapped);
  if (code == "i8") return numbers_from<T, std::int64_t>(array, is_swapped);
  if (code == "i4") return numbers_from<T, std::int32_t>(array, is_swapped);
  if (code == "i2") return numbers_from<T, std::int16_t>(array, is_swapped);
  if (code == "i1") return numbers_from<T, std::int8_t>(array, is_swapped);
  if (code == "u8") return numbers_from<T, std::uint64_t>(array, is_swapped);
  if (code == "u4") return numbers_from<T, std::uint32_t>(array, is_swapped);
  if (code == "u2") return numbers_from<T, std::uint16_t>(array, is_swapped);
  if (code == "u1" || code == "b1") return numbers_from<T, std::uint8_t>(array, is_swapped);
  fail(array.name, fmt::format("elements of the type {}; float32, float64, whole numbers of 8 to 64 bits and bool can "
                               "be read",
                               pdbfw::in_quotes(array.header.type)));
}

template Numbers<double> numbers<double>(const NpyArray&);
template Numbers<float> numbers<float>(const NpyArray&);
template Numbers<std::int64_t> numbers<std::int64_t>(const NpyArray&);
template Numbers<std::int32_t> numbers<std::int32_t>(const NpyArray&);

bool has_type(const NpyArray& array, std::string_view code) {
  return array.header.type.size() == code.size() + 1 && array.header.type.ends_with(code);
}

std::string npy_text(const NpyArray& array) {
  const auto [order, kind, bytes] = element_type(array.header, array.name);
  if (array.size() != 1 || (kind != 'S' && kind != 'U'))
    fail(array.name, fmt::format("not one text but elements of the type {} and the shape {}",
                                 pdbfw::in_quotes(array.header.type), array.shape_text()));
  // U has characters of four bytes: this takes the letters and leaves the zeros.
  std::string text;
  for (const std::byte byte : array.bytes)
    if (byte != std::byte{0}) text += static_cast<char>(byte);
  return text;
}

std::vector<double> npy_labels(const NpyArray& array) {
  const std::vector<Index>& shape = array.header.shape;
  const bool is_column = shape.size() == 2 && shape[1] == 1;
  if (shape.size() != 1 && !is_column)
    fail(array.name, fmt::format("the shape {}; labels have one dimension", array.shape_text()));
  const Numbers<double> labels = numbers<double>(array);
  return {labels.view.begin(), labels.view.end()};
}

}  // namespace pdbfw
