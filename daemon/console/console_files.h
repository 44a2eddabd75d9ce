// The files of the web console: those in bundle/ beside this file, which the build embeds into the
// program. The first one is the page itself.
//
// Thread safety: constant.
#pragma once

#include <span>
#include <string_view>

namespace sash {

struct ConsoleFile {
  std::string_view name;
  std::string_view content_type;
  std::string_view text;
};

std::span<const ConsoleFile> ConsoleFiles();

}  // namespace sash
