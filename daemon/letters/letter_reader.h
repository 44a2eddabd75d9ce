// Letter reader: the dead letters that a file or a topic holds now, one after the other.
//
// Thread safety: free functions; each call reads for itself.
#pragma once

#include <functional>
#include <string>

#include "connectors/sinks/dead_letter_line.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/result.h"

namespace sash {

// `place` names the letter for people: "dead-letters.jsonl:7". A letter that cannot be read is the
// error that says why. An error that is returned ends the reading, and is returned.
using TakeLetter = std::function<Status(const std::string& place, Result<DeadLetter> letter)>;

// Lines of JSON. A last line without its end is being written, and is left out.
Status ReadLetterFile(const std::string& path, const TakeLetter& take);

// From the topic's beginning to the end that it has at the start; commits nothing. An error also
// when nothing comes for half a minute.
Status ReadLetterTopic(const KafkaDestination& from, const TakeLetter& take);

}  // namespace sash
