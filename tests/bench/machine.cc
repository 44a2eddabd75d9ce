#include "tests/bench/machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

namespace sash::bench {
namespace {

std::string Processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string MachineText() {
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return fmt::format("{}, {} cores, {:.0f} GiB", Processor(), std::thread::hardware_concurrency(),
                     bytes / (1 << 30));
}

std::string LoadText() {
  std::array<double, 3> load{};
  if (getloadavg(load.data(), 3) != 3) return "unknown";
  return fmt::format("{:.1f} {:.1f} {:.1f}", load[0], load[1], load[2]);
}

bool IsMachineBusy() {
  double load = 0;
  return getloadavg(&load, 1) == 1 && load > 0.5;
}

std::string BuildText() {
#ifdef __clang__
  constexpr std::string_view kCompiler = "Clang";
#else
  constexpr std::string_view kCompiler = "GCC";
#endif
  return fmt::format("{}, {} {}", SASH_BUILD_TYPE, kCompiler, __VERSION__);
}

bool IsOptimisedBuild() {
  constexpr std::string_view kType = SASH_BUILD_TYPE;
  return kType.starts_with("Rel");
}

}  // namespace sash::bench
