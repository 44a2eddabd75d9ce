// AnswerStream: what the process of a plug-in writes, taken apart and checked. Nothing in it is
// trusted: the plug-in may have overwritten the memory of its process.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) The memory is bounded by the longest answer that the window can have: a frame that says
//       that it is longer is refused before it is read.
//   (2) No place beyond the vertices, and no frame out of turn, is accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/plugins/answer_frames.h"
#include "windows/jobs/plugin/plugin_answer.h"
#include "windows/jobs/run_fault.h"

namespace sash {

// What a process may write.
struct AnswerBounds {
  std::uint32_t output = 0;  // SASH_...; 0: only a description
  std::size_t vertices = 0;
  std::size_t figures = 0;
};

class AnswerStream {
 public:
  static constexpr std::size_t kMostTextBytes = 1 << 20;    // of a description
  static constexpr std::size_t kMostReasonBytes = 4 << 10;  // of a failure
  static constexpr std::size_t kMostEdgeBytes = 1 << 30;    // of an answer of edges

  explicit AnswerStream(AnswerBounds bounds) : bounds_(bounds) {}

  // Where the process writes to: ChildProcess::Read() appends to it, then TakeFrames() is called.
  std::string& bytes() { return bytes_; }
  // The fault of the bytes that came; nothing: so far they are right.
  PluginComplaint TakeFrames();

  const std::string& description() const { return description_; }
  bool is_described() const { return is_described_; }
  bool has_begun() const { return has_begun_; }
  const ReportFrame& report() const { return report_; }
  bool has_ended() const { return has_ended_; }

  // After the end: the failure that the process gives, or its answer.
  std::optional<RunFailure> TakeFailure() { return std::move(failure_); }
  // Puts the answer, by id, into the reader, which checks the values.
  PluginComplaint PutAnswer(const WindowView& view, const PluginKernel& kernel,
                            PluginAnswerReader& reader) const;
  int iterations() const { return iterations_; }

 private:
  std::size_t MostBytes(FrameKind kind) const;
  bool IsInTurn(FrameKind kind) const;
  PluginComplaint TakeFrame(FrameKind kind, std::string_view content);
  PluginComplaint TakeFailureFrame(std::string_view content);

  const AnswerBounds bounds_;
  std::string bytes_;
  std::string description_;
  bool is_described_ = false;
  bool has_begun_ = false;
  ReportFrame report_;
  std::optional<FrameKind> answered_;
  std::string answer_;
  std::optional<std::string> figures_;
  bool has_ended_ = false;
  std::optional<RunFailure> failure_;
  int iterations_ = 0;
};

}  // namespace sash
