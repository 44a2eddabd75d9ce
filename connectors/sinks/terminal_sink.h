// TerminalSink: one readable line per advance.
//
//   last-5m 2026-01-01 12:00:05–12:05:05 · 1200 edges, 300 vertices, 3.1 ms · influencers 12 ms:
//   alice 0.0123, bob 0.0101 · reach 1.2 ms: 120 reached, 3 levels      (all on one line)
//
// Thread safety: like CountedSink.
//
// Invariants
//   (1) A line is written whole. If the reader is gone, that is not an error: this output is only
//       for people.
//   (2) The sink never waits for the reader: a line that the reader does not take immediately is
//       left out and counted. The next line that it takes says how many were left out.
//   (3) Keys cannot control the terminal: control and direction characters are escaped.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/sink_counts.h"

namespace sash {

class TerminalSink final : public CountedSink {
 public:
  // Writes to a copy of `descriptor`; writes nothing when it is not open.
  explicit TerminalSink(int descriptor);

  void Deliver(const CompletedRun&) override {}
  void Complete(const AdvanceReport& report) override;
  Status Flush() override { return Ok{}; }

  void AddCounts(SinkCounts& counts) const override;

 private:
  std::optional<AppendFile> out_;
  std::atomic<std::uint64_t> written_ = 0;
  std::atomic<std::uint64_t> left_out_ = 0;
  std::uint64_t unsaid_ = 0;                  // of left_out_, those not reported yet
  std::optional<std::chrono::sys_days> day_;  // the last date that was written
};

// The line of an advance, without its line end. A date is written only if it differs from `day`;
// `day` is then set to it.
std::string AdvanceLine(const AdvanceReport& report, std::optional<std::chrono::sys_days>& day);

// `text` for a terminal line: at most `limit` characters, and "…" in place of the rest. Characters
// that control the terminal are escaped.
std::string TerminalText(std::string_view text, std::size_t limit);

}  // namespace sash
