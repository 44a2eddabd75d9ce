// Named files: the files and folders that a configuration names, and which of them are the same one
// under several names: by a symbolic link, a hard link, or a folder that has two names.
//
// Thread safety: a function; it asks the file system and changes nothing.
//
// Invariants
//   (1) What is written is never anything else that is named: neither a file that is read (the
//       configuration, what it includes, the input of a replay, secrets, certificates) nor another
//       one that is written (results, dead letters, what lies in the folders of state and
//       outboxes).
//   (2) Files that are only read may be one, and devices (/dev/null) may be written by several.
#pragma once

#include <string>

#include "daemon/config/parse_config.h"

namespace sash {

// Adds an error for each pair, at the key of what is written; both keys are named. A key that is
// wrong already gets none.
void AddSharedFiles(ParsedConfig& parsed);

// Where `key` is, or the nearest section around it that is there.
ConfigPlace PlaceOfKey(const ParsedConfig& parsed, std::string key);

}  // namespace sash
