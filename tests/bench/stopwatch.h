// Stopwatches: wall time and processor time of a measurement.
#pragma once

#include <chrono>
#include <ctime>

namespace sash::bench {

class WallWatch {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

// Time of all threads of the process. On a machine that also does other work it measures the work
// better than wall time; for parallel work it does not include waiting.
class CpuWatch {
 public:
  double Seconds() const { return Now() - begun_; }

 private:
  static double Now() {
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  }
  double begun_ = Now();
};

// Wall time of f() in seconds.
template <typename F>
double Time(const F& f) {
  const WallWatch watch;
  f();
  return watch.Seconds();
}

}  // namespace sash::bench
