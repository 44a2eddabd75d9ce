// The command `export` of sashctl.
//
// Thread safety: a free function.
#pragma once

#include "daemon/control/conversation.h"
#include "daemon/control/invocation.h"

namespace sash {

// Asks for a snapshot of the window. With a second argument, a folder, it waits until the snapshot
// is whole, and copies it there. Returns a ControlExit.
int RunExport(const Invocation& invocation, Conversation& daemon);

}  // namespace sash
