// Letter reader: the dead letters that a file or a topic holds now, one after the other.
//
// Thread safety: free functions; each call opens its own reader.
#pragma once

#include <functional>
#include <string>

#include "connectors/sinks/dead_letter_line.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/result.h"

namespace sash {

// `place` names the letter for people: "dead-letters.jsonl:7". For a letter that cannot be read,
// the result is the error. If the callback returns an error, reading stops and returns it.
using TakeLetter = std::function<Status(const std::string& place, Result<DeadLetter> letter)>;

// Reads lines of JSON. An unterminated last line is still being written, and is left out.
Status ReadLetterFile(const std::string& path, const TakeLetter& take);

// Reads from the topic's beginning to the end it has at the start; commits nothing. An error also
// when no record comes for half a minute, and, after the other letters, when some could not be
// read. Letters that retention deletes meanwhile are left out.
Status ReadLetterTopic(const KafkaDestination& from, const TakeLetter& take);

}  // namespace sash
