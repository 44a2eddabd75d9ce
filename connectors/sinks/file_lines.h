// The lines of a regular file to which Sash appends: whether it wrote them, and the torn last line
// that a process leaves when it is killed.
//
// Thread safety: as AppendFile.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "connectors/sinks/append_file.h"
#include "windows/base/result.h"

namespace sash {

// The first line without its line end; at most its first 64 KiB.
Result<std::string> FirstLine(const AppendFile& file);

// Calls `visit` for each whole line, without its line end. Stops at the first error of `visit` and
// returns it.
Status ReadLines(const AppendFile& file, const std::function<Status(std::string_view)>& visit);

// Cuts off what follows the last line end. An error if it does not begin like `head`.
Status CutTornLine(AppendFile& file, std::string_view head);

// Empties the file if Sash wrote its first line: is_ours() accepts the line, or the file is only a
// torn line that begins like `head`. Otherwise returns an error and leaves the file unchanged.
Status EmptyIfOurs(AppendFile& file, std::string_view head,
                   const std::function<bool(std::string_view)>& is_ours);

}  // namespace sash
