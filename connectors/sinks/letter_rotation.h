// The rotation of a file of dead letters: its newer lines are copied to a file beside it
// (<path>.rotating), which is then renamed over it.
//
// Thread safety: none; the owner of the file serialises.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "connectors/sinks/append_file.h"
#include "windows/base/result.h"

namespace sash {

// The ending of the file that a rotation creates.
inline constexpr std::string_view kRotatingEnding = ".rotating";

// Removes the rotation file of a process that was killed. A file that Sash did not write stays, and
// is an error.
Status RemoveRotating(const std::string& path);

// Replaces `file`, which is at `path` and longer than `keep` bytes, by a file with only the lines
// that begin in its last `keep` bytes. Returns the number of lines that were dropped. After an
// error, `file` is unchanged.
Result<std::uint64_t> DropOlderLines(AppendFile& file, const std::string& path, std::uint64_t keep);

}  // namespace sash
