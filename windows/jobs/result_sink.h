// ResultSink: receives finished runs. Implemented by connectors/sinks and by the daemon.
//
// Thread safety: called by one runner at a time. The caller holds no lock except the one that
// ensures this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/result.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/run_fault.h"
#include "windows/jobs/run_result.h"

namespace sash {

struct FailedRun {
  std::string job;
  RunFailure failure;
};

// The outcome of an advance, once every job that was due on it has run or been skipped.
struct AdvanceReport {
  AdvancePtr advance;                                     // its view may have been released
  std::vector<std::shared_ptr<const RunResult>> results;  // in the order of the configuration
  std::vector<std::string> skipped;    // jobs displaced by a newer window (overrun: skip)
  std::vector<std::string> cancelled;  // jobs that passed their deadline
  std::vector<FailedRun> failed{};     // external, or of plug-ins
};

// What a sink did with a result on an earlier advance (RunResult::past).
struct PastDelivery {
  enum class State : std::uint8_t {
    kWritten,       // the sink has it, durably
    kAlreadyThere,  // the sink already had it
    kLeftOut,       // the sink does not take it, now or later
    kFailed,        // the sink does not have it, or not durably
  };
  std::string sink{};
  State state = State::kWritten;
  std::string why{};  // of the last two
};

class ResultSink {
 public:
  virtual ~ResultSink() = default;

  // The runs of one job come in the order of the advances. With several runners, runs of different
  // jobs come in the order in which they end, also before an earlier advance is complete.
  virtual void Deliver(const CompletedRun& run) = 0;

  // A result that is not final (Provenance::is_final()). It belongs to no advance, and no commit
  // waits for it. False: the sink takes it, but has no room for it now, and left it out.
  virtual bool DeliverPartial(const CompletedRun& /*run*/) { return true; }

  // A result on an earlier advance, which a user wants the sinks to have (RunResult::past). It
  // belongs to no advance that is reported, and no commit waits for it. Adds what each sink of its
  // job did. Never waits for room.
  virtual void DeliverPast(const CompletedRun& /*run*/, std::vector<PastDelivery>& /*deliveries*/) {
  }

  // Called when a run ends without a result, before the next run of its job begins. `failure`:
  // nothing if it was cancelled at its deadline. The report of the advance names the run, too.
  virtual void NoteUnfinished(const Advance& /*advance*/, const std::string& /*job*/,
                              const std::optional<RunFailure>& /*failure*/) {}

  // Called in the order of the advances, after their runs were delivered.
  virtual void Complete(const AdvanceReport& report) = 0;

  // Makes everything delivered so far durable. An error means that part of it is not durable yet:
  // that part is kept and tried again at the next call, and nothing may be committed meanwhile.
  virtual Status Flush() = 0;

  // Called when nothing has been delivered or completed for JobScheduler::kRest. Does work that was
  // deferred to be done for several advances at once. Returns whether work is still deferred; then
  // it is called again.
  virtual bool Rest() { return false; }

  // A restart continues after the advance of this number: nothing up to it is delivered again.
  virtual void Acknowledged(std::uint64_t /*advances*/) {}
};

}  // namespace sash
