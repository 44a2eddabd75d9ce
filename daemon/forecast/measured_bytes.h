// Measured bytes: what edges and vertices take, by how a window is stored, for forecasts.
//
// Measured on the engine (uniformly random edges in 20 and 60 slices, 2 to 32 edges a vertex, moved
// on by a tenth): bytes are a straight line in edges and vertices, to a few per cent. What they
// consist of is in windows/memory.md; measured_bytes_test.cc compares them with the accounts
// of real windows.
#pragma once

#include <cstdint>

#include "windows/ingest/edge_event.h"
#include "windows/store/window_policy.h"

namespace sash {

// Of one edge event that a window holds, and of one vertex in it.
struct MeasuredBytes {
  double edge = 0;
  double weighted_edge = 0;  // when weights are mapped
  double vertex = 0;
};

// What the store keeps, with its lane's account of the slices.
MeasuredBytes KeptBytes(const StoreSpec& spec);

// What the next advance takes beside that, for a moment.
MeasuredBytes AdvanceBytes(const StoreSpec& spec);

// Of a vertex key known, with its references: integers, or texts of up to 15 bytes.
double KeyBytes(KeyKind kind);
inline constexpr double kLongKeyBytes = 48;  // more, of a text of about 36 bytes

// Of an event in a slice that has not closed.
inline constexpr double kOpenEventBytes = 16;
inline constexpr double kOpenWeightedEventBytes = 25;

}  // namespace sash
