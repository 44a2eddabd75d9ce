// EventParser: parses server-sent events from a stream of bytes, wherever the chunks are cut.
//
// Thread safety: none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sash {

struct ApiEvent {
  std::string kind;
  std::string data;
};

class EventParser {
 public:
  // Returns the events that end in these bytes. Events without data (greetings, comments) are
  // dropped.
  std::vector<ApiEvent> Feed(std::string_view bytes);

  // Bytes of the event that has not ended.
  std::size_t held_bytes() const { return line_.size() + event_.data.size(); }

 private:
  void TakeLine(std::vector<ApiEvent>& events);

  std::string line_;
  bool after_return_ = false;  // a line ends in \r, \n or both
  bool has_data_ = false;
  ApiEvent event_;
};

}  // namespace sash
