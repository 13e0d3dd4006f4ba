#include <algorithm>
#include <cstring>
#include <span>

#include "io/cache_format.hpp"
#include "io/checkpoint_format.hpp"
#include "io/checksum.hpp"
#include "io/output_file.hpp"
#include "pdbfw/low_rank_solve.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {
namespace {

// Passes bytes on and keeps their checksum.
class CheckedWriter {
 public:
  explicit CheckedWriter(TextSink& sink) : sink_(sink) {}

  void write(std::string_view bytes) {
    // In pieces: a sink that buffers should not hold an array as a whole.
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kChecksumChunkBytes))) {
      const std::string_view piece = bytes.substr(0, kChecksumChunkBytes);
      sink_.write(piece);
      checksum_.write(piece);
    }
  }
  template <class T>
  void write(std::span<const T> numbers) {
    write(std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()));
  }
  template <class T>
  void write_one(const T& number) {
    write(std::span<const T>(&number, 1));
  }
  void write(const Matrix& matrix) { write(std::span(matrix.data(), static_cast<std::size_t>(matrix.size()))); }
  void end() {
    const std::uint64_t value = checksum_.value();
    sink_.write({reinterpret_cast<const char*>(&value), sizeof(value)});
  }

 private:
  TextSink& sink_;
  ChecksumSink checksum_;
};

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
  writer.write(X.U);
  writer.write(std::span<const double>(X.s.data(), static_cast<std::size_t>(X.s.size())));
  writer.write(X.V);
  writer.write(point.Y);
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
