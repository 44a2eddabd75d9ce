// SampleText: the beginning of a file, pipe or standard input, expanded if it is compressed.
//
// Thread safety: a function. Reading a pipe takes these bytes away from later readers.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "connectors/replay/expander.h"
#include "windows/base/result.h"

namespace sash {

struct SampleText {
  std::string text{};    // without a byte order mark
  bool is_whole = true;  // the input has nothing more; otherwise the text ends with a whole line
  Compression compression = Compression::kNone;
};

// More than this is not read.
inline constexpr std::size_t kMostSampleBytes = 4 << 20;
// A pipe that pauses for so long ends the sample.
inline constexpr std::chrono::seconds kSamplePatience{5};

// "-" is standard input. The error says why the input cannot be read, and names it.
Result<SampleText> ReadSample(const std::string& path);

}  // namespace sash
