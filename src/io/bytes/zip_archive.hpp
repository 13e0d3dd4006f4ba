// The members of a zip archive that is in memory: stored or deflated, also beyond 4 GiB (zip64). Enough for .npz files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/input.hpp"

namespace pdbfw {

// By the first bytes of a file.
[[nodiscard]] bool is_zip(std::string_view head);

class ZipArchive {
 public:
  // Throws InputError that begins with `name` when the directory of the archive is broken.
  ZipArchive(LoadedFile file, std::string name);

  [[nodiscard]] bool has(const std::string& member) const { return members_.contains(member); }

  // A member's content, which ends with an InputError when its size or checksum is not what the directory says. The
  // archive must outlive the source. Throws InputError when there is no such member or it cannot be unpacked.
  [[nodiscard]] std::unique_ptr<ByteSource> open(const std::string& member) const;

 private:
  struct Member {
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t checksum = 0;
    std::uint64_t packed_bytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t header = 0;  // where its local header begins
  };
  [[nodiscard]] std::string_view part(std::uint64_t begin, std::uint64_t size) const;
  [[nodiscard]] std::size_t find_end_record() const;
  void read_directory();
  static void widen(Member& member, std::string_view extra);

  LoadedFile file_;
  std::string name_;
  std::map<std::string, Member> members_;
};

}  // namespace pdbfw
