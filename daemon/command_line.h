// The command line of sashd: --config runs the process; --check, also with --record, --probe,
// --infer, also with --topic, --print-config, --print-schema, --verify, --replay,
// --replay-dead-letters, --version and --help do their work and exit. `sashd --help` describes
// them.
//
// Thread safety: called once, by main().
#pragma once

namespace sash {

// Runs the command that the arguments give. Returns the exit code: 0 ok, 1 run-time failure,
// 2 usage, 78 configuration.
int RunCommandLine(int argc, char** argv);

}  // namespace sash
