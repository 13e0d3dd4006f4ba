#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>

#include "pdbfw/mpi.hpp"

namespace pdbfw {
namespace {

// Lengths are int in MPI; longer arrays go in pieces.
constexpr std::size_t kPiece = std::size_t{1} << 27U;
// So few bytes, from all together, cost less than a message more.
constexpr std::size_t kFewBytes = std::size_t{1} << 16U;

// While an answer may come at any moment: ask again at once, but let others run, as there may be more processes than
// processors. Later after naps that are a share of the wait so far: what they add to it is at most that.
constexpr double kEager = 0.0005;
constexpr double kNapShare = 0.05, kLongestNap = 0.001;
// MPI looks at its sockets only once in eight calls.
constexpr int kTests = 8;

// Who is told to stop goes on this many seconds: the others have most often been told too, or hear of it at the end of
// their sweep, and then all end together with the best point so far.
constexpr double kGrace = 10;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class MpiTeam final : public Team {
 public:
  MpiTeam(MPI_Comm communicator, MpiOptions options) : options_(std::move(options)) {
    // What MPI cannot do comes back as a code, and is thrown here, in place of ending the program.
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    check(MPI_Comm_dup(communicator, &communicator_));
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
    check(MPI_Comm_size(communicator_, &size_));
    check(MPI_Comm_rank(communicator_, &rank_));
  }
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;
  ~MpiTeam() override {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over == 0 && !is_lost_) MPI_Comm_free(&communicator_);
  }

  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] Traffic traffic() const override { return traffic_; }

  // Not MPI_Iallreduce: in Open MPI it climbs and descends a tree, which is 2 log2(size) messages one after the other,
  // each of all the numbers; and nothing promises the same bits everywhere. Here it is one message for a few numbers
  // and two for many, always added in the order of the ranks.
  void sum(std::span<double> values) override {
    const std::size_t few = kFewBytes / sizeof(double) / static_cast<std::size_t>(size_);
    for (std::size_t at = 0; at < values.size(); at += kPiece) {
      const std::span<double> piece = values.subspan(at, std::min(kPiece, values.size() - at));
      if (piece.size() <= few)
        sum_of_few(piece);
      else
        sum_in_shares(piece);
      traffic_.count(piece.size_bytes());
    }
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
    return gather(own, true);
  }
  [[nodiscard]] std::vector<std::vector<std::byte>> gather_at_first(std::span<const std::byte> own) override {
    return gather(own, false);
  }

 private:
  // At all, or at rank 0 alone.
  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own, bool is_for_all) {
    const bool is_given = is_for_all || rank_ == 0;
    std::vector<std::uint64_t> bytes(static_cast<std::size_t>(size_));
    const std::uint64_t own_bytes = own.size();
    MPI_Request request = MPI_REQUEST_NULL;
    double begin = now();
    check(MPI_Iallgather(&own_bytes, 1, MPI_UINT64_T, bytes.data(), 1, MPI_UINT64_T, communicator_, &request));
    wait(request, begin);
    std::vector<std::vector<std::byte>> all;
    for (const std::uint64_t size : bytes)
      if (is_given) all.emplace_back(size);
    const std::uint64_t longest = *std::max_element(bytes.begin(), bytes.end());
    std::vector<int> counts(bytes.size()), places(bytes.size());
    // All send a piece of a size that keeps the sum of all pieces an int.
    const std::uint64_t piece = std::max<std::uint64_t>(1, kPiece / bytes.size());
    for (std::uint64_t at = 0; at < longest; at += piece) {
      int total = 0;
      for (std::size_t r = 0; r < bytes.size(); ++r) {
        counts[r] = static_cast<int>(std::min(piece, bytes[r] - std::min(at, bytes[r])));
        places[r] = total;
        total += counts[r];
      }
      std::vector<std::byte> received(is_given ? static_cast<std::size_t>(total) : 0);
      const auto own_count = counts[static_cast<std::size_t>(rank_)];
      const std::byte* const from = own.data() + std::min<std::size_t>(at, own.size());
      begin = now();
      check(is_for_all ? MPI_Iallgatherv(from, own_count, MPI_BYTE, received.data(), counts.data(), places.data(),
                                         MPI_BYTE, communicator_, &request)
                       : MPI_Igatherv(from, own_count, MPI_BYTE, received.data(), counts.data(), places.data(),
                                      MPI_BYTE, 0, communicator_, &request));
      wait(request, begin);
      for (std::size_t r = 0; r < all.size(); ++r)
        std::copy_n(received.begin() + places[r], counts[r],
                    all[r].begin() + static_cast<std::ptrdiff_t>(std::min(at, bytes[r])));
    }
    traffic_.count(own.size());
    return all;
  }

  // Every member receives the numbers of all members.
  void sum_of_few(std::span<double> values) {
    const int count = static_cast<int>(values.size());
    received_.resize(values.size() * static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    const double begin = now();
    check(
        MPI_Iallgather(values.data(), count, MPI_DOUBLE, received_.data(), count, MPI_DOUBLE, communicator_, &request));
    wait(request, begin);
    add_received(values);
  }

  // Every member receives all members' numbers of one share, adds them, and sends the sums to all others.
  void sum_in_shares(std::span<double> values) {
    const auto size = static_cast<std::size_t>(size_);
    std::vector<int> counts(size), places(size), received_counts(size), received_places(size);
    const auto begin_of = [&](std::size_t r) { return values.size() * r / size; };
    const auto own = static_cast<std::size_t>(rank_);
    const std::size_t own_count = begin_of(own + 1) - begin_of(own);
    for (std::size_t r = 0; r < size; ++r) {
      places[r] = static_cast<int>(begin_of(r));
      counts[r] = static_cast<int>(begin_of(r + 1) - begin_of(r));
      received_counts[r] = static_cast<int>(own_count);
      received_places[r] = static_cast<int>(own_count * r);
    }
    received_.resize(own_count * size);
    MPI_Request request = MPI_REQUEST_NULL;
    double begin = now();
    check(MPI_Ialltoallv(values.data(), counts.data(), places.data(), MPI_DOUBLE, received_.data(),
                         received_counts.data(), received_places.data(), MPI_DOUBLE, communicator_, &request));
    wait(request, begin);
    const std::span<double> share = values.subspan(begin_of(own), own_count);
    add_received(share);
    share_.assign(share.begin(), share.end());
    begin = now();
    check(MPI_Iallgatherv(share_.data(), static_cast<int>(own_count), MPI_DOUBLE, values.data(), counts.data(),
                          places.data(), MPI_DOUBLE, communicator_, &request));
    wait(request, begin);
  }

  // sums <- what was received, rank after rank.
  void add_received(std::span<double> sums) const {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t at = 0; at < received_.size(); at += sums.size())
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += received_[at + i];
  }

  void wait(MPI_Request& request, double begin) {
    int is_done = 0;
    double told = -1;  // after so long a wait
    for (double waited = 0; is_done == 0; waited = now() - begin) {
      for (int test = 0; test < kTests && is_done == 0; ++test) check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE));
      if (is_done != 0) break;
      if (told < 0 && options_.gives_up && options_.gives_up()) told = waited;
      if (told >= 0 && waited - told > kGrace) lose("told to stop while waiting for the other processes");
      if (waited > options_.patience)
        lose("nothing was heard from the other processes for " +
             std::to_string(static_cast<std::int64_t>(options_.patience)) + " s");
      if (waited < kEager)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::duration<double>(std::min(kLongestNap, kNapShare * waited)));
    }
    traffic_.seconds += now() - begin;
  }

  [[noreturn]] void lose(const std::string& why) {
    is_lost_ = true;
    throw TeamLost(why);
  }

  void check(int code) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    lose("MPI: " + std::string(text, static_cast<std::size_t>(length)));
  }

  MpiOptions options_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int size_ = 1, rank_ = 0;
  Traffic traffic_;
  std::vector<double> received_, share_;
  bool is_lost_ = false;
};

}  // namespace

TeamPtr mpi_team(MPI_Comm communicator, MpiOptions options) {
  return std::make_shared<MpiTeam>(communicator, std::move(options));
}

}  // namespace pdbfw
