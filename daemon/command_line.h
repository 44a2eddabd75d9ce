// The command line of sashd. --config runs the process, or with --replay a span of its topics. The
// others do their work and exit: --check (with --record or --probe), --infer (with --topic),
// --print-config, --print-schema, --verify, --replay-dead-letters, --version and --help.
// `sashd --help` describes them.
//
// Thread safety: called once, by main().
#pragma once

namespace sash {

// Runs the command that the arguments give. Returns the exit code: 0 ok, 1 run-time failure,
// 2 usage, 78 configuration.
int RunCommandLine(int argc, char** argv);

}  // namespace sash
