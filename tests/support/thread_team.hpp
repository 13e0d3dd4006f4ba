// A team whose members are threads of this program.
//
//   run_team(3, [&](const TeamPtr& team) { ... });   // three times at once; what one throws comes out here
//
// A member that is out of step (another function, another length, or gone) is an error at all others, so that a test
// fails and never hangs.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "pdbfw/team.hpp"

namespace pdbfw::test {

// Where the members meet: everybody leaves what it has, and takes what all have left.
class Meeting {
 public:
  enum class Kind { sum, gather };
  using Bytes = std::vector<std::byte>;
  using All = std::shared_ptr<const std::vector<Bytes>>;

  Meeting(int size, Index calls) : size_(size), calls_left_(calls), left_(static_cast<std::size_t>(size)) {}

  [[nodiscard]] int size() const { return size_; }

  [[nodiscard]] All exchange(int rank, Kind kind, Bytes own) {
    std::unique_lock lock(mutex_);
    if (is_broken_) throw TeamLost("a member of the team has gone");
    if (calls_left_ == 0) throw TeamLost("the team was lost, as the test wants");
    if (arrived_ == 0) {
      kind_ = kind;
      length_ = own.size();
    } else if (kind != kind_ || (kind == Kind::sum && own.size() != length_)) {
      is_broken_ = true;
      changed_.notify_all();
      throw std::logic_error("the members of the team are out of step");
    }
    left_[static_cast<std::size_t>(rank)] = std::move(own);
    const Index round = round_;
    if (++arrived_ == size_) {
      all_ = std::make_shared<const std::vector<Bytes>>(std::exchange(left_, std::vector<Bytes>(left_.size())));
      arrived_ = 0;
      --calls_left_;
      ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round || is_broken_; });
      if (round_ == round) throw TeamLost("a member of the team has gone");
    }
    return all_;  // nobody can have come to the next round's end: that takes this member too
  }

  void leave() {
    const std::lock_guard lock(mutex_);
    is_broken_ = true;
    changed_.notify_all();
  }

 private:
  int size_;
  Index calls_left_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Bytes> left_;
  All all_;
  Kind kind_ = Kind::sum;
  std::size_t length_ = 0;
  int arrived_ = 0;
  Index round_ = 0;
  bool is_broken_ = false;
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(std::shared_ptr<Meeting> meeting, int rank) : meeting_(std::move(meeting)), rank_(rank) {}

  [[nodiscard]] int size() const override { return meeting_->size(); }
  [[nodiscard]] int rank() const override { return rank_; }

  void sum(std::span<double> values) override {
    const Meeting::All all = meet(Meeting::Kind::sum, std::as_bytes(values));
    std::vector<double> one(values.size());
    std::fill(values.begin(), values.end(), 0.0);
    for (const Meeting::Bytes& bytes : *all) {  // in the order of the ranks: the same bits everywhere
      if (!bytes.empty()) std::memcpy(one.data(), bytes.data(), bytes.size());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += one[i];
    }
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
    return *meet(Meeting::Kind::gather, own);
  }

  [[nodiscard]] Traffic traffic() const override { return traffic_; }

 private:
  [[nodiscard]] Meeting::All meet(Meeting::Kind kind, std::span<const std::byte> own) {
    traffic_.count(own.size());
    return meeting_->exchange(rank_, kind, Meeting::Bytes(own.begin(), own.end()));
  }

  std::shared_ptr<Meeting> meeting_;
  int rank_;
  Traffic traffic_;
};

// Runs `member` once for every rank, each in a thread of its own. From the call after the first `calls` on, every
// member is told that the team is lost.
inline void run_team(int size, const std::function<void(const TeamPtr&)>& member,
                     Index calls = std::numeric_limits<Index>::max()) {
  const auto meeting = std::make_shared<Meeting>(size, calls);
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      try {
        member(std::make_shared<ThreadTeam>(meeting, rank));
      } catch (...) {
        thrown[static_cast<std::size_t>(rank)] = std::current_exception();
      }
      meeting->leave();
    });
  for (std::thread& thread : threads) thread.join();

  std::exception_ptr lost;  // only what followed from another's error
  for (const std::exception_ptr& error : thrown) try {
      if (error) std::rethrow_exception(error);
    } catch (const TeamLost&) {
      lost = error;
    }
  if (lost) std::rethrow_exception(lost);
}

}  // namespace pdbfw::test
