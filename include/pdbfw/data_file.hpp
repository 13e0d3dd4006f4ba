// Data files: LIBSVM's text format (docs/data-file.md), cache files, which open at once (docs/cache-file.md), and CSV,
// MNIST's idx, Matrix Market and NumPy's .npy and .npz (docs/data-formats.md), all plain or compressed.
//
//   target index:value index:value ...   # comment
//
// gzip, bzip2, xz and zstd are recognised by their first bytes, whatever the name, and so are all formats but CSV and
// LIBSVM's: of other text, what is called .csv or .tsv is CSV. "-" is standard input.
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/dataset.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

enum class DataFormat { automatic, libsvm, cache, csv, idx, matrix_market, npy, npz };

struct ReadOptions {
  enum class Header { automatic, yes, no };
  // Rows first .. last - 1, counted from 0.
  struct RowRange {
    Index first = 0;
    Index last = 0;
  };

  int threads = 1;
  bool float32 = false;    // keep values as float32 (half the memory traffic); sums are always double
  Index min_features = 0;  // make the matrix at least this wide

  DataFormat format = DataFormat::automatic;  // by the first bytes, then by the name
  // A file with the target of every row, for data that hold none: one number per line, .npy or idx. Empty: none is
  // given; for MNIST's images it is then found by their name.
  std::string labels{};
  std::string label_column{};                      // CSV: a name, or a number from 1, or from -1 backwards; empty: 1
  Header header = Header::automatic;               // CSV: whether the first line holds names
  std::optional<std::array<double, 2>> classes{};  // keep the rows with these two targets, as -1 and +1
  // False: rows of LIBSVM's format may begin with their first entry, as atoms do, and formats that hold no targets need
  // no file of them; the targets are then 0.
  bool needs_targets = true;
  // Only these rows; at least one. Of a cache file in blocks no others are read; other files are read whole first.
  std::optional<RowRange> rows{};
  Index memory = 0;  // open_streamed: how many bytes this process may use; 0: what machine and limits allow
};

// Throws InputError "file:line:column: what is wrong" for text that is not in its format, "file: what is wrong" for
// other formats, and for files that cannot be opened, are empty, or end in the middle of their compressed stream.
//
// Plain cache files and plain .npy files of floats are mapped into memory and the data set keeps the mapping: no
// program may write into the file, or cut it, meanwhile (replacing it is fine). Values that are float32 in the file
// stay so.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// LIBSVM's format with any number of labels per row, whole numbers from 0 up in any order, none twice:
//
//   3,17,40 index:value index:value ...
//
// A row that begins with its first entry has no label. Throws InputError for files in other formats, for data without
// any label (unless needs_targets is false), and as read_dataset does. `labels`, `classes` and the options of CSV must
// not be set.
[[nodiscard]] MultilabelDataset read_multilabel(const std::string& path, const ReadOptions& options = {});

// Writes LIBSVM's format, every number so that it reads back exactly; to a temporary name, then renamed. "-" is
// standard output.
void write_dataset(const std::string& path, const Dataset& data);

// Data larger than memory: cache files in blocks of rows (docs/cache-file.md, version 2), which read_dataset loads into
// memory like any other and open_streamed leaves on the disk.

// A data set whose matrix is streamed: the targets are in memory, the rows are read from the file in every pass over
// them, by a thread that is a block ahead, and the checksum of every block is looked at every time. Memory for two
// blocks (16 MiB each, unless one row is longer), whatever the size. Of the options, threads, min_features, format,
// rows and memory have an effect. Throws InputError for files that are none in blocks or damaged; visits of the matrix
// throw DataLost.
[[nodiscard]] Dataset open_streamed(const std::string& path, const ReadOptions& options = {});

// Writes a cache file in blocks of what is in memory or streamed.
void write_blocks(const std::string& path, const Dataset& data);

inline constexpr Index kLeastMemory = Index{64} << 20U;

// The same from data files, one after the other, in no more than this number of bytes of memory, at least kLeastMemory.
// LIBSVM's text, plain or compressed, is read in pieces, cache files in blocks are streamed; what can only be read
// whole must fit, or InputError is thrown. Values that are all exact in float32 are kept so.
void write_blocks(const std::string& path, const std::vector<std::string>& data, const ReadOptions& options,
                  Index memory);

// Writes a cache file, with the matrix by row and by column (built if need be); to a temporary name, then renamed.
void write_cache(const std::string& path, const Dataset& data);

// Vectors, matrices and stacks of matrices in NumPy's .npy files, plain or compressed; real or complex numbers.
//
//   const pdbfw::NumberArray b = pdbfw::read_npy("b.npy");
//   pdbfw::write_npy("U.npy", {X.U.data(), static_cast<std::size_t>(X.U.size())}, {X.U.rows(), X.U.cols()});

// The last index runs fastest (C order), whatever the file had.
struct NumberArray {
  std::vector<Index> shape;  // one to three sizes, none of them 0
  bool is_complex = false;
  std::vector<double> real;
  std::vector<double> imaginary;  // none unless is_complex
};

// float32, float64, complex64, complex128, bool and whole numbers of 8 to 64 bits, in both byte orders, C or Fortran
// order. Throws InputError "file: what is wrong": other elements, no elements or more than three dimensions, NaN or
// infinity (with its place), a file that is cut or broken.
[[nodiscard]] NumberArray read_npy(const std::string& path);

// float64 and complex128, in C order; to a temporary name, then renamed. "-" is standard output. Throws InputError when
// the sizes do not multiply to the number of values.
void write_npy(const std::string& path, std::span<const double> values, const std::vector<Index>& shape);
void write_npy(const std::string& path, std::span<const std::complex<double>> values, const std::vector<Index>& shape);

// Ratings: some entries of a matrix, a line each, for matrix completion (docs/data-formats.md). Plain or compressed,
// "-" is standard input.
//
//   row column value              ann,"Toy Story",4.5
//
// Text whose lines have three fields, with tabs, semicolons, commas or blanks between them, or a Matrix Market file.

// What the rows, or the columns, are called.
struct Ids {
  Index count = 0;
  std::vector<std::string> names;  // in order of first appearance; none: the numbers 1 .. count

  [[nodiscard]] bool are_numbers() const { return names.empty(); }
  [[nodiscard]] std::string name(Index i) const;  // of 0 .. count - 1
};

struct Ratings {
  Ids rows, columns;
  std::vector<Index> row, column;  // from 0
  std::vector<double> value;

  [[nodiscard]] EntriesView entries() const { return {rows.count, columns.count, row, column, value}; }  // borrowed
};

struct RatingsOptions {
  // What becomes of a pair of row and column that stands on several lines: a mistake, one entry with the mean of their
  // values, or one entry with the last of them. The entry stands where the pair stood first.
  enum class Repeated { error, mean, last };

  DataFormat format = DataFormat::automatic;  // by the first bytes, then by the name; csv or matrix_market
  // Whether the first line of text holds names. automatic: yes, if what should be its value is no number; for pairs:
  // no.
  ReadOptions::Header header = ReadOptions::Header::automatic;
  Repeated repeated = Repeated::error;
};

// Fields behind the third are not looked at. Throws InputError "file:line:column: what is wrong".
[[nodiscard]] Ratings read_ratings(const std::string& path, const RatingsOptions& options = {});

// Entries that are asked for.
struct Pairs {
  std::vector<Index> row, column;  // from 0
};

// Lines `row column`; fields behind the second are not looked at, so ratings will do as well. Throws InputError for
// ids that are not known, too. The same pair may stand on several lines.
[[nodiscard]] Pairs read_pairs(const std::string& path, const Ids& rows, const Ids& columns,
                               const RatingsOptions& options = {});

}  // namespace pdbfw
