// The life of sash-generate: open the output, emit edges at their pace, deliver, report.
//
// Thread safety: one run at a time; it waits for nothing but its output and the clock.
#pragma once

#include "daemon/generate/generate_options.h"
#include "daemon/generate/record_output.h"
#include "windows/base/clock.h"

namespace sash {

// Until the edges are emitted, `stop` is set, or the output fails. `clock` is asked for the start
// when that is "now", after the output was opened.
Status Generate(GenerateOptions options, const Clock& clock, const StopFlag& stop);

// The process: command line, signals, exit code.
int RunGenerate(int argc, const char* const* argv);

}  // namespace sash
