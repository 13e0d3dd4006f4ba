// What `sequential` and `sharded` have in common: when a sweep does what.
#pragma once

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Refreshes of lambda in a sweep: as often as they pay. One costs about |W|, a sweep costs 2 nnz(A_W).
inline constexpr Index kRefreshCost = 2;
inline constexpr Index kMostRefreshes = 32;
inline constexpr Index kFewestRefreshes = 2;
// Rows are visited in chunks that lie together in memory; small data is shuffled row by row.
inline constexpr Index kLargestChunk = 32;
inline constexpr Index kFewestChunks = 256;
// Rounding may make D seem to fall by this share.
inline constexpr double kDualRounding = 1e-12;
// float32 copies of float64 data are good for gaps down to about this, and for entries from 1 / this to this.
inline constexpr double kFloatIsEnough = 1e-7;
inline constexpr double kFloatHolds = 1e30;
// The gap is some small multiple of the last rise of D; it is computed when that is this near to the tolerance.
inline constexpr double kWorthVerifying = 4;
// A claim on W leaves room for what the other features add.
inline constexpr double kClaimShare = 0.5;

// [M16]  W loses the features that are inside the zone by more than this share of its multiplier once a sweep raises D
// by no more than that share; at first it keeps more.
inline constexpr double kNearUnsettledBorder = 0.7;
inline constexpr double kSettled = 0.05;
inline constexpr double kNearBorder = 0.5;
inline constexpr double kWellSettled = 1e-3;
// It must leave out enough to pay for the packing.
inline constexpr double kShrinkPays = 0.8;
// When W has missed a feature this many times, it only grows: what was left out twice would be left out again.
inline constexpr Index kMostMisses = 3;

// Proximal rounds [M18]: the first proximity in units of the mean |a_i|^2 / n, its fall from round to round, and how
// well a round is to be solved.
inline constexpr double kFirstProximity = 1;
inline constexpr double kRoundFactor = 0.4;
inline constexpr double kRoundShare = 0.02;
// The next centre lies beyond the solution of the round, by this share of the way to it.
inline constexpr double kBeyond = 0.3;
// After a round of at most kShortRound sweeps the next proximity is smaller, after one of kLongRound it is larger.
inline constexpr Index kShortRound = 8;
inline constexpr Index kLongRound = 20;

// Passes before which progress means little: three sweeps, the first rounds.
inline constexpr double kFirstLookOfSweeps = 6;
inline constexpr double kFirstLookOfRounds = 10;

// What one row's proximal step costs beside its products, in multiply-adds.
inline constexpr double kScalarStep = 20;

}  // namespace pdbfw
