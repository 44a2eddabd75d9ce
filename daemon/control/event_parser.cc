#include "daemon/control/event_parser.h"

#include <utility>

namespace sash {

std::vector<ApiEvent> EventParser::Feed(std::string_view bytes) {
  std::vector<ApiEvent> events;
  while (!bytes.empty()) {
    if (std::exchange(after_return_, false) && bytes.front() == '\n') bytes.remove_prefix(1);
    const std::size_t end = bytes.find_first_of("\r\n");
    line_ += bytes.substr(0, end);
    if (end == std::string_view::npos) break;
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    TakeLine(events);
    line_.clear();
  }
  return events;
}

void EventParser::TakeLine(std::vector<ApiEvent>& events) {
  if (line_.empty()) {
    if (has_data_) events.push_back(std::move(event_));
    event_ = {};
    has_data_ = false;
    return;
  }
  const std::size_t colon = line_.find(':');
  const std::string_view name = std::string_view(line_).substr(0, colon);
  std::string_view value;
  if (colon != std::string::npos) value = std::string_view(line_).substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "event") event_.kind = value;
  if (name == "data") {
    if (std::exchange(has_data_, true)) event_.data += '\n';
    event_.data += value;
  }
}

}  // namespace sash
