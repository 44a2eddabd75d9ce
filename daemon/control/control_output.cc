#include "daemon/control/control_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "daemon/control/invocation.h"

namespace sash {

int PrintOut(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return kControlOk;
  return EndWith(kControlRefused, fmt::format("standard output: {}", std::strerror(errno)));
}

int EndWith(int code, const std::string& message) {
  std::fprintf(stderr, "sashctl: %s\n", message.c_str());
  return code;
}

int EndAsMisused(const std::string& what) {
  return EndWith(kControlUsage, what + "\nsashctl --help lists the commands");
}

}  // namespace sash
