// SampleOrigin: where the records of a sample come from: a file, or the newest records of a topic.
//
// Thread safety: a value.
#pragma once

#include <string>

namespace sash {

struct SampleOrigin {
  std::string name{};     // the path of a file ("-": standard input), or the topic
  std::string brokers{};  // of the topic; empty: it is a file
  // The configuration that has the options of the connection to the brokers; empty: none.
  std::string config{};

  bool is_topic() const { return !brokers.empty(); }
};

}  // namespace sash
