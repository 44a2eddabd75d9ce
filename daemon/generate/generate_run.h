// The run of sash-generate: open the output, emit edges at their pace, deliver, report.
//
// Thread safety: one run at a time; it waits only for its output and the clock.
#pragma once

#include "daemon/generate/generate_options.h"
#include "daemon/generate/record_output.h"
#include "windows/base/clock.h"

namespace sash {

// Runs until the edges are emitted, `stop` is set, or the output fails. If the start is "now", it
// is read from `clock` after the output was opened.
Status Generate(GenerateOptions options, const Clock& clock, const StopFlag& stop);

// The process: command line, signals, exit code.
int RunGenerate(int argc, const char* const* argv);

}  // namespace sash
