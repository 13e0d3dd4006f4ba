#include <algorithm>
#include <cstring>
#include <span>

#include "io/cache_format.hpp"
#include "io/checked_file.hpp"
#include "io/checkpoint_format.hpp"
#include "io/output_file.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {
namespace {

void write(CheckedWriter& writer, const Matrix& matrix) {
  writer.write(std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
}

CheckpointHeader header_of(const Checkpoint& checkpoint) {
  const TracePoint& now = checkpoint.now;
  CheckpointHeader header{.magic = {},
                          .version = kCheckpointVersion,
                          .kind = CheckpointKind::vector,
                          .file_bytes = sizeof(CheckpointHeader) + sizeof(std::uint64_t),
                          .options = checkpoint.options.size(),
                          .data = checkpoint.data,
                          .iterations = now.iteration,
                          .seconds = now.seconds,
                          .data_passes = now.data_passes,
                          .multiply_adds = now.multiply_adds,
                          .primal = now.primal,
                          .dual = now.dual,
                          .gap = now.gap,
                          .relative_gap = now.relative_gap,
                          .nonzeros = now.nonzeros,
                          .is_certified = now.is_certified ? 1 : 0,
                          .multiplier = 0,
                          .sizes = {}};
  std::copy(kCheckpointMagic.begin(), kCheckpointMagic.end(), header.magic.begin());
  for (const CheckpointOption& option : checkpoint.options)
    header.file_bytes += 2 * sizeof(std::uint64_t) + option.name.size() + option.value.size();
  return header;
}

void write_options(CheckedWriter& writer, const std::vector<CheckpointOption>& options) {
  for (const CheckpointOption& option : options) {
    writer.write_one<std::uint64_t>(option.name.size());
    writer.write_one<std::uint64_t>(option.value.size());
    writer.write(option.name);
    writer.write(option.value);
  }
}

void write_vector(CheckedWriter& writer, CheckpointHeader header, const Checkpoint& checkpoint, const Start& point) {
  const SparseVector x = to_sparse(point.x);
  header.multiplier = point.multiplier;
  header.sizes = {x.size, static_cast<Index>(x.at.size()), static_cast<Index>(point.y.size()), 0, 0};
  header.file_bytes += sizeof(double) * (2 * x.at.size() + point.y.size());
  writer.write_one(header);
  write_options(writer, checkpoint.options);
  writer.write(std::span<const Index>(x.at));
  writer.write(std::span<const double>(x.value));
  writer.write(std::span<const double>(point.y));
}

void write_matrix(CheckedWriter& writer, CheckpointHeader header, const Checkpoint& checkpoint,
                  const low_rank::Start& point) {
  const Factors& X = point.X;
  header.kind = CheckpointKind::matrix;
  header.sizes = {X.rows(), X.rank(), X.columns(), point.Y.rows(), point.Y.cols()};
  header.file_bytes += sizeof(double) * static_cast<std::size_t>(X.U.size() + X.s.size() + X.V.size() + point.Y.size());
  writer.write_one(header);
  write_options(writer, checkpoint.options);
  write(writer, X.U);
  writer.write(std::span<const double>(X.s.data(), static_cast<std::size_t>(X.s.size())));
  write(writer, X.V);
  write(writer, point.Y);
}

}  // namespace

void write_checkpoint_to(TextSink& sink, const Checkpoint& checkpoint) {
  CheckedWriter writer(sink);
  const CheckpointHeader header = header_of(checkpoint);
  if (checkpoint.matrix)
    write_matrix(writer, header, checkpoint, *checkpoint.matrix);
  else
    write_vector(writer, header, checkpoint, checkpoint.point);
  writer.end();
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  require_little_endian(path);
  OutputFile file(path);
  write_checkpoint_to(file, checkpoint);
  file.commit();
}

}  // namespace pdbfw
