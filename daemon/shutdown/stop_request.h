// StopRequest: the reason to end the process, as something the main thread can wait for.
//
// Thread safety: Raise() and Wake() may be called from any thread; the rest belongs to one thread
// at a time, the main thread or that of a ShutdownGuard.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace sash {

class StopRequest {
 public:
  enum class Cause : std::uint8_t {
    kNone,          // the patience ran out
    kSignal,        // SIGTERM or SIGINT
    kReload,        // SIGHUP
    kReopen,        // SIGUSR1
    kEndOfSource,   // a finite source has been read and all its windows emitted
    kSourceFailed,  // the source stopped before its end, or memory does not let it go on
  };

  // Keeps SIGHUP and SIGUSR1 waiting until there is a StopRequest. Otherwise a reload, or a
  // rotation of files, would end a process that starts. Programs that it executes inherit this.
  // Commands without a StopRequest ignore these signals then.
  static void HoldSignals();

  // Blocks SIGTERM, SIGINT, SIGHUP and SIGUSR1 for this thread and for threads started later:
  // construct it before any other thread. Ignores SIGPIPE: a write to a closed connection returns
  // an error.
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  void Raise(Cause cause);

  // Makes Wait() return kNone. Any thread may call it.
  void Wake();

  Cause Wait(std::chrono::milliseconds patience);

  // The name of the newest signal that Wait() has received: "SIGTERM".
  std::string_view signal_name() const { return signal_name_; }

 private:
  int signals_ = -1;  // signalfd
  int raised_ = -1;   // eventfd
  std::string_view signal_name_ = "no signal";
  std::atomic<Cause> cause_ = Cause::kNone;
};

}  // namespace sash
