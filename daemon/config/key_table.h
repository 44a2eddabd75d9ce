// The table of all keys: for each, where it stands, what may stand behind it, and one sentence
// about it. It is made of the rows (key_row.h) of the sections, and of the parameters of kernels.
// Messages, suggestions and JSON Schema are read off this table; a key that a section reader asks
// for and the table does not hold ends the process.
#pragma once

#include <string_view>
#include <vector>

#include "daemon/config/value_shape.h"

namespace sash {

enum class Presence : std::uint8_t { kOptional, kRequired };

// What a new value needs: a restart, or a reload while the process runs.
enum class Change : std::uint8_t { kRestart, kLive };

struct KeySpec {
  std::string_view name;
  std::vector<Shape> shapes;  // any one of them
  std::string_view about;     // for editors, in a sentence without its end
  Presence presence = Presence::kOptional;
  Change change = Change::kRestart;
};

struct SectionSpec {
  // Dotted, "[]" for every index. The parameters of a job differ by kernel:
  // "jobs[].parameters<bfs>".
  std::string_view section;
  std::vector<KeySpec> keys;
  std::vector<std::string_view> exactly_one;  // of these keys; empty: no such rule
};

const std::vector<SectionSpec>& KeyTable();

}  // namespace sash
