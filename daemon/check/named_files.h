// Named files: the files and folders that a configuration names, and which of these names refer to
// the same file: through a symbolic link, a hard link, or a folder that has two names.
//
// Thread safety: a function; it reads the file system and changes nothing.
//
// Invariants
//   (1) A file that is written is not named anywhere else: neither as a file that is read (the
//       configuration, its includes, the input of a replay, secrets, certificates) nor as another
//       file that is written (results, dead letters, the files in the folders of state and
//       outboxes).
//   (2) Files that are only read may be the same file; devices (/dev/null) may have several
//       writers.
#pragma once

#include "daemon/config/parse_config.h"

namespace sash {

// Adds an error for each pair, at the key of the file that is written; the message names both keys.
// A key that already has an error gets no other.
void AddSharedFiles(ParsedConfig& parsed);

}  // namespace sash
