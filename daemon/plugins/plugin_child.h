// The process of one plug-in: main() of sashd, with the hidden option --plugin-child. It reads its
// task (graph_image.h), loads the plug-in with the checks that sashd makes, runs it, and writes
// frames (answer_frames.h).
//
// Thread safety: called once, by main(), before there are threads.
#pragma once

namespace sash {

// Whether this process was started as one by ChildProcess.
bool IsPluginChild(int argc, char** argv);

// Does the task and ends the process; does not return. No other process reads the exit code: it is
// EXIT_SUCCESS, or EXIT_FAILURE after a failure.
int RunPluginChild(char** argv);

}  // namespace sash
