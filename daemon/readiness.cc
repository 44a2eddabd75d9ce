#include "daemon/readiness.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "connectors/kafka/embedded_broker.h"
#include "daemon/http/api_routes.h"

namespace sash {

std::vector<std::string> Readiness::NotReady() const {
  std::vector<std::string> reasons = pipeline_.source().status().not_ready;
  if (std::optional<std::string> refused = pipeline_.refusals().not_ready()) {
    reasons.push_back(*std::move(refused));
  }
  if (!started_) reasons.emplace_back("the process is starting");
  if (stopping_) reasons.emplace_back("the process is stopping");
  if (pipeline_.delivery().failing()) reasons.emplace_back("results cannot be made durable");
  if (const Recovery* const recovery = pipeline_.recovery()) {
    if (std::optional<std::string> failing = recovery->not_ready()) {
      reasons.push_back(*std::move(failing));
    }
  }
  if (const SliceExport* const slices = pipeline_.exports().slices()) {
    if (std::optional<std::string> failing = slices->not_ready()) {
      reasons.push_back(*std::move(failing));
    }
  }
  if (const ShardManifest* const shard = pipeline_.exports().shard()) {
    if (std::optional<std::string> waiting = shard->not_ready()) {
      reasons.push_back(*std::move(waiting));
    }
  }
  std::ranges::move(pipeline_.sinks().NotReady(), std::back_inserter(reasons));
  std::ranges::move(pipeline_.dead_letters().NotReady(), std::back_inserter(reasons));
  if (std::optional<std::string> full = memory_.not_ready()) {
    reasons.push_back(*std::move(full));
  }
  return reasons;
}

std::vector<std::string> Readiness::Notes() const {
  std::vector<std::string> notes;
  if (config_.source.is_embedded()) notes.emplace_back(kEmbeddedBrokerNote);
  return notes;
}

void Readiness::Tell() {
  const std::string text = ReadinessText(NotReady(), Notes());
  // Changed figures alone are not a change: the use of memory changes all the time.
  std::string readiness = text;
  std::erase_if(readiness, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  if (readiness == told_) return;
  told_ = std::move(readiness);
  events_.Add("ready", text);
}

void Readiness::SayStopping() {
  stopping_ = true;
  Tell();
}

}  // namespace sash
