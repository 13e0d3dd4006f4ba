// Slow and obvious: a full matrix and loops over all of its entries.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw::reference {

struct DenseMatrix {
  Index rows = 0;
  Index columns = 0;
  std::vector<double> entry;  // row after row

  DenseMatrix(Index n, Index d) : rows(n), columns(d), entry(static_cast<std::size_t>(n * d)) {}
  DenseMatrix(Index n, Index d, std::vector<double> entries) : rows(n), columns(d), entry(std::move(entries)) {}

  double& operator()(Index i, Index j) { return entry[static_cast<std::size_t>(i * columns + j)]; }
  double operator()(Index i, Index j) const { return entry[static_cast<std::size_t>(i * columns + j)]; }
};

inline std::vector<double> times(const DenseMatrix& A, std::span<const double> x) {
  std::vector<double> w(static_cast<std::size_t>(A.rows), 0.0);
  for (Index i = 0; i < A.rows; ++i)
    for (Index j = 0; j < A.columns; ++j) w[static_cast<std::size_t>(i)] += A(i, j) * x[static_cast<std::size_t>(j)];
  return w;
}

inline std::vector<double> transposed_times(const DenseMatrix& A, std::span<const double> y) {
  std::vector<double> z(static_cast<std::size_t>(A.columns), 0.0);
  for (Index i = 0; i < A.rows; ++i)
    for (Index j = 0; j < A.columns; ++j) z[static_cast<std::size_t>(j)] += A(i, j) * y[static_cast<std::size_t>(i)];
  return z;
}

inline double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Entry by entry, whatever the storage.
inline DenseMatrix expand(const DataMatrix& A) {
  DenseMatrix full(A.rows(), A.columns());
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.count; ++i)
          for (Index k = 0; k < rows[i].size; ++k) full(i, rows[i].index(k)) = static_cast<double>(rows[i].value[k]);
      },
      A.by_row());
  return full;
}

// The same entries in compressed form, zeros left out.
template <class Value, class Entry, class Offset>
struct Compressed {
  std::vector<Offset> offsets{0};
  std::vector<Entry> at;
  std::vector<Value> value;
};

template <class Value, class Entry, class Offset>
Compressed<Value, Entry, Offset> compress_rows(const DenseMatrix& A) {
  Compressed<Value, Entry, Offset> out;
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.columns; ++j) {
      if (A(i, j) == 0) continue;
      out.at.push_back(static_cast<Entry>(j));
      out.value.push_back(static_cast<Value>(A(i, j)));
    }
    out.offsets.push_back(static_cast<Offset>(out.at.size()));
  }
  return out;
}

inline DenseMatrix transposed(const DenseMatrix& A) {
  DenseMatrix out(A.columns, A.rows);
  for (Index i = 0; i < A.rows; ++i)
    for (Index j = 0; j < A.columns; ++j) out(j, i) = A(i, j);
  return out;
}

template <class Value, class Entry, class Offset>
Compressed<Value, Entry, Offset> compress_columns(const DenseMatrix& A) {
  return compress_rows<Value, Entry, Offset>(transposed(A));
}

inline MatrixPtr sparse(const DenseMatrix& A) {
  auto rows = compress_rows<double, std::int32_t, Index>(A);
  return own_csr(A.rows, A.columns, std::move(rows.offsets), std::move(rows.at), std::move(rows.value));
}

inline MatrixPtr dense(const DenseMatrix& A) { return own_dense_rows(A.rows, A.columns, A.entry); }

}  // namespace pdbfw::reference
