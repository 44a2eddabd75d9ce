// TerminalSink: one readable line per advance.
//
//   last-5m 2026-01-01 12:00:05–12:05:05 · 1200 edges, 300 vertices, 3.1 ms · influencers 12 ms:
//   alice 0.0123, bob 0.0101 · reach 1.2 ms: 120 reached, 3 levels      (all on one line)
//
// Thread safety: like ResultSink.
//
// Invariants
//   (1) A line is written whole. A reader that is gone is no error: the terminal is for looking at.
//   (2) Nobody waits for a reader: lines that it does not take at once are left out and counted,
//       and the next one that it takes says how many.
//   (3) Keys cannot act on the terminal: control and direction characters are escaped.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/sinks/append_file.h"
#include "windows/jobs/result_sink.h"

namespace sash {

class TerminalSink final : public ResultSink {
 public:
  // Writes to a copy of `descriptor`; nowhere when it is not open.
  explicit TerminalSink(int descriptor);

  void Deliver(const CompletedRun&) override {}
  void Complete(const AdvanceReport& report) override;
  Status Flush() override { return Ok{}; }

  std::uint64_t left_out() const { return left_out_; }  // lines, ever

 private:
  std::optional<AppendFile> out_;
  std::uint64_t left_out_ = 0;
  std::uint64_t unsaid_ = 0;                  // of these
  std::optional<std::chrono::sys_days> day_;  // the last that was written
};

// The line of an advance, without its end. Dates are written when they differ from `day`, which is
// left at the last one written or implied.
std::string AdvanceLine(const AdvanceReport& report, std::optional<std::chrono::sys_days>& day);

// `text` fit for a terminal line: at most `limit` characters, what would act on the terminal
// escaped, the rest replaced by "…".
std::string TerminalText(std::string_view text, std::size_t limit);

}  // namespace sash
