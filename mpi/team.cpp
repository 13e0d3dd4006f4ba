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

// While an answer may come at any moment: ask again at once, but let others run, as there may be more processes than
// processors. Later, rarely.
constexpr double kEager = 0.02;
constexpr std::chrono::microseconds kNap{200};

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

  void sum(std::span<double> values) override {
    for (std::size_t at = 0; at < values.size(); at += kPiece) {
      const std::span<double> piece = values.subspan(at, std::min(kPiece, values.size() - at));
      MPI_Request request = MPI_REQUEST_NULL;
      const double begin = now();
      check(MPI_Iallreduce(MPI_IN_PLACE, piece.data(), static_cast<int>(piece.size()), MPI_DOUBLE, MPI_SUM,
                           communicator_, &request));
      wait(request, begin, piece.size_bytes());
    }
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
    std::vector<std::uint64_t> bytes(static_cast<std::size_t>(size_));
    const std::uint64_t own_bytes = own.size();
    MPI_Request request = MPI_REQUEST_NULL;
    double begin = now();
    check(MPI_Iallgather(&own_bytes, 1, MPI_UINT64_T, bytes.data(), 1, MPI_UINT64_T, communicator_, &request));
    wait(request, begin, sizeof(own_bytes));
    std::vector<std::vector<std::byte>> all;
    for (const std::uint64_t size : bytes) all.emplace_back(size);
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
      std::vector<std::byte> received(static_cast<std::size_t>(total));
      const auto own_count = counts[static_cast<std::size_t>(rank_)];
      begin = now();
      check(MPI_Iallgatherv(own.data() + std::min<std::size_t>(at, own.size()), own_count, MPI_BYTE, received.data(),
                            counts.data(), places.data(), MPI_BYTE, communicator_, &request));
      wait(request, begin, static_cast<std::size_t>(own_count));
      for (std::size_t r = 0; r < bytes.size(); ++r)
        std::copy_n(received.begin() + places[r], counts[r],
                    all[r].begin() + static_cast<std::ptrdiff_t>(std::min(at, bytes[r])));
    }
    return all;
  }

 private:
  void wait(MPI_Request& request, double begin, std::size_t bytes) {
    int is_done = 0;
    for (double waited = 0; is_done == 0; waited = now() - begin) {
      check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE));
      if (is_done != 0) break;
      if (options_.gives_up && options_.gives_up()) lose("told to stop while waiting for the other processes");
      if (waited > options_.patience)
        lose("nothing was heard from the other processes for " +
             std::to_string(static_cast<std::int64_t>(options_.patience)) + " s");
      if (waited < kEager)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(kNap);
    }
    ++traffic_.calls;
    traffic_.bytes += static_cast<double>(bytes);
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
  bool is_lost_ = false;
};

}  // namespace

TeamPtr mpi_team(MPI_Comm communicator, MpiOptions options) {
  return std::make_shared<MpiTeam>(communicator, std::move(options));
}

}  // namespace pdbfw
