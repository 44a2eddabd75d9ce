// sashctl, from its command line to its exit code.
//
// Thread safety: called once, by main().
#pragma once

namespace sash {

// The whole process of sashctl. Returns a ControlExit.
int RunControl(int argc, const char* const* argv);

}  // namespace sash
