// The table of all keys: the section of each key, its possible values, and its words. It is built
// from the rows (key_row.h) of the sections and the parameters of kernels. Messages, suggestions,
// the JSON Schema and the comments of configs/reference.yaml use this table. A section reader that
// asks for a key that is not in the table crashes the process.
#pragma once

#include <string_view>
#include <vector>

#include "daemon/config/value_shape.h"

namespace sash {

// kUnlessElsewhere: required, unless the section beside it has the key in its place. The reader and
// the schema know where.
enum class Presence : std::uint8_t { kOptional, kRequired, kUnlessElsewhere };

// Whether a new value needs a restart, or a reload is enough.
enum class Change : std::uint8_t { kRestart, kLive };

struct KeySpec {
  std::string_view name;
  std::vector<Shape> shapes;  // alternatives
  std::string_view about;     // whole sentences
  Presence presence = Presence::kOptional;
  Change change = Change::kRestart;
  // What the reference says, if the struct or the shapes do not say it; otherwise "".
  std::string_view default_text{};
  std::string_view range_text{};
};

struct SectionSpec {
  // Dotted, "[]" for every index. The parameters of a job differ by kernel:
  // "jobs[].parameters<bfs>".
  std::string_view section;
  std::vector<KeySpec> keys;
  std::vector<std::string_view> exactly_one;  // of them must be given; empty: no rule
};

const std::vector<SectionSpec>& KeyTable();

}  // namespace sash
