// Windows of one edge a second, and the spans that an engine published of them.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"

namespace sash::testing {

inline WindowSpec Window(std::string name, std::optional<std::int64_t> length_seconds,
                         std::int64_t slide_seconds, WindowAxis by = WindowAxis::kEventTime) {
  WindowSpec spec;
  spec.name = std::move(name);
  spec.by = by;
  if (length_seconds) spec.length = *length_seconds * kSecond;
  spec.slide = slide_seconds * kSecond;
  spec.implementation = StoreKind::kRebuild;
  return spec;
}

inline WindowSpec ByEvents(std::string name, std::int64_t length, std::int64_t slide) {
  WindowSpec spec = Window(std::move(name), 1, 1, WindowAxis::kEvents);
  spec.length = length;
  spec.slide = slide;
  return spec;
}

// Start and end (in seconds), edges and gap of an advance.
struct Span {
  std::int64_t start;
  std::int64_t end;
  std::uint64_t edges;
  bool gap = false;
  friend bool operator==(const Span&, const Span&) = default;
  friend void PrintTo(const Span& span, std::ostream* out) {
    *out << "[" << span.start << ", " << span.end << ") " << span.edges << (span.gap ? " gap" : "");
  }
};

// read(advance) for each advance of the window, in order.
template <typename Read>
auto OfAdvances(const EngineHarness& harness, const std::string& window, const Read& read) {
  std::vector<decltype(read(*harness.advances.front()))> all;
  for (const AdvancePtr& advance : harness.advances) {
    if (advance->provenance.window == window) all.push_back(read(*advance));
  }
  return all;
}

inline std::vector<Span> SpansOf(const EngineHarness& harness, const std::string& window) {
  return OfAdvances(harness, window, [](const Advance& advance) {
    const Provenance& about = advance.provenance;
    return Span{about.window_start.time_since_epoch().count() / kSecond,
                about.window_end.time_since_epoch().count() / kSecond, about.edges, about.gap};
  });
}

inline std::vector<Span> NewestSpansOf(const EngineHarness& harness, const std::string& window,
                                       std::ptrdiff_t count) {
  const std::vector<Span> spans = SpansOf(harness, window);
  return {spans.end() - count, spans.end()};
}

inline std::string MessageOf(const Status& status) {
  return status ? "accepted" : status.error().message;
}

}  // namespace sash::testing
