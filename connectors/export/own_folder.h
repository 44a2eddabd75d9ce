// Folders that belong to one process: that of an export, and those in it.
//
// Thread safety: free functions.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "connectors/export/owned_descriptor.h"
#include "windows/base/result.h"

namespace sash {

// Opens the folder of an export, and keeps other processes from doing so until the descriptor is
// closed. Creates it with mode 0750, but not its parent. Refuses a folder of another user, one to
// which others have access beyond that mode, a link, and a folder that another process uses.
Result<OwnedDescriptor> OpenOwnFolder(const std::string& path);

// A folder in the folder `at`; a link is not followed.
OwnedDescriptor OpenFolderAt(int at, const std::string& name);

// Creates a folder with exactly the mode 0750, whatever the umask is. False: it exists already.
Result<bool> MakeFolder(int at, const std::string& name);

// Whether the folder is on a tmpfs, such as /dev/shm: its files take memory.
bool IsInMemory(int folder);

// The names in a folder whose entries are of a kind (S_IFDIR, S_IFREG), or all if that is 0;
// sorted.
std::vector<std::string> EntriesOf(int folder, mode_t kind);

}  // namespace sash
