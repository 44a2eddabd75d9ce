// Where results go (configuration: sinks[]).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sash {

enum class VerticesWritten : std::uint8_t { kTop, kAll };

struct FileSinkSpec {
  std::string path;
  std::vector<std::string> jobs;  // empty: every job
  VerticesWritten vertices = VerticesWritten::kTop;
};

struct TerminalSinkSpec {};

using SinkSpec = std::variant<FileSinkSpec, TerminalSinkSpec>;

struct DeadLetterSpec {
  std::string path = "dead-letters.jsonl";
  std::uint64_t limit_bytes = 64ull << 20;  // at the limit, the older half is rotated out
};

}  // namespace sash
