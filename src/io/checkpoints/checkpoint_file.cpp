#include "io/checkpoints/checkpoint_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include "base/team.hpp"
#include "io/bytes/checked_file.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/output_file.hpp"
#include "pdbfw/checkpoint.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

// A point whose y is divided between the members of a team, and the point as a whole.

namespace {

void require_among(Index first_row, Index rows, Index all) {
  if (first_row < 0 || rows < 0 || first_row > all - rows)
    throw InputError("rows", fmt::format("{} from {} on", rows, first_row),
                     fmt::format("some of the {} of the checkpoint", all));
}

template <class Numbers>
void write_all(TextSink& sink, const Numbers& numbers) {
  write_numbers(sink, std::span(numbers.data(), static_cast<std::size_t>(numbers.size())));
}

// What stands between the header and the checksum; `x` is that of the point.
void write_payload(TextSink& sink, const Checkpoint& checkpoint, const SparseVector& x) {
  for (const auto& [name, value] : checkpoint.options) {
    write_one<std::uint64_t>(sink, name.size());
    write_one<std::uint64_t>(sink, value.size());
    sink.write(name);
    sink.write(value);
  }
  if (checkpoint.matrix) {
    const auto& [X, Y] = *checkpoint.matrix;
    write_all(sink, X.U);
    write_all(sink, X.s);
    write_all(sink, X.V);
    write_all(sink, Y);
  } else {
    write_all(sink, x.at);
    write_all(sink, x.value);
    write_all(sink, checkpoint.point.y);
  }
}

class CountingSink final : public TextSink {
 public:
  void write(std::string_view text) override { bytes += text.size(); }
  std::uint64_t bytes = 0;
};

// The numbers of a header and of a point of the trace that say the same.
auto numbers_of(CheckpointHeader& h) {
  return std::tie(h.iterations, h.seconds, h.data_passes, h.multiply_adds, h.primal, h.dual, h.gap, h.relative_gap,
                  h.nonzeros);
}
template <class Point>
auto numbers_of(Point& now) {
  return std::tie(now.iteration, now.seconds, now.data_passes, now.multiply_adds, now.primal, now.dual, now.gap,
                  now.relative_gap, now.nonzeros);
}

// Takes numbers from the front of the bytes. A count that they do not hold is refused before memory is asked for it.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <class T>
  std::vector<T> take(std::uint64_t count) {
    std::vector<T> numbers(require<T>(count));
    if (count > 0) std::memcpy(numbers.data(), bytes_.data(), numbers.size() * sizeof(T));
    bytes_ = bytes_.subspan(numbers.size() * sizeof(T));
    return numbers;
  }
  std::string text(std::uint64_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes_.data()), require<char>(size));
    bytes_ = bytes_.subspan(text.size());
    return text;
  }
  Matrix matrix(Index rows, Index columns) {
    if (rows < 0 || columns < 0 ||
        (columns > 0 && static_cast<std::uint64_t>(rows) > bytes_.size() / static_cast<std::uint64_t>(columns)))
      fail();
    const std::vector<double> numbers = take<double>(static_cast<std::uint64_t>(rows * columns));
    return Eigen::Map<const Matrix>(numbers.data(), rows, columns);
  }
  void expect_end() const {
    if (!bytes_.empty()) fail();
  }
  [[noreturn]] void fail() const {
    throw InputError(fmt::format("{}: the sizes in its header contradict each other", name_));
  }

 private:
  template <class T>
  [[nodiscard]] std::size_t require(std::uint64_t count) const {
    if (count > bytes_.size() / sizeof(T)) fail();
    return static_cast<std::size_t>(count);
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
};

Start read_vector(Cursor& cursor, const CheckpointHeader& header) {
  const auto [size, nonzeros, rows, none, none_too] = header.sizes;
  if (size < 0 || nonzeros < 0 || rows < 0 || none != 0 || none_too != 0) cursor.fail();
  SparseVector x{size, cursor.take<Index>(static_cast<std::uint64_t>(nonzeros)), {}};
  x.value = cursor.take<double>(static_cast<std::uint64_t>(nonzeros));
  Index last = -1;
  for (const Index at : x.at) {
    if (at <= last || at >= size) cursor.fail();
    last = at;
  }
  std::vector<double> y = cursor.take<double>(static_cast<std::uint64_t>(rows));
  return {x.dense(), std::move(y), header.multiplier};
}

low_rank::Start read_matrix(Cursor& cursor, const CheckpointHeader& header) {
  const auto [d, rank, c, n, k] = header.sizes;
  low_rank::Start start;
  start.X.U = cursor.matrix(d, rank);
  start.X.s = cursor.matrix(rank, 1);
  start.X.V = cursor.matrix(c, rank);
  start.Y = cursor.matrix(n, k);
  return start;
}

}  // namespace

Start gathered(Start own, const TeamPtr& team) {
  own.y = gathered_at_first(team, std::move(own.y));
  return own;
}

Start of_rows(Start whole, Index first_row, Index rows) {
  if (whole.y.empty()) return whole;
  require_among(first_row, rows, static_cast<Index>(whole.y.size()));
  whole.y = std::vector<double>(whole.y.begin() + first_row, whole.y.begin() + first_row + rows);
  return whole;
}

namespace low_rank {

Start gathered(Start own, const TeamPtr& team) {
  if (!team) return own;
  const Index columns = own.Y.cols();
  const std::vector<double> all = gathered_at_first(team, {own.Y.data(), own.Y.data() + own.Y.size()});
  own.Y = all.empty() ? Matrix() : Matrix(Eigen::Map<const Matrix>(all.data(), std::ssize(all) / columns, columns));
  return own;
}

Start of_rows(Start whole, Index first_row, Index rows) {
  if (whole.Y.size() == 0) return whole;
  require_among(first_row, rows, whole.Y.rows());
  whole.Y = Matrix(whole.Y.middleRows(first_row, rows));
  return whole;
}

}  // namespace low_rank

void write_checkpoint_to(TextSink& sink, const Checkpoint& checkpoint) {
  const Start& point = checkpoint.point;
  const SparseVector x = SparseVector::of(point.x);
  CountingSink payload;
  write_payload(payload, checkpoint, x);
  CheckpointHeader header{};
  std::copy(kCheckpointMagic.begin(), kCheckpointMagic.end(), header.magic.begin());
  header.version = kCheckpointVersion;
  header.file_bytes = sizeof(header) + payload.bytes + sizeof(std::uint64_t);
  header.options = checkpoint.options.size();
  header.data = checkpoint.data;
  numbers_of(header) = numbers_of(checkpoint.now);
  header.is_certified = checkpoint.now.is_certified ? 1 : 0;
  if (checkpoint.matrix) {
    const auto& [X, Y] = *checkpoint.matrix;
    header.kind = CheckpointKind::matrix;
    header.sizes = {X.rows(), X.rank(), X.columns(), Y.rows(), Y.cols()};
  } else {
    header.multiplier = point.multiplier;
    header.sizes = {x.size, static_cast<Index>(x.at.size()), static_cast<Index>(point.y.size()), 0, 0};
  }
  ChecksumSink writer(&sink);
  write_one(writer, header);
  write_payload(writer, checkpoint, x);
  write_one(sink, writer.value());
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  require_little_endian(path);
  write_whole_file(path, [&](OutputFile& file) { write_checkpoint_to(file, checkpoint); });
}

Checkpoint read_checkpoint_from(ByteSource& source, const std::string& name) {
  // Read, not mapped: a program that replaces the file meanwhile does no harm.
  const LoadedFile file = load_all(source, name);
  auto header =
      checked_header<CheckpointHeader>(file.bytes, {kCheckpointMagic, kCheckpointVersion, "checkpoint"}, name);
  const std::span<const std::byte> payload = file.bytes.subspan(sizeof(header));
  Cursor cursor(payload.first(payload.size() - sizeof(std::uint64_t)), name);
  Checkpoint checkpoint;
  for (std::uint64_t k = 0; k < header.options; ++k) {
    const std::vector<std::uint64_t> sizes = cursor.take<std::uint64_t>(2);
    std::string text = cursor.text(sizes[0]);
    checkpoint.options.push_back({std::move(text), cursor.text(sizes[1])});
  }
  checkpoint.data = header.data;
  numbers_of(checkpoint.now) = numbers_of(header);
  checkpoint.now.is_certified = header.is_certified != 0;
  if (header.kind == CheckpointKind::vector)
    checkpoint.point = read_vector(cursor, header);
  else if (header.kind == CheckpointKind::matrix)
    checkpoint.matrix = std::make_shared<const low_rank::Start>(read_matrix(cursor, header));
  else
    throw InputError(fmt::format("{}: a checkpoint of an unknown kind", name));
  cursor.expect_end();
  return checkpoint;
}

Checkpoint read_checkpoint(const std::string& path) {
  RawInput input(path);
  return read_checkpoint_from(input, input.name());
}

bool is_checkpoint(const std::string& path) { return file_begins_with(path, kCheckpointMagic); }

}  // namespace pdbfw
