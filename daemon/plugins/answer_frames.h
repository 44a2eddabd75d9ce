// What the process of a plug-in writes: frames, each a header and so many bytes.
//   description  once, first          the text of plugin_description.h
//   begun        once, before a run   nothing: the copy of the window was read
//   progress     any number           a ReportFrame
//   failure      instead of a run or of an answer; its fault, and a text; the last frame
//   scores, sets, depths, edges       the answer, by place in the list of the vertices: doubles
//                                     (NaN: none), 32-bit numbers, or pairs of places
//   figures      after the answer     a double for each figure (NaN: not given)
//   end          the last frame       an int32: the iterations
//
// Thread safety: values.
#pragma once

#include <cstdint>

namespace sash {

enum class FrameKind : std::uint32_t {
  kDescription = 1,
  kBegun,
  kProgress,
  kFailure,
  kScores,
  kSets,
  kDepths,
  kEdges,
  kFigures,
  kEnd
};

struct FrameHeader {
  static constexpr std::uint32_t kMark = 0x68'73'61'73;  // "sash"

  std::uint32_t mark = kMark;
  FrameKind kind = FrameKind::kEnd;
  std::uint64_t bytes = 0;
};

struct ReportFrame {
  double residual = 0;
  std::int64_t iteration = 0;
};

}  // namespace sash
