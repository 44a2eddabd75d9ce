// PluginCall: one run of a plug-in, shared by the thread in which the plug-in computes and the
// runner that waits for it. The runner can stop waiting: the call then lives on until the plug-in
// returns.
//
// Thread safety: Run() belongs to one thread, which the plug-in may help with others
// (sash/kernel.h); the other functions to the runner.
//
// Invariants
//   (1) A call holds all that the plug-in can read: the advance, with the view and its ids, and the
//       library. Only the dictionary must outlive it.
//   (2) The answer is taken once, after the end.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/plugin/plugin_answer.h"
#include "windows/jobs/plugin/plugin_kernel.h"
#include "windows/jobs/run_fault.h"

namespace sash {

struct PluginSetting {
  std::shared_ptr<const PluginKernel> kernel{};
  std::vector<PluginParameter> values{};
  std::string json{};    // the values as one JSON object
  AdvancePtr advance{};  // holds the ids of `view`; may be null in tests
  WindowView view{};
  int threads = 0;                                 // 0: all the cores
  const std::atomic<int>* most_threads = nullptr;  // as in parallel.h
};

class PluginCall {
 public:
  struct Report {
    int iteration = 0;
    double residual = 0;
  };

  PluginCall(PluginSetting setting, const VertexDictionary& keys);
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  // Calls the plug-in.
  void Run();

  // From now on, the plug-in learns that it must stop.
  void AskToStop() { stop_.store(true, std::memory_order_relaxed); }

  // Waits until Run() has ended, at most for `patience`. Returns whether it has ended.
  bool AwaitEnd(Duration patience);
  Report report() const;

  // After the end. The failure says why there is no answer.
  std::optional<RunFailure> TakeFailure();
  PluginAnswer TakeAnswer();

 private:
  // What the plug-in gets. Its functions are static, and find the call in it.
  struct Handle : sash_run {
    PluginCall* call = nullptr;
  };
  friend struct PluginFunctions;

  void FillHandle();
  void Complain(RunFault fault, std::string why) SASH_REQUIRES(mutex_);
  template <typename Taken>
  int Put(const Taken& taken);

  const PluginSetting setting_;
  const VertexDictionary& keys_;
  Handle handle_{};
  std::atomic<bool> stop_ = false;

  mutable Mutex mutex_;
  CondVar ended_changed_;
  bool ended_ SASH_GUARDED_BY(mutex_) = false;
  Report report_ SASH_GUARDED_BY(mutex_);
  PluginAnswerReader answer_ SASH_GUARDED_BY(mutex_);
  std::optional<RunFailure> failure_ SASH_GUARDED_BY(mutex_);  // the first
};

}  // namespace sash
