// The texts of command-line values: durations, moments, episodes, key=value pairs.
//
// Thread safety: pure functions. An error says what was found and what is expected.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/generate/episode.h"
#include "windows/base/result.h"

namespace sash {

// A non-negative integer.
Result<std::uint64_t> ParseCount(std::string_view text);

// A duration in the configuration's format ("250ms", "30s", "5m"), in whole milliseconds.
Result<std::chrono::milliseconds> ParseMilliseconds(std::string_view text);

// An RFC 3339 time ("2026-01-01T00:00:00Z", "2026-01-01T01:00:00.5+01:00") or milliseconds since
// the epoch. More than three decimals are cut.
Result<std::chrono::milliseconds> ParseMoment(std::string_view text);

// "at=30s,for=60s,share=0.2"; `share` may be left out, the others not.
Result<HubEpisode> ParseHub(std::string_view text);

// The same with "size=12", which is optional too.
Result<BurstEpisode> ParseBurst(std::string_view text);

// "key=value"; the value may be empty or hold further equals signs.
Result<std::pair<std::string, std::string>> ParsePair(std::string_view text);

}  // namespace sash
