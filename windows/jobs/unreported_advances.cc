#include "windows/jobs/unreported_advances.h"

#include <cstddef>
#include <utility>

#include "windows/base/check.h"

namespace sash {

AdvanceTicketPtr UnreportedAdvances::Add(AdvancePtr advance, SteadyTime now) {
  auto ticket = std::make_shared<AdvanceTicket>();
  ticket->report.advance = std::move(advance);
  ticket->submitted = now;
  ticket->outstanding = 1;
  tickets_.push_back(ticket);
  return ticket;
}

UnreportedAdvances::Released UnreportedAdvances::ReleaseViews() {
  Released released;
  for (std::size_t i = 1; i < tickets_.size(); ++i) {
    AdvanceReport& report = tickets_[i]->report;
    if (tickets_[i]->outstanding > 0 || report.advance->view == WindowView()) continue;
    auto light = std::make_shared<Advance>(*report.advance);
    light->view = WindowView();
    light->ids.reset();
    released.advances.push_back(std::exchange(report.advance, std::move(light)));
  }
  std::size_t oldest = 1;
  while (tickets_.size() > kMost && oldest < tickets_.size()) {
    if (tickets_[oldest]->outstanding > 0) {
      ++oldest;
    } else {
      released.forgotten.push_back(tickets_[oldest]);
      tickets_.erase(tickets_.begin() + static_cast<std::ptrdiff_t>(oldest));
    }
  }
  return released;
}

AdvanceTicketPtr UnreportedAdvances::BeginReport() {
  SASH_CHECK(HasReport());
  is_reporting_ = true;
  AdvanceTicket& ticket = *tickets_.front();
  for (auto& [place, result] : ticket.results) ticket.report.results.push_back(std::move(result));
  return tickets_.front();
}

void UnreportedAdvances::EndReport() {
  SASH_CHECK(is_reporting_);
  tickets_.pop_front();
  is_reporting_ = false;
}

}  // namespace sash
