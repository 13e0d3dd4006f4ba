#include "pdbfw/features.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "data/learners.hpp"
#include "matrix.hpp"

namespace pdbfw::python {
namespace {

// An array over memory that the matrix owns. Nobody else has this matrix, and its memory was not made const: the array
// may be written to, as the output of a transformer is.
template <class T>
nb::object view(const MatrixPtr& owner, std::span<const T> values, std::initializer_list<std::size_t> shape) {
  nb::capsule kept(new MatrixPtr(owner), [](void* p) noexcept { delete static_cast<MatrixPtr*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(const_cast<T*>(values.data()), shape, kept));
}

// What the library made, as the arrays of a SciPy CSR matrix: (offsets, indices, values).
nb::tuple csr_arrays(const MatrixPtr& B) {
  return std::visit(
      [&]<class L>(const L& lines) -> nb::tuple {
        if constexpr (requires { lines.at; }) {
          return nb::make_tuple(view(B, lines.offsets, {lines.offsets.size()}), view(B, lines.at, {lines.at.size()}),
                                view(B, lines.value, {lines.value.size()}));
        } else {
          throw InputError("features", "dense", "sparse");
        }
      },
      B->by_row());
}

nb::object dense_array(const MatrixPtr& B) {
  return std::visit(
      [&]<class L>(const L& lines) -> nb::object {
        if constexpr (requires { lines.at; }) {
          throw InputError("features", "sparse", "dense");
        } else {
          return view(B, lines.value, {static_cast<std::size_t>(lines.count), static_cast<std::size_t>(lines.length)});
        }
      },
      B->by_row());
}

nb::tuple grid_state(const RandomBinning::Grid& grid) {
  std::vector<std::uint64_t> high, low;
  for (const RandomBinning::Bin& bin : grid.bins) {
    high.push_back(bin.high);
    low.push_back(bin.low);
  }
  return nb::make_tuple(to_array(grid.pitch), to_array(grid.shift), to_array(std::move(high)),
                        to_array(std::move(low)));
}

using Hashes = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

RandomBinning::Grid grid_of(const nb::tuple& state) {
  const auto high = nb::cast<Hashes>(state[2]), low = nb::cast<Hashes>(state[3]);
  if (high.size() != low.size()) throw InputError("grid", "halves of hashes that differ in number", "pairs of them");
  RandomBinning::Grid grid{as_vector(nb::cast<Numbers>(state[0])), as_vector(nb::cast<Numbers>(state[1])), {}};
  for (std::size_t k = 0; k < high.size(); ++k) grid.bins.push_back({high.data()[k], low.data()[k]});
  return grid;
}

void bind_random_binning(nb::module_& module) {
  nb::class_<RandomBinning>(module, "RandomBinning")
      .def_static(
          "learn",
          [](const BorrowedMatrix& A, Index grids, std::optional<double> gamma, std::optional<Index> features,
             bool scale, std::uint64_t seed, int threads) {
            return released([&] { return RandomBinning::learn(*A.A, {grids, gamma, features, scale, seed, threads}); });
          },
          "A"_a, "grids"_a, "gamma"_a.none(), "features"_a.none(), "scale"_a, "seed"_a, "threads"_a)
      .def_ro("gamma", &RandomBinning::gamma)
      .def_prop_ro("features", &RandomBinning::features)
      .def(
          "apply",
          [](const RandomBinning& self, const BorrowedMatrix& A, int threads) {
            return csr_arrays(released([&] { return self.apply(*A.A, threads); }));
          },
          "A"_a, "threads"_a = 1)
      .def("__getstate__",
           [](const RandomBinning& self) {
             nb::list grids;
             for (const RandomBinning::Grid& grid : self.grids) grids.append(grid_state(grid));
             return nb::make_tuple(self.gamma, self.columns, grids);
           })
      .def("__setstate__", [](RandomBinning& self, const nb::tuple& state) {
        RandomBinning map;
        map.gamma = nb::cast<double>(state[0]);
        map.columns = nb::cast<Index>(state[1]);
        for (const nb::handle grid : nb::cast<nb::list>(state[2]))
          map.grids.push_back(grid_of(nb::cast<nb::tuple>(grid)));
        validate(map);
        new (&self) RandomBinning(std::move(map));
      });
}

void bind_random_fourier(nb::module_& module) {
  nb::class_<RandomFourier>(module, "RandomFourier")
      .def_static(
          "learn",
          [](const BorrowedMatrix& A, const std::string& kernel, Index features, std::optional<double> gamma,
             bool scale, std::uint64_t seed) {
            return released([&] {
              return RandomFourier::learn(*A.A, {kernel_of(kernel), features, gamma, scale, seed});
            });
          },
          "A"_a, "kernel"_a, "features"_a, "gamma"_a.none(), "scale"_a, "seed"_a)
      .def_ro("gamma", &RandomFourier::gamma)
      .def_ro("features", &RandomFourier::features)
      .def(
          "apply",
          [](const RandomFourier& self, const BorrowedMatrix& A, int threads) {
            return dense_array(released([&] { return self.apply(*A.A, threads); }));
          },
          "A"_a, "threads"_a = 1)
      .def("__getstate__",
           [](const RandomFourier& self) {
             return nb::make_tuple(std::string(name_of(self.kernel)), self.gamma, self.columns, self.features,
                                   to_array(self.frequency));
           })
      .def("__setstate__", [](RandomFourier& self, const nb::tuple& state) {
        RandomFourier map{kernel_of(nb::cast<std::string>(state[0])), nb::cast<double>(state[1]),
                          nb::cast<Index>(state[2]), nb::cast<Index>(state[3]), as_vector(nb::cast<Numbers>(state[4]))};
        validate(map);
        new (&self) RandomFourier(std::move(map));
      });
}

}  // namespace

void bind_features(nb::module_& module) {
  bind_random_binning(module);
  bind_random_fourier(module);
}

}  // namespace pdbfw::python
