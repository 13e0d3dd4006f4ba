#include "pdbfw/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "apps/fit_rules.hpp"
#include "base/machine_memory.hpp"
#include "base/team.hpp"
#include "io/cache/block_file.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/data/read_options.hpp"
#include "linalg/chosen_rows.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {
namespace {

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

Samples with_labels(const std::string& path, MultilabelDataset data) {
  return {.A = std::move(data.A),
          .targets = Targets::labels,
          .labels = std::move(data.labels),
          .ids = std::move(data.ids),
          .name = name_of(path)};
}

// The numbers stand in a .npy file beside the data.
Samples with_numbers(const std::string& path, ReadOptions options) {
  const std::string file = std::exchange(options.labels, "");
  Samples out{.A = {}, .targets = Targets::numbers, .name = name_of(path)};
  std::optional<Index> rows;
  if (!file.empty()) {
    NumberArray array = read_npy(file);
    if (array.is_complex) throw InputError(fmt::format("{}: complex numbers: real ones are needed", file));
    if (array.shape.size() > 2)
      throw InputError(fmt::format("{}: {} dimensions: at most two are needed", file, array.shape.size()));
    rows = array.shape[0];
    out.target.assign(array.real.begin(), array.real.end());
  } else if (options.needs_targets) {
    throw InputError("labels", "none", "a .npy file of numbers, a row for every row of the data, for targets numbers");
  }
  options.needs_targets = false;
  out.A = read_dataset(path, options).A;
  if (rows && *rows != out.A->rows())
    throw InputError(file, fmt::format("{} rows", *rows),
                     fmt::format("{}, as many as {} has", out.A->rows(), out.name));
  return out;
}

// A row without a label, which has no class either, may come before the first one with several.
std::optional<MultilabelDataset> try_several_labels(const std::string& path, const ReadOptions& options) {
  const auto has_several = [](const LabelLists& labels) {
    for (Index i = 0; i < labels.rows(); ++i)
      if (labels[i].size() > 1) return true;
    return false;
  };
  try {
    MultilabelDataset read = read_multilabel(path, options);
    if (has_several(read.labels)) return read;
  } catch (const InputError&) {
    // Then there are no labels, and the caller tells what is wrong with one target per row.
  }
  return std::nullopt;
}

// Whichever reader goes through. Where both fail, the mistake is that of the reader that understood the labels.
Samples read_either(const std::string& path, const ReadOptions& options) {
  try {
    Dataset data = read_dataset(path, options);
    return {.A = std::move(data.A), .target = std::move(data.target), .name = name_of(path)};
  } catch (const SeveralLabels&) {
    if (path == "-") throw;
    return with_labels(path, read_multilabel(path, options));
  } catch (const InputError&) {
    if (path == "-") throw;
    if (std::optional<MultilabelDataset> read = try_several_labels(path, options))
      return with_labels(path, std::move(*read));
    throw;
  }
}

// In memory; or streamed, if it is a cache file in blocks whose rows would take more than there is.
Dataset read_or_stream(const std::string& path, const ReadOptions& options, int processes) {
  const std::optional<BlockedShape> shape = blocked_shape(path);
  if (!shape && options.memory > 0)
    throw InputError("memory", fmt::format("{} bytes", options.memory),
                     "only for cache files in blocks, which pdbfw convert --memory writes");
  if (!shape) return read_dataset(path, options);
  const Index rows = options.rows ? options.rows->last - options.rows->first : shape->rows;
  const double part = static_cast<double>(rows) / static_cast<double>(std::max<Index>(1, shape->rows));
  ReadOptions streaming = options;
  streaming.memory = std::max<Index>(1, (options.memory > 0 ? options.memory : usable_memory()) / processes);
  if (shape->bytes_in_memory * part <= static_cast<double>(streaming.memory)) return read_dataset(path, options);
  return open_streamed(path, streaming);
}

// Rows first .. last - 1, which keep the memory of all.
Samples cut(Samples all, Index first, Index last) {
  const Index width = all.numbers_per_row();
  all.A = row_range(all.A, first, last);
  if (all.targets == Targets::labels) {
    LabelLists own;
    for (Index i = first; i < last; ++i) {
      const std::span<const Index> of_row = all.labels[i];
      own.place.insert(own.place.end(), of_row.begin(), of_row.end());
      own.offsets.push_back(static_cast<Index>(own.place.size()));
    }
    all.labels = std::move(own);
  }
  all.target = {all.target.begin() + static_cast<std::ptrdiff_t>(first * width),
                all.target.begin() + static_cast<std::ptrdiff_t>(last * width)};
  return all;
}

// "data-{rank}.txt" as the member of this rank reads it.
std::string with_rank(std::string path, int rank) {
  constexpr std::string_view kPlace = "{rank}";
  const std::size_t at = path.find(kPlace);
  return at == std::string::npos ? path : path.replace(at, kPlace.size(), std::to_string(rank));
}

Samples read_alone(const std::string& path, const ReadOptions& options, Targets targets, int processes) {
  switch (targets) {
    case Targets::automatic:
      return read_either(path, options);
    case Targets::labels:
      return with_labels(path, read_multilabel(path, options));
    case Targets::one_per_row: {
      Dataset data = read_or_stream(path, options, processes);
      return {.A = std::move(data.A), .target = std::move(data.target), .name = name_of(path)};
    }
    case Targets::numbers:
      return with_numbers(path, options);
  }
  return {};
}

// The samples of this member, before the sizes are compared.
Samples read_share(const std::string& path, const ReadOptions& options, Targets targets, const Team& team) {
  if (path == "-") throw InputError("DATA", "'-'", "a file, as several processes read it");
  const bool is_one_per_row = targets == Targets::one_per_row;
  const std::string own_path = is_one_per_row ? with_rank(path, team.rank()) : path;
  if (own_path != path) return read_alone(own_path, options, targets, team.size());
  const auto first_of = [&](Index rows, int rank) { return rows * rank / team.size(); };
  const auto require_rows = [&](Index rows) {
    if (rows < team.size())
      throw InputError(path, fmt::format("{} rows", rows),
                       fmt::format("at least one for each of {} processes", team.size()));
  };
  if (const std::optional<BlockedShape> shape = is_one_per_row ? blocked_shape(path) : std::nullopt) {
    require_rows(shape->rows);
    ReadOptions share = options;  // and no other rows are read
    share.rows = ReadOptions::RowRange{first_of(shape->rows, team.rank()), first_of(shape->rows, team.rank() + 1)};
    return read_alone(path, share, targets, team.size());
  }
  Samples all = read_alone(path, options, targets, team.size());
  const Index n = all.A->rows();
  require_rows(n);
  return cut(std::move(all), first_of(n, team.rank()), first_of(n, team.rank() + 1));
}

std::vector<double> different(const std::vector<double>& values, std::size_t most) {
  std::set<double> seen;
  for (const double value : values)
    if (seen.insert(value).second && seen.size() == most) break;
  return {seen.begin(), seen.end()};
}

}  // namespace

Samples read_samples(const std::string& path, const ReadOptions& options, Targets targets, const TeamPtr& team) {
  if (!team) return read_alone(path, options, targets, 1);
  Samples own;
  together(team, [&] { own = read_share(path, options, targets, *team); });
  own.name = name_of(path);
  return shared_by(team, std::move(own));
}

Samples shared_by(const TeamPtr& team, Samples own) {
  own.team = team;
  const std::vector<double> sizes =
      gathered_at_all(team, {static_cast<double>(own.A->rows()), static_cast<double>(own.A->columns()),
                             static_cast<double>(own.A->nonzeros())});
  ReadOptions wider;
  for (std::size_t r = 0; 3 * r < sizes.size(); ++r) {
    if (static_cast<int>(r) < team->rank()) own.first_row += static_cast<Index>(sizes[3 * r]);
    own.rows_of_team += static_cast<Index>(sizes[3 * r]);
    wider.min_features = std::max(wider.min_features, static_cast<Index>(sizes[3 * r + 1]));
    own.nonzeros_of_team += sizes[3 * r + 2];
  }
  together(team, [&] { own.A = fitted(own.A, wider); });
  return own;
}

std::vector<double> different_targets(const Samples& samples, std::size_t most) {
  return different(gathered_at_all(samples.team, different(samples.target, most)), most);
}

std::vector<double> own_rows(const Samples& samples, const std::vector<double>& all, std::string_view field) {
  if (!samples.team) return all;
  if (static_cast<Index>(all.size()) != samples.rows())
    throw InputError(field, fmt::format("{} of them", all.size()),
                     fmt::format("one for each of {} samples of all processes", samples.rows()));
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(samples.first_row);
  return {begin, begin + static_cast<std::ptrdiff_t>(samples.A->rows())};
}

}  // namespace pdbfw
