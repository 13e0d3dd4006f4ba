// Bytes of idx, .npy and .npz files, put together the obvious way.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/compress.hpp"
#include "io/loaded.hpp"

namespace pdbfw::test {

// The bytes of a number, the last first for big-endian.
template <class T>
std::string bytes_of(T number, bool is_big_endian = false) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &number, sizeof(T));
  return is_big_endian ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

template <class T>
std::string idx_bytes(char type, const std::vector<std::uint32_t>& sizes, const std::vector<T>& elements) {
  std::string bytes{'\0', '\0', type, static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) bytes += bytes_of(size, true);
  for (const T element : elements) bytes += bytes_of(element, true);
  return bytes;
}

// Version 1 has two bytes for the length of the header, the others four.
inline std::string npy_with_header(const std::string& header, const std::string& elements, char version = 1) {
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  bytes += version == 1 ? bytes_of(static_cast<std::uint16_t>(header.size()))
                        : bytes_of(static_cast<std::uint32_t>(header.size()));
  return bytes + header + elements;
}

template <class T>
std::string npy_bytes(const std::string& type, const std::string& shape, const std::vector<T>& elements,
                      bool is_fortran = false, char version = 1) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, is_fortran ? "True" : "False", shape);
  constexpr std::size_t kAlignment = 64, kBefore = 10;
  header += std::string(kAlignment - (header.size() + kBefore + 1) % kAlignment, ' ') + '\n';
  std::string data;
  for (const T element : elements) data += bytes_of(element, type[0] == '>');
  return npy_with_header(header, data, version);
}

inline std::string npy_text_bytes(const std::string& text) {
  return npy_with_header(fmt::format("{{'descr': '|S{}', 'fortran_order': False, 'shape': (), }}", text.size()), text);
}

using Members = std::vector<std::pair<std::string, std::string>>;

inline std::string zip_bytes(const Members& members, bool is_deflated = false) {
  const auto n16 = [](std::size_t number) { return bytes_of(static_cast<std::uint16_t>(number)); };
  const auto n32 = [](std::size_t number) { return bytes_of(static_cast<std::uint32_t>(number)); };
  std::string archive, directory;
  for (const auto& [name, content] : members) {
    const std::string packed = is_deflated ? deflated(content) : content;
    const auto checksum =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<unsigned>(content.size()));
    const std::string common = n16(20) + n16(0) + n16(is_deflated ? 8 : 0) + n32(0) + n32(checksum) +
                               n32(packed.size()) + n32(content.size()) + n16(name.size()) + n16(0);
    directory += "PK\x01\x02" + n16(20) + common + n16(0) + n16(0) + n16(0) + n32(0) + n32(archive.size()) + name;
    archive += "PK\x03\x04" + common + name + packed;
  }
  return archive + directory + "PK\x05\x06" + n32(0) + n16(members.size()) + n16(members.size()) +
         n32(directory.size()) + n32(archive.size()) + n16(0);
}

}  // namespace pdbfw::test
