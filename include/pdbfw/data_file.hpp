// Data files: LIBSVM's text format, plain or compressed (docs/data-file.md), and cache files, which open at once
// (docs/cache-file.md).
//
//   target index:value index:value ...   # comment
//
// Indices start at 1 and ascend; blank lines, comments, CRLF and a missing last newline are fine; `qid:k` is skipped.
// gzip, bzip2, xz, zstd and cache files are recognised by their first bytes, whatever the name. "-" is standard input.
#pragma once

#include <string>

#include "pdbfw/dataset.hpp"

namespace pdbfw {

struct ReadOptions {
  int threads = 1;
  bool float32 = false;    // keep values as float32 (half the memory traffic); sums are always double
  Index min_features = 0;  // make the matrix at least this wide
};

// Throws InputError "file:line:column: what is wrong" for anything that is not in the format, and for files that cannot
// be opened, are empty, or end in the middle of their compressed stream.
//
// A cache file is mapped into memory and the data set keeps the mapping: nobody may write into the file, or cut it,
// meanwhile (replacing it is fine). Its values stay float32 if that is what it holds. Throws InputError "file: what is
// wrong" for a cache file that is damaged or breaks a rule.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// Writes LIBSVM's format, every number so that it reads back exactly; to a temporary name, then renamed. "-" is
// standard output.
void write_dataset(const std::string& path, const Dataset& data);

// Writes a cache file, with the matrix by row and by column (built if need be); to a temporary name, then renamed.
void write_cache(const std::string& path, const Dataset& data);

}  // namespace pdbfw
