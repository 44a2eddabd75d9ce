// Record trial: sashd --check CONFIG --record FILE. Runs the records of a file through the mapping
// of the configuration, and prints the edge or the dead letter that each becomes, as lines of JSON.
//
//   {"line":2,"becomes":"edge","source":"a","target":"b","weight":1,
//    "time":"2026-01-01T00:00:00.000Z","time_as_written":"1767225600000","operation":"add"}
//   {"line":3,"becomes":"dead_letter","reason":"missing_field","detail":"line 3: time ..."}
//   {"line":4,"becomes":"nothing","reason":"where"}
//
// A record that gives several edges has a line for each, with the edge's place in the record:
// "edge":0, "edge":1, ... Only the first has time_as_written. With source.mappings, a line of an
// edge names the mapping that gave it.
//
// With a replay source, the file stands in for source.replay.path, and the records are decoded by
// the code that decodes a replay. With a Kafka source, each row of the file is the value of a
// record of one topic, and RecordJudge decides. Whether an event would be late or too far ahead is
// not decided.
//
// Thread safety: free functions; each call opens its own reader.
#pragma once

#include <string>

#include "daemon/config/config.h"
#include "daemon/probe/trial_lines.h"
#include "windows/base/result.h"

namespace sash {

// Keeps at most a block of the file, a record, and the lines of a block. `path`: "-" is standard
// input. The error names the file: it cannot be read, or its header does not fit the mapping.
// `topic`: of Kafka, whose records they are; empty: the first one of the source.
Result<TrialCounts> TryRecords(const SourceConfig& source, const std::string& path,
                               const TakeLines& take, const std::string& topic = {});

// The same, to standard output; warnings and the summary go to standard error. Returns the exit
// code: 1 if a record is refused or the file cannot be read.
int PrintTrial(const Config& config, const std::string& path, const std::string& topic);

}  // namespace sash
