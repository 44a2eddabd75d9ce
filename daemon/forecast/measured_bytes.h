// Measured bytes: the memory of edges and vertices, depending on how a window is stored; for
// forecasts.
//
// Measured on the engine (uniformly random edges in 20 and 60 slices, 2 to 32 edges per vertex,
// moved on by a tenth): the bytes are linear in edges and vertices, to a few per cent.
// windows/memory.md lists what they consist of; measured_bytes_test.cc compares them with the
// accounts of real windows.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>

#include "windows/ingest/edge_event.h"
#include "windows/store/window_policy.h"

namespace sash {

// Bytes of one edge event in a window, and of one vertex in it.
struct MeasuredBytes {
  double edge = 0;
  double weighted_edge = 0;  // when weights are mapped
  double vertex = 0;
};

// The memory of the store and of its lane's record of the slices.
MeasuredBytes KeptBytes(const StoreSpec& spec);

// The temporary memory of the next advance, in addition.
MeasuredBytes AdvanceBytes(const StoreSpec& spec);

// The memory of one known vertex key with its references: integers, or texts of up to 15 bytes.
double KeyBytes(KeyKind kind);
inline constexpr double kLongKeyBytes = 48;  // added for a text of about 36 bytes

// The memory of an edge that history has besides the window (WindowSpec::retain), with the lane's
// record of its slice.
inline constexpr double kHistoryEdgeBytes = 8;
inline constexpr double kHistoryWeightedEdgeBytes = 16;

// The memory of an event in a slice that has not closed.
inline constexpr double kOpenEventBytes = 16;
inline constexpr double kOpenWeightedEventBytes = 25;

}  // namespace sash
