#include "io/data/data_format.hpp"

#include <array>
#include <utility>

#include "io/bytes/zip_archive.hpp"
#include "io/data/idx_reader.hpp"
#include "io/data/matrix_market_reader.hpp"
#include "io/data/npy_array.hpp"

namespace pdbfw {
namespace {

// A file that is called so but does not begin so is refused by the reader for the name, which says why.
constexpr std::array<std::pair<std::string_view, DataFormat>, 5> kEndings = {{{".csv", DataFormat::csv},
                                                                              {".tsv", DataFormat::csv},
                                                                              {".mtx", DataFormat::matrix_market},
                                                                              {".npy", DataFormat::npy},
                                                                              {".npz", DataFormat::npz}}};

}  // namespace

DataFormat recognise_format(std::string_view head, std::string_view path) {
  if (head.starts_with(kCacheMagic)) return DataFormat::cache;
  if (is_npy(head)) return DataFormat::npy;
  if (is_zip(head)) return DataFormat::npz;
  if (is_idx(head)) return DataFormat::idx;
  if (is_matrix_market(head)) return DataFormat::matrix_market;
  for (const std::string_view packed : {".gz", ".bz2", ".xz", ".zst", ".zstd"})
    if (path.ends_with(packed)) {
      path.remove_suffix(packed.size());
      break;
    }
  for (const auto& [ending, format] : kEndings)
    if (path.ends_with(ending)) return format;
  return DataFormat::libsvm;
}

}  // namespace pdbfw
