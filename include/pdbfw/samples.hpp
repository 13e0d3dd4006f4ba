// Rows and what is to be learnt of each: what fit (fit.hpp) is given.
//
//   const pdbfw::Samples news = pdbfw::read_samples("news20.binary.xz");
//   const pdbfw::Samples mine{.A = A, .target = {1, -1, 1}};
#pragma once

#include <string>
#include <vector>

#include "pdbfw/data_file.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

// What belongs to a row.
enum class Targets {
  automatic,    // for read_samples: one_per_row, unless some row has several labels
  labels,       // any number of labels
  one_per_row,  // one number, which the formulation takes for a number, for one of two labels or for one of many
                // classes
  numbers       // several numbers
};

struct Samples {
  MatrixPtr A;
  std::vector<double> target{};            // as they were read: one per row; Targets::numbers: row after row
  Targets targets = Targets::one_per_row;  // never automatic
  LabelLists labels{};                     // Targets::labels: places in `ids`, instead of `target`
  std::vector<Index> ids{};                // the labels as they were read
  std::string name = "data";               // how messages call them

  // Where several processes learn together, A and the targets are those of the rows here.
  TeamPtr team{};
  Index first_row = 0;     // the number of the first row here
  Index rows_of_team = 0;  // of all members
  double nonzeros_of_team = 0;

  [[nodiscard]] Index rows() const { return team ? rows_of_team : A->rows(); }  // of all members
  [[nodiscard]] Index nonzeros() const { return team ? static_cast<Index>(nonzeros_of_team) : A->nonzeros(); }
  [[nodiscard]] Index numbers_per_row() const {
    return A->rows() == 0 ? 0 : static_cast<Index>(target.size()) / A->rows();
  }
};

// Reads a data file (data_file.hpp). One target per row: a cache file in blocks that would take more memory than
// options.memory stays on the disk and is streamed. Several numbers per row stand in the .npy file options.labels.
// Throws InputError.
//
// With a team all members call it, and what is wrong with one file is thrown at all of them. Of one file every member
// takes its share of the rows. A path with {rank} in it, for one target per row, names a file of each member.
[[nodiscard]] Samples read_samples(const std::string& path, const ReadOptions& options = {},
                                   Targets targets = Targets::automatic, const TeamPtr& team = {});

// The rows of this member as some of those of all: says how many there are, which they are, and makes A as wide as the
// others'. All members call it. Throws InputError.
[[nodiscard]] Samples shared_by(const TeamPtr& team, Samples own);

}  // namespace pdbfw
