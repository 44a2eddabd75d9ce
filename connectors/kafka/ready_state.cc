#include "connectors/kafka/ready_state.h"

#include <utility>

namespace sash {

void ReadyState::Set(const std::string& subject, const LogEvent& event, std::string_view identity,
                     std::string text, std::initializer_list<LogField> fields) {
  {
    const MutexLock lock(mutex_);
    Reason& reason = reasons_[subject];
    const bool changed = reason.identity != identity;
    reason = {std::string(identity), text};
    if (!changed) return;
  }
  log_.Log(event, text, fields);
}

void ReadyState::Clear(const std::string& subject, const LogEvent& event, std::string_view message,
                       std::initializer_list<LogField> fields) {
  {
    const MutexLock lock(mutex_);
    if (reasons_.erase(subject) == 0) return;
  }
  log_.Log(event, message, fields);
}

bool ReadyState::IsSet(const std::string& subject) const {
  const MutexLock lock(mutex_);
  return reasons_.contains(subject);
}

std::vector<std::string> ReadyState::Reasons() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> texts;
  texts.reserve(reasons_.size());
  for (const auto& [subject, reason] : reasons_) texts.push_back(reason.text);
  return texts;
}

}  // namespace sash
