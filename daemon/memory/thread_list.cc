#include "daemon/memory/thread_list.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

namespace sash {
namespace {

std::string_view StateName(char letter) {
  switch (letter) {
    case 'R':
      return "running";
    case 'S':
    case 'I':
      return "sleeping";
    case 'D':
      return "waiting for a disk";
    case 'T':
    case 't':
      return "stopped";
    case 'Z':
    case 'X':
      return "ended";
    default:
      return "unknown";
  }
}

// "12 (name) S 1 ...": the name may hold anything, parentheses too.
std::optional<ThreadStanding> ParseStat(const std::string& text) {
  const std::size_t begin = text.find('(');
  const std::size_t end = text.rfind(')');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  ThreadStanding thread;
  thread.name = text.substr(begin + 1, end - begin - 1);
  std::istringstream rest(text.substr(end + 1));
  char state = '?';
  rest >> state;
  std::string skipped;
  for (int i = 0; i < 10; ++i) rest >> skipped;  // parent to majflt of children
  double user_ticks = 0;
  double system_ticks = 0;
  if (!(rest >> user_ticks >> system_ticks)) return std::nullopt;
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  thread.state = StateName(state);
  thread.user_seconds = user_ticks / ticks;
  thread.system_seconds = system_ticks / ticks;
  return thread;
}

}  // namespace

std::vector<ThreadStanding> ListThreads(const std::filesystem::path& tasks) {
  std::vector<ThreadStanding> threads;
  std::error_code gone;
  for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
    std::ifstream file(task.path() / "stat");
    std::ostringstream text;
    text << file.rdbuf();
    std::optional<ThreadStanding> thread = ParseStat(text.str());
    std::istringstream id(task.path().filename().string());
    if (!thread || !(id >> thread->id)) continue;
    threads.push_back(*std::move(thread));
  }
  std::ranges::sort(threads, {}, &ThreadStanding::id);
  return threads;
}

}  // namespace sash
