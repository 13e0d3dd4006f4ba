// A 12 x 10 matrix of rank 1 from 75 random measurements: the one of smallest trace norm that explains them.
#include <cmath>
#include <iostream>
#include <pdbfw/recovery.hpp>

int main() {
  const pdbfw::Index d = 12, c = 10, n = 75;
  pdbfw::Matrix truth(d, c);
  for (pdbfw::Index i = 0; i < d; ++i)
    for (pdbfw::Index j = 0; j < c; ++j)
      truth(i, j) = std::sin(static_cast<double>(i)) * std::cos(static_cast<double>(j));

  std::srand(1);
  const pdbfw::Matrix A = pdbfw::Matrix::Random(n, d * c);  // a measurement a row
  std::vector<double> b(static_cast<std::size_t>(n));
  for (pdbfw::Index i = 0; i < n; ++i)
    b[static_cast<std::size_t>(i)] = A.row(i).dot(Eigen::Map<const Eigen::RowVectorXd>(truth.data(), d * c));

  const std::span<const double> numbers(A.data(), static_cast<std::size_t>(A.size()));
  const pdbfw::MapPtr map = pdbfw::products_map(pdbfw::borrow_dense_rows<double>(n, d * c, numbers), d, c);
  const pdbfw::Explanation found = pdbfw::explain(map, b);

  const double error = (found.result.X.dense() - truth).norm() / truth.norm();
  std::cout << found.result.message << "\nradius " << found.radius << ", rank " << found.result.X.rank()
            << ", relative error " << error << '\n';
  return error < 1e-3 ? 0 : 1;
}
