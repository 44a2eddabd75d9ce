// The filters of windows as bytes: their texts by number, and for a sequence of events the bits of
// each.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "windows/durable/byte_text.h"
#include "windows/ingest/window_filters.h"

namespace sash {

void PutFilters(const FilterTexts& filters, ByteWriter& writer);
// Refuses texts that are empty or repeated, and more than kMostFilters.
FilterTexts GetFilters(ByteReader& reader);

// `passes`: one element for each event, or empty: every event passes every filter. An event takes a
// byte for each eight filters.
void PutPasses(std::span<const FilterBits> passes, std::size_t filters, ByteWriter& writer);
std::vector<FilterBits> GetPasses(std::size_t events, std::size_t filters, ByteReader& reader);

}  // namespace sash
