#include "pdbfw/features.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "data/learners.hpp"
#include "io/features/features_text.hpp"

namespace pdbfw::python {
namespace {

// An array over memory that the matrix owns. Nobody else has this matrix, and its memory was not made const: the array
// may be written to, as the output of a transformer is.
template <class T>
nb::object view(const MatrixPtr& owner, std::span<const T> values, std::initializer_list<std::size_t> shape) {
  nb::capsule kept(new MatrixPtr(owner), [](void* p) noexcept { delete static_cast<MatrixPtr*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(const_cast<T*>(values.data()), shape, kept));
}

// What the library made: an array where it is dense, else those of a SciPy CSR matrix, (offsets, indices, values).
nb::object arrays_of(const MatrixPtr& B) {
  return std::visit(
      [&]<class L>(const L& lines) -> nb::object {
        if constexpr (requires { lines.at; })
          return nb::make_tuple(view(B, lines.offsets, {lines.offsets.size()}), view(B, lines.at, {lines.at.size()}),
                                view(B, lines.value, {lines.value.size()}));
        else
          return view(B, lines.value, {static_cast<std::size_t>(lines.count), static_cast<std::size_t>(lines.length)});
      },
      B->by_row());
}

// What all maps have. A pickle is what a file of the map would hold.
template <class Map>
void add_map(nb::class_<Map>& type) {
  type.def_ro("gamma", &Map::gamma)
      .def(
          "apply",
          [](const Map& self, const BorrowedMatrix& A, int threads) {
            return arrays_of(released([&] { return self.apply(*A.A, threads); }));
          },
          "A"_a, "threads"_a = 1)
      .def("__getstate__",
           [](const Map& self) {
             MemorySink file;
             write_features_to(file, self);
             return nb::bytes(file.text().data(), file.text().size());
           })
      .def("__setstate__", [](Map& self, const nb::bytes& state) {
        new (&self) Map(parse_features<Map>({state.c_str(), state.size()}, "state"));
      });
}

}  // namespace

void bind_features(nb::module_& module) {
  nb::class_<RandomBinning> binning(module, "RandomBinning");
  binning
      .def_static(
          "learn",
          [](const BorrowedMatrix& A, Index grids, std::optional<double> gamma, std::optional<Index> features,
             bool scale, std::uint64_t seed, int threads) {
            return released([&] { return RandomBinning::learn(*A.A, {grids, gamma, features, scale, seed, threads}); });
          },
          "A"_a, "grids"_a, "gamma"_a.none(), "features"_a.none(), "scale"_a, "seed"_a, "threads"_a)
      .def_prop_ro("features", &RandomBinning::features);
  add_map(binning);

  nb::class_<RandomFourier> fourier(module, "RandomFourier");
  fourier
      .def_static(
          "learn",
          [](const BorrowedMatrix& A, const std::string& kernel, Index features, std::optional<double> gamma,
             bool scale, std::uint64_t seed) {
            return released([&] {
              return RandomFourier::learn(*A.A, {kernel_of(kernel), features, gamma, scale, seed});
            });
          },
          "A"_a, "kernel"_a, "features"_a, "gamma"_a.none(), "scale"_a, "seed"_a)
      .def_ro("features", &RandomFourier::features);
  add_map(fourier);
}

}  // namespace pdbfw::python
