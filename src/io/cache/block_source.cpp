#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "base/clock.hpp"
#include "io/cache/block_reader.hpp"
#include "linalg/chosen_rows.hpp"

namespace pdbfw {
namespace {

Index entries_of(const Lines& lines) {
  return std::visit([](const auto& own) { return static_cast<Index>(own.value.size()); }, lines);
}

}  // namespace

// One pass: while one block is looked at, the next is read, on a thread that lives for the pass.
class BlockAhead {
 public:
  explicit BlockAhead(const BlockSource& source)
      : source_(source), next_(source.first_block_), asked_(source.first_block_) {
    if (source.last_block_ - source.first_block_ < 2) return;
    try {
      reader_ = std::thread([this] { read_on(); });
    } catch (const std::system_error&) {
      // The system gives no thread: blocks are read when they are asked for.
    }
  }
  BlockAhead(const BlockAhead&) = delete;
  BlockAhead& operator=(const BlockAhead&) = delete;
  ~BlockAhead() {
    {
      const std::lock_guard<std::mutex> lock(guard_);
      is_over_ = true;
    }
    changed_.notify_all();
    if (reader_.joinable()) reader_.join();
  }

  struct Block {
    Index first = 0;
    Lines lines{};
    BlockBuffer buffer{};
  };

  // Null at the end. The block before it is given back.
  const Block* next() {
    if (next_ == source_.last_block_) return nullptr;
    Block& block = slots_[next_ % slots_.size()];
    if (!reader_.joinable()) {
      fill(next_, block);
      ++next_;
      return &block;
    }
    const Stopwatch watch;
    std::unique_lock<std::mutex> lock(guard_);
    asked_ = next_ + 1;
    changed_.notify_all();
    changed_.wait(lock, [&] { return read_ > next_ - source_.first_block_ || failure_; });
    if (read_ <= next_ - source_.first_block_) std::rethrow_exception(failure_);
    ++next_;
    source_.count(0, 0, watch.seconds(), 0);
    return &block;
  }

 private:
  void fill(std::size_t k, Block& block) const {
    const Stopwatch watch;
    block.lines = source_.read(k, block.buffer, block.first);
    source_.count(static_cast<double>(block.buffer.bytes.size()), watch.seconds(), 0, 0);
  }

  // A slot is free again when the block after the one that lay there is asked for.
  void read_on() {
    try {
      for (std::size_t k = source_.first_block_; k < source_.last_block_; ++k) {
        {
          std::unique_lock<std::mutex> lock(guard_);
          changed_.wait(lock, [&] { return is_over_ || k <= asked_; });
          if (is_over_) return;
        }
        fill(k, slots_[k % slots_.size()]);
        {
          const std::lock_guard<std::mutex> lock(guard_);
          ++read_;
        }
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  const BlockSource& source_;
  std::array<Block, 2> slots_;
  std::size_t next_;  // what is asked for next
  std::mutex guard_;  // guards the rest
  std::condition_variable changed_;
  std::size_t asked_;     // one more than the last block that was asked for
  std::size_t read_ = 0;  // how many blocks have been read
  bool is_over_ = false;
  std::exception_ptr failure_;
  std::thread reader_;
};

BlockSource::BlockSource(std::shared_ptr<const BlockFile> file, ReadOptions::RowRange range, Index columns, double room)
    : file_(std::move(file)), range_(range), columns_(columns), room_(room) {
  const std::span<const BlockEntry> blocks = file_->blocks();
  const auto first = std::partition_point(blocks.begin(), blocks.end(), [&](const BlockEntry& block) {
    return block.first_row + block.rows <= range_.first;
  });
  const auto last =
      std::partition_point(first, blocks.end(), [&](const BlockEntry& block) { return block.first_row < range_.last; });
  first_block_ = static_cast<std::size_t>(first - blocks.begin());
  last_block_ = static_cast<std::size_t>(last - blocks.begin());
  for (std::size_t k = first_block_; k < last_block_; ++k) {
    const BlockEntry& block = blocks[k];
    const bool is_whole = block.first_row >= range_.first && block.first_row + block.rows <= range_.last;
    BlockBuffer buffer;
    Index ignored = 0;
    nonzeros_ += is_whole ? block.entries : entries_of(read(k, buffer, ignored));
  }
}

Lines BlockSource::read(std::size_t k, BlockBuffer& buffer, Index& first) const {
  const BlockEntry& block = file_->blocks()[k];
  Lines lines = file_->read(k, columns_, buffer);
  const Index begin = std::max<Index>(0, range_.first - block.first_row);
  const Index end = std::min(block.rows, range_.last - block.first_row);
  first = block.first_row + begin - range_.first;
  if (begin == 0 && end == block.rows) return lines;
  return some_lines(lines, begin, end, buffer.offsets);
}

void BlockSource::visit(const RowVisitor& visitor) const {
  BlockAhead ahead(*this);
  while (const BlockAhead::Block* block = ahead.next()) visitor(block->first, block->lines);
  count(0, 0, 0, 1);
}

std::vector<double> BlockSource::targets() const {
  std::vector<double> targets(static_cast<std::size_t>(rows()));
  std::vector<double> of_block;
  for (std::size_t k = first_block_; k < last_block_; ++k) {
    const BlockEntry& block = file_->blocks()[k];
    of_block.resize(static_cast<std::size_t>(block.rows));
    file_->read_targets(k, of_block);
    const Index begin = std::max<Index>(0, range_.first - block.first_row);
    const Index end = std::min(block.rows, range_.last - block.first_row);
    std::copy(of_block.begin() + begin, of_block.begin() + end,
              targets.begin() + (block.first_row + begin - range_.first));
  }
  return targets;
}

RowSource::Traffic BlockSource::traffic() const {
  const std::lock_guard<std::mutex> lock(guard_);
  return traffic_;
}

void BlockSource::count(double bytes, double seconds, double waited, Index passes) const {
  const std::lock_guard<std::mutex> lock(guard_);
  traffic_.bytes += bytes;
  traffic_.seconds += seconds;
  traffic_.waited += waited;
  traffic_.passes += passes;
}

}  // namespace pdbfw
