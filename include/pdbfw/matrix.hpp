// The data matrix A: n rows (samples) by d columns (features), sparse or dense, at hand by row and by column; or, where
// it is larger than memory, streamed: its rows come in blocks, one pass after the other.
//
// A matrix can borrow the caller's arrays (`borrow_*`: nothing is copied but the offsets, and the arrays must outlive
// the matrix) or own them (`own_*`). What was given is one orientation; the other one is built at its first use (unless
// both were given).
//
//   auto A = pdbfw::borrow_csr<double, int>(n, d, offsets, indices, values);
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

// A bundle of sparse lines: the rows of A (CSR) or its columns (CSC).
// Value is float or double; Entry, the stored index, is 32 or 64 bits wide.
template <class Value, class Entry>
struct SparseLines {
  struct Line {
    const Entry* at;
    const Value* value;
    Index size;
    [[nodiscard]] Index index(Index k) const { return static_cast<Index>(at[k]); }
  };
  Index count = 0;                 // how many lines
  Index length = 0;                // how long a line would be if it were dense
  std::span<const Index> offsets;  // line i holds entries offsets[i] .. offsets[i + 1] - 1
  std::span<const Entry> at;       // strictly ascending inside a line, 0 .. length - 1
  std::span<const Value> value;    // finite

  [[nodiscard]] Line operator[](Index i) const {
    const auto first = offsets[static_cast<std::size_t>(i)];
    return {at.data() + first, value.data() + first, offsets[static_cast<std::size_t>(i) + 1] - first};
  }
};

// A bundle of dense lines, one after the other.
template <class Value>
struct DenseLines {
  struct Line {
    const Value* value;
    Index size;
    [[nodiscard]] static Index index(Index k) { return k; }
  };
  Index count = 0;
  Index length = 0;
  std::span<const Value> value;

  [[nodiscard]] Line operator[](Index i) const { return {value.data() + i * length, length}; }
};

using Lines =
    std::variant<SparseLines<double, std::int32_t>, SparseLines<float, std::int32_t>, SparseLines<double, std::int64_t>,
                 SparseLines<float, std::int64_t>, DenseLines<double>, DenseLines<float>>;

// Takes a block of rows that follow one another: the number of the first, and the lines, which live until it returns.
using RowVisitor = std::function<void(Index first_row, const Lines& rows)>;

// Rows that are not in memory. They keep the rules of lines, and every visit gives the same ones.
class RowSource {
 public:
  // What all visits so far have cost.
  struct Traffic {
    Index passes = 0;
    double bytes = 0;
    double seconds = 0;  // spent reading, most of them beside other work
    double waited = 0;   // seconds that the visitor had to wait for rows
  };

  RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  virtual ~RowSource() = default;

  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index columns() const = 0;
  [[nodiscard]] virtual Index nonzeros() const = 0;  // rows x columns when dense
  [[nodiscard]] virtual bool is_dense() const = 0;
  [[nodiscard]] virtual Traffic traffic() const = 0;
  // Bytes of memory that a solver may use to keep rows, or parts of them, from one pass to the next.
  [[nodiscard]] virtual double room() const = 0;

  // All blocks in the order of their rows, as long as `columns`. Throws DataLost when they cannot be had any more.
  // Several threads may visit at once.
  virtual void visit(const RowVisitor& visitor) const = 0;
};

class DataMatrix {
 public:
  enum class Orientation { by_row, by_column };

  // Keeps `storage` alive for as long as the matrix lives; null when the arrays are borrowed. Throws InputError if the
  // lines break the rules stated at their members.
  DataMatrix(Lines lines, Orientation given, std::shared_ptr<const void> storage);

  // Given in both orientations, so that none is built. They must agree, entry for entry (which a sum over all of them
  // tells, on up to `threads` threads).
  DataMatrix(Lines rows, Lines columns, std::shared_ptr<const void> storage, int threads = 1);

  // Streamed.
  explicit DataMatrix(std::shared_ptr<const RowSource> source);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] Index nonzeros() const { return nonzeros_; }  // stored entries; rows x columns when dense
  [[nodiscard]] bool is_dense() const;
  [[nodiscard]] Orientation orientation() const { return orientation_; }  // which one was given, by_row if both

  // All rows in blocks, in their order: one block when they are in memory. Works for every matrix; a streamed one
  // throws DataLost when its rows cannot be had any more.
  void visit_rows(const RowVisitor& visitor) const;

  [[nodiscard]] bool is_streamed() const { return source_ != nullptr; }
  [[nodiscard]] const RowSource* source() const { return source_.get(); }  // null unless streamed

  // The lines of one orientation. The one that was not given is built at the first call (once, whichever thread calls).
  // Throws InputError when the matrix is streamed.
  [[nodiscard]] const Lines& by_row() const { return lines(Orientation::by_row); }
  [[nodiscard]] const Lines& by_column() const { return lines(Orientation::by_column); }

 private:
  [[nodiscard]] const Lines& lines(Orientation wanted) const;

  std::shared_ptr<const RowSource> source_;  // streamed: what follows is empty
  Lines given_;
  Orientation orientation_;
  std::shared_ptr<const void> storage_;
  Index rows_, columns_, nonzeros_;
  mutable std::mutex building_other_;
  mutable std::optional<Lines> other_;
  mutable std::shared_ptr<const void> other_storage_;
};

using MatrixPtr = std::shared_ptr<const DataMatrix>;

// Instantiated for Value in {float, double}, Entry in {int32, int64}, Offset in {int32, int64}.
template <class Value, class Entry, class Offset>
[[nodiscard]] MatrixPtr borrow_csr(Index rows, Index columns, std::span<const Offset> offsets,
                                   std::span<const Entry> at, std::span<const Value> value);
template <class Value, class Entry, class Offset>
[[nodiscard]] MatrixPtr borrow_csc(Index rows, Index columns, std::span<const Offset> offsets,
                                   std::span<const Entry> at, std::span<const Value> value);

// Dense data, row after row (C order) or column after column (Fortran order).
template <class Value>
[[nodiscard]] MatrixPtr borrow_dense_rows(Index rows, Index columns, std::span<const Value> value);
template <class Value>
[[nodiscard]] MatrixPtr borrow_dense_columns(Index rows, Index columns, std::span<const Value> value);

template <class Value, class Entry>
[[nodiscard]] MatrixPtr own_csr(Index rows, Index columns, std::vector<Index> offsets, std::vector<Entry> at,
                                std::vector<Value> value);
template <class Value>
[[nodiscard]] MatrixPtr own_dense_rows(Index rows, Index columns, std::vector<Value> value);

// w = A x and z = A' y. Every entry of the result is the work of one thread in one order, so any number of threads
// gives the same bits. One pass over the rows when A is streamed.
void multiply(const DataMatrix& A, std::span<const double> x, std::span<double> w, int threads = 1);
void multiply_transposed(const DataMatrix& A, std::span<const double> y, std::span<double> z, int threads = 1);

}  // namespace pdbfw
