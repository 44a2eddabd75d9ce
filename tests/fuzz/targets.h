// What is fuzzed: functions that take any bytes at all and end the process when one of their claims
// does not hold. libFuzzer calls one of them in each of its programs (fuzzer_main.cc), a test calls
// each with everything that is kept (replay_test.cc).
//
// Thread safety: one thread at a time.
#pragma once

#include <string_view>

namespace sash::fuzz {

// Records of every format, with the mapping and the options that the first bytes choose.
void DecodeRecord(std::string_view input);

// Files of records, whole and in blocks, and rows of CSV.
void SplitRows(std::string_view input);

// A checkpoint: its sections in files with right checksums, or a file as it is.
void ReadCheckpoint(std::string_view input);

// Files of a journal: their entries with right checksums, or a file as it is.
void ReplayJournal(std::string_view input);

// A configuration in YAML.
void ParseConfiguration(std::string_view input);

// A request in the form of HTTP/1.1, to the routes of a small engine.
void HttpRequests(std::string_view input);

// Dead letters of files and topics, and what commits carry.
void ReadLetter(std::string_view input);

}  // namespace sash::fuzz
