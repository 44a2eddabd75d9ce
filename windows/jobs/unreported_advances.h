// UnreportedAdvances: the advances that were submitted and are not reported to the sink yet, in
// their order.
//
// Thread safety: none; JobScheduler serialises. The advance and the report of a ticket are read
// without its lock while runs on the advance are under way, and between BeginReport() and
// EndReport().
//
// Invariants
//   (1) Reports begin in the order of the advances, one after the other. None begins before
//       everything that is outstanding for its advance is done.
//   (2) After ReleaseViews(), an advance that only waits for the report of an earlier one has no
//       view.
//   (3) After ReleaseViews() there are at most kMost advances, unless the runs of more are
//       outstanding: the oldest advances that only wait are forgotten, and never reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "windows/base/clock.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/result_sink.h"
#include "windows/jobs/run_result.h"

namespace sash {

struct AdvanceTicket {
  SteadyTime submitted;
  AdvanceReport report;
  std::map<std::uint64_t, std::shared_ptr<const RunResult>> results;  // by RegisteredJob::place
  std::size_t outstanding = 0;  // runs, and a thread that still adds runs
};
using AdvanceTicketPtr = std::shared_ptr<AdvanceTicket>;

class UnreportedAdvances {
 public:
  static constexpr std::size_t kMost = 1024;

  // Behind all others. The caller counts as outstanding until it has added all runs.
  AdvanceTicketPtr Add(AdvancePtr advance, SteadyTime now);

  // What the caller frees without a lock.
  struct Released {
    std::vector<AdvancePtr> advances;  // with their views
    std::vector<AdvanceTicketPtr> forgotten;
  };
  [[nodiscard]] Released ReleaseViews();

  bool HasReport() const {
    return !is_reporting_ && !tickets_.empty() && tickets_.front()->outstanding == 0;
  }
  // The oldest advance, if HasReport(), with the results of its runs in its report. EndReport()
  // must follow, once the sink has it.
  AdvanceTicketPtr BeginReport();
  void EndReport();
  bool is_reporting() const { return is_reporting_; }

  bool empty() const { return tickets_.empty(); }
  std::size_t size() const { return tickets_.size(); }

 private:
  std::deque<AdvanceTicketPtr> tickets_;  // oldest first
  bool is_reporting_ = false;             // the first of them
};

}  // namespace sash
