// GenerateOptions: the parsed command line of sash-generate.
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "daemon/generate/edge_stream.h"
#include "daemon/generate/kafka_output.h"
#include "daemon/generate/record_writer.h"

namespace sash {

struct GenerateOptions {
  EdgeStreamOptions stream;  // with start_now, its start is set when the first edge leaves
  RecordOptions records;
  std::uint64_t edges = 100'000;  // 0: endless
  double rate = 0;                // edges a second of real time; 0: as fast as possible
  bool start_now = false;
  bool header = true;  // CSV's header row, in a file or on standard output
  bool progress = false;
  std::string path = "-";                   // of the file, without kafka
  std::optional<KafkaOutputOptions> kafka;  // instead of a file
};

// The options, or an exit code when the command line was wrong (2) or asked for help (0). Messages
// have been printed.
using ParsedCommandLine = std::variant<GenerateOptions, int>;

ParsedCommandLine ParseCommandLine(int argc, const char* const* argv);

}  // namespace sash
