#include "io/npy_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/machine_memory.hpp"
#include "io/decimal.hpp"
#include "io/exact_reader.hpp"
#include "io/file_fault.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

std::size_t little_endian(std::string_view bytes) {
  std::size_t number = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) number = number << 8U | static_cast<unsigned char>(bytes[k]);
  return number;
}

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
  array.header = parse_npy_header(reader.take(length), array.name);
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
  // Of the characters of four bytes that U has, this takes the letters and leaves the zeros.
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
