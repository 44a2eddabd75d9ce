#include "daemon/http/work_waiters.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/sinks/time_text.h"
#include "daemon/http/json_response.h"
#include "windows/base/phase_times.h"

namespace sash {

HttpResponse WorkAnswer(const std::optional<ExternalWork>& work) {
  if (!work) return {.status = 204};
  using Json = nlohmann::ordered_json;
  const Provenance& from = work->advance->provenance;
  const auto& parameters = std::get<ExternalParameters>(work->job.parameters);
  Json json = {{"run", work->run},
               {"job", work->job.name},
               {"returns", ChoiceWord(parameters.returns)},
               {"window", from.window},
               {"snapshot", from.snapshot.value},
               {"window_start", TimeText(from.window_start)},
               {"window_end", TimeText(from.window_end)},
               {"gap", from.gap},
               {"edges", from.edges},
               {"vertices", from.vertices},
               {"late", from.late},
               {"refused", from.refused},
               {"frozen", work->folder},
               {"seconds_left", std::max(0.0, ToSeconds(work->left))},
               {"lease_seconds", nullptr}};
  if (work->lease) json["lease_seconds"] = ToSeconds(*work->lease);
  return JsonResponse(json);
}

void WorkWaiters::Start(std::function<void()> answered) {
  answered_ = std::move(answered);
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

void WorkWaiters::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<PendingAnswer> WorkWaiters::Ask(const std::string& job,
                                                std::chrono::nanoseconds wait,
                                                std::optional<std::chrono::nanoseconds> lease) {
  auto answer = std::make_shared<PendingAnswer>();
  const MutexLock lock(mutex_);
  if (count_ >= kMost) return nullptr;
  ++count_;
  waiters_.push_back({job, std::chrono::steady_clock::now() + wait, lease, answer});
  is_asked_ = true;
  changed_.NotifyAll();
  return answer;
}

void WorkWaiters::Look() {
  const MutexLock lock(mutex_);
  is_asked_ = true;
  changed_.NotifyAll();
}

bool WorkWaiters::Serve(const Waiter& waiter, bool is_last) {
  std::optional<ExternalWork> work;
  if (!is_last) work = desk_.Take(waiter.job, waiter.lease);
  if (!work && !is_last && std::chrono::steady_clock::now() < waiter.until) return false;
  waiter.answer->Give(WorkAnswer(work));
  answered_();
  return true;
}

void WorkWaiters::Run(const std::stop_token& stop) {
  for (bool is_last = false; !is_last;) {
    std::list<Waiter> looked_at;
    {
      const MutexLock lock(mutex_);
      while (!is_asked_ && !stop.stop_requested()) {
        if (waiters_.empty()) {
          changed_.Wait(mutex_, stop);
        } else if (!changed_.WaitUntil(mutex_, stop,
                                       std::ranges::min(waiters_, {}, &Waiter::until).until)) {
          break;
        }
      }
      is_last = stop.stop_requested();
      is_asked_ = false;
      std::swap(looked_at, waiters_);
    }
    const std::size_t answered =
        std::erase_if(looked_at, [&](const Waiter& waiter) { return Serve(waiter, is_last); });
    const MutexLock lock(mutex_);
    count_ -= answered;
    waiters_.splice(waiters_.begin(), looked_at);
  }
}

}  // namespace sash
