// Checkpoint files: what was written is read back bit for bit, and nothing else is read.
#include "pdbfw/checkpoint.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/checksum.hpp"
#include "io/bytes/output_file.hpp"
#include "io/checkpoints/checkpoint_file.hpp"
#include "io/message.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/low_rank.hpp"
#include "support/thread_team.hpp"

namespace pdbfw::test {
namespace checkpoint_test {

Checkpoint small() {
  return {.options = {{"--radius", "10"}, {"MODEL", ""}},
          .data = {3, 4, 5, 0xfedcba9876543210U},
          .now = {.iteration = 7, .seconds = 1.5, .primal = 2, .dual = 1, .gap = 1, .relative_gap = 0.5, .nonzeros = 2},
          .point = {{0, -1.5, 0, 1e-300}, {1, 0, -2}, 0.25}};
}

Checkpoint small_matrix() {
  low_rank::Start start{{Matrix::Constant(4, 1, 0.5), Vector::Constant(1, 3.0), Matrix::Constant(2, 1, -1.0)},
                        Matrix::Constant(3, 2, 0.125)};
  return {.data = {3, 4, 5, 6}, .matrix = std::make_shared<const low_rank::Start>(std::move(start))};
}

std::string bytes_of(const Checkpoint& checkpoint) {
  MemorySink sink;
  write_checkpoint_to(sink, checkpoint);
  return sink.text();
}

Checkpoint parse(std::string_view bytes) {
  MemorySource source(bytes);
  return read_checkpoint_from(source, "f");
}

std::string refusal(std::string_view bytes) {
  return message_of([&] { static_cast<void>(parse(bytes)); });
}

// Another number in the header, and a checksum that agrees with it.
template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
  const std::size_t size = bytes.size() - sizeof(std::uint64_t);
  const std::uint64_t sum = chunked_checksum(std::as_bytes(std::span(bytes).first(size)), 1);
  std::memcpy(bytes.data() + size, &sum, sizeof(sum));
  return bytes;
}

TEST(Checkpoint, IsReadBackAsItWas) {
  const Checkpoint back = parse(bytes_of(small()));
  EXPECT_EQ(back.options, small().options);
  EXPECT_EQ(back.data, small().data);
  EXPECT_EQ(back.point.x, small().point.x);
  EXPECT_EQ(back.point.y, small().point.y);
  EXPECT_EQ(back.point.multiplier, 0.25);
  EXPECT_EQ(back.now.iteration, 7);
  EXPECT_EQ(back.now.seconds, 1.5);
  EXPECT_EQ(back.now.relative_gap, 0.5);
  EXPECT_FALSE(back.now.is_certified);
  EXPECT_EQ(back.matrix, nullptr);
  EXPECT_EQ(bytes_of(back), bytes_of(small()));
}

TEST(Checkpoint, AMatrixIsReadBackAsItWas) {
  const Checkpoint back = parse(bytes_of(small_matrix()));
  ASSERT_NE(back.matrix, nullptr);
  EXPECT_EQ(back.matrix->X.dense(), small_matrix().matrix->X.dense());
  EXPECT_EQ(back.matrix->Y, small_matrix().matrix->Y);
  EXPECT_EQ(bytes_of(back), bytes_of(small_matrix()));
}

TEST(Checkpoint, NothingYetIsAPointToo) {
  const Checkpoint back = parse(bytes_of({}));
  EXPECT_TRUE(back.point.x.empty());
  EXPECT_TRUE(back.point.y.empty());
}

TEST(Checkpoint, FilesAreReplacedAsAWhole) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path("c"), small());
  Checkpoint later = small();
  later.now.iteration = 8;
  write_checkpoint(folder.path("c"), later);
  EXPECT_EQ(read_checkpoint(folder.path("c")).now.iteration, 8);
  EXPECT_EQ(folder.files(), 1U);
  EXPECT_TRUE(is_checkpoint(folder.path("c")));
  folder.write("text", "1 1:1\n");
  EXPECT_FALSE(is_checkpoint(folder.path("text")));
  EXPECT_FALSE(is_checkpoint(folder.path("none")));
  EXPECT_FALSE(is_checkpoint("-"));
}

TEST(Checkpoint, EveryCutAndEveryChangedByteIsAnError) {
  for (const std::string& bytes : {bytes_of(small()), bytes_of(small_matrix())}) {
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_NE(refusal(bytes.substr(0, size)).find(size == 0 ? "f: not a checkpoint" : "(truncated file?)"),
                std::string::npos)
          << size;
    EXPECT_NE(refusal(bytes + "x").find("(truncated file?)"), std::string::npos);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      EXPECT_FALSE(refusal(changed).empty()) << at;
    }
  }
}

TEST(Checkpoint, SaysWhatIsWrong) {
  const std::string good = bytes_of(small());
  EXPECT_EQ(refusal("1 1:1\n"), "f: not a checkpoint");
  EXPECT_EQ(refusal(good.substr(0, 100)), "f: 100 bytes are too few for a checkpoint (truncated file?)");
  std::string changed = good;
  changed[good.size() - 9] = static_cast<char>(changed[good.size() - 9] ^ 1);
  EXPECT_EQ(refusal(changed), "f: wrong checksum (damaged file?)");
  EXPECT_EQ(refusal(with<std::uint32_t>(good, offsetof(CheckpointHeader, version), 9)),
            "f: a checkpoint of version 9; this pdbfw reads version 1");
  EXPECT_EQ(refusal(with<std::uint32_t>(good, offsetof(CheckpointHeader, kind), 9)),
            "f: a checkpoint of an unknown kind");
}

// Whatever a header promises, memory is asked for only when the bytes are there.
TEST(Checkpoint, SizesThatContradictEachOtherAreRefused) {
  constexpr std::string_view kSays = "f: the sizes in its header contradict each other";
  for (const std::string& good : {bytes_of(small()), bytes_of(small_matrix())}) {
    EXPECT_EQ(refusal(with<std::uint64_t>(good, offsetof(CheckpointHeader, options), 1'000'000)), kSays);
    for (std::size_t k = 0; k < 5; ++k)
      for (const Index value : {Index{-1}, Index{1'000}, Index{1} << 40U, std::numeric_limits<Index>::max()}) {
        if (good == bytes_of(small()) && k == 0 && value > 0) continue;  // a longer x takes no more bytes
        EXPECT_EQ(refusal(with<Index>(good, offsetof(CheckpointHeader, sizes) + k * sizeof(Index), value)), kSays)
            << k << ' ' << value;
      }
  }
  EXPECT_NE(refusal(with<Index>(bytes_of(small()), offsetof(CheckpointHeader, sizes), Index{1} << 60U)).find("memory"),
            std::string::npos);
}

// ---- who may write where

TEST(Checkpoint, WhatAKilledWriterLeftIsTakenOver) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path("c"), small());
  for (int time = 0; time < 3; ++time) {
    folder.write("c.tmp-0", "half of");
    folder.write("c.tmp-1", "half of");  // further ones stay until they are in the way
    write_checkpoint(folder.path("c"), small());
    EXPECT_EQ(folder.files(), 2U);
  }
}

TEST(Checkpoint, WhatALivingWriterHoldsStays) {
  const TemporaryFolder folder;
  OutputFile first(folder.path("c"));
  first.write("first");
  write_checkpoint(folder.path("c"), small());
  EXPECT_EQ(read_checkpoint(folder.path("c")).now.iteration, 7);
  first.commit();
  EXPECT_EQ(folder.read("c"), "first");
  EXPECT_EQ(folder.files(), 1U);
}

// ---- fingerprints

MatrixPtr sparse() { return own_csr<double, std::int32_t>(3, 3, {0, 2, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}); }

TEST(Fingerprint, StorageDoesNotMatter) {
  const std::vector<double> target{1, -1, 1};
  const DataFingerprint one = fingerprint(*sparse(), target);
  EXPECT_EQ(one.rows, 3);
  EXPECT_EQ(one.features, 3);
  EXPECT_EQ(one.entries, 4);
  EXPECT_EQ(fingerprint(*own_dense_rows<double>(3, 3, {1, 0, 2, 0, 0, 0, 0, 3, 4}), target), one);
  EXPECT_EQ(fingerprint(*own_dense_rows<float>(3, 3, {1, -0.0F, 2, 0, 0, 0, 0, 3, 4}), target), one);
  EXPECT_EQ(fingerprint(*own_csr<float, std::int64_t>(3, 3, {0, 3, 3, 5}, {0, 1, 2, 1, 2}, {1, 0, 2, 3, 4}), target),
            one);
}

TEST(Fingerprint, EveryChangeShows) {
  const std::vector<double> target{1, -1, 1};
  const DataFingerprint one = fingerprint(*sparse(), target);
  const auto says = [&](const MatrixPtr& A, const std::vector<double>& b) {
    return message_of([&] { one.require_same(fingerprint(*A, b)); });
  };
  one.require_same(one);
  EXPECT_EQ(says(own_csr<double, std::int32_t>(2, 3, {0, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}), {1, -1}),
            "data: 2 rows breaks the rule: 3 rows, as the checkpoint has");
  EXPECT_EQ(says(own_csr<double, std::int32_t>(3, 4, {0, 2, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}), target),
            "data: 4 features breaks the rule: 3 features, as the checkpoint has");
  EXPECT_EQ(says(own_csr<double, std::int32_t>(3, 3, {0, 2, 2, 3}, {0, 2, 1}, {1, 2, 3}), target),
            "data: 3 entries breaks the rule: 4 entries, as the checkpoint has");
  const std::string contents =
      "data: other contents breaks the rule: those of the checkpoint; it has as many rows, features and entries";
  EXPECT_EQ(says(sparse(), {1, 1, 1}), contents);
  EXPECT_EQ(says(sparse(), {-1, 1, 1}), contents);
  EXPECT_EQ(says(own_csr<double, std::int32_t>(3, 3, {0, 2, 2, 4}, {0, 1, 1, 2}, {1, 2, 3, 4}), target), contents);
  EXPECT_EQ(says(own_csr<double, std::int32_t>(3, 3, {0, 2, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4.5}), target), contents);
  EXPECT_EQ(says(own_csr<double, std::int32_t>(3, 3, {0, 2, 4, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}), target), contents);
}

TEST(Fingerprint, TargetsBelongToRows) {
  EXPECT_EQ(fingerprint(*sparse(), {}).rows, 3);
  EXPECT_EQ(message_of([] { static_cast<void>(fingerprint(*sparse(), std::vector<double>(4))); }),
            "targets: 4 of them breaks the rule: equally many for each of 3 rows");
}

RC_GTEST_PROP(Fingerprint, ThreadsAndDivisionDoNotMatter, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 60), d = *rc::gen::inRange<Index>(1, 6);
  const auto values =
      *rc::gen::container<std::vector<float>>(static_cast<std::size_t>(n * d), rc::gen::arbitrary<float>());
  std::vector<double> A(values.begin(), values.end()), b(static_cast<std::size_t>(n), 0.5);
  for (double& value : A) value = std::isfinite(value) ? value : 0;
  const DataFingerprint whole = fingerprint(*borrow_dense_rows<double>(n, d, A), b);
  RC_ASSERT(fingerprint(*borrow_dense_rows<double>(n, d, A), b, 3) == whole);
  const auto members = static_cast<int>(*rc::gen::inRange<Index>(1, std::min<Index>(n, 4) + 1));
  std::vector<DataFingerprint> of_member(static_cast<std::size_t>(members));
  run_team(members, [&](const TeamPtr& team) {
    const Index first = n * team->rank() / members, last = n * (team->rank() + 1) / members;
    const std::span<const double> rows = std::span<const double>(A).subspan(
        static_cast<std::size_t>(first * d), static_cast<std::size_t>((last - first) * d));
    of_member[static_cast<std::size_t>(team->rank())] =
        fingerprint(*borrow_dense_rows<double>(last - first, d, rows),
                    std::span<const double>(b).first(static_cast<std::size_t>(last - first)), 1, first, team);
  });
  for (const DataFingerprint& own : of_member) RC_ASSERT(own == whole);
}

// ---- the point of a team

TEST(Checkpoint, ATeamGathersAndDividesItsPoint) {
  run_team(3, [&](const TeamPtr& team) {
    const std::vector<std::vector<double>> y{{1, 2}, {}, {3}};
    const std::vector<Index> first{0, 2, 2};
    const auto rank = static_cast<std::size_t>(team->rank());
    const Start whole = gathered({{5, 6}, y[rank], 0.5}, team);
    EXPECT_EQ(whole.x, (std::vector<double>{5, 6}));
    EXPECT_EQ(whole.y, rank == 0 ? (std::vector<double>{1, 2, 3}) : std::vector<double>{}) << "only rank 0 writes";
    EXPECT_EQ(whole.multiplier, 0.5);
    EXPECT_EQ(of_rows(Start{{}, {1, 2, 3}, 0}, first[rank], static_cast<Index>(y[rank].size())).y, y[rank]);
  });
  EXPECT_EQ(gathered({{1}, {2}, 3}, nullptr).y, std::vector<double>{2});
  EXPECT_TRUE(of_rows({{1}, {}, 0}, 5, 7).y.empty());
  EXPECT_EQ(message_of([] {
              static_cast<void>(of_rows({{}, {1, 2}, 0}, 1, 2));
            }),
            "rows: 2 from 1 on breaks the rule: some of the 2 of the checkpoint");
}

TEST(Checkpoint, ATeamGathersAndDividesAMatrix) {
  Matrix all(4, 2);
  all << 1, 2, 3, 4, 5, 6, 7, 8;
  run_team(3, [&](const TeamPtr& team) {
    const Index first = 4 * team->rank() / 3, rows = 4 * (team->rank() + 1) / 3 - first;
    const low_rank::Start own{.Y = all.middleRows(first, rows)};
    const low_rank::Start whole = gathered(own, team);
    if (team->rank() == 0) {
      EXPECT_EQ(whole.Y, all);
    } else {
      EXPECT_EQ(whole.Y.size(), 0);
    }
    EXPECT_EQ(of_rows(low_rank::Start{.Y = all}, first, rows).Y, own.Y);
  });
  EXPECT_EQ(gathered(low_rank::Start{.Y = all}, nullptr).Y, all);
  EXPECT_EQ(of_rows(low_rank::Start{}, 5, 7).Y.size(), 0);
  EXPECT_THROW(static_cast<void>(of_rows(low_rank::Start{.Y = all}, 3, 2)), InputError);
}

}  // namespace checkpoint_test
}  // namespace pdbfw::test
