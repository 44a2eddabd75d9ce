// The exit codes of the process.
#pragma once

#include "daemon/log/log_events.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

enum ExitCode : int {
  kExitOk = 0,
  kExitFailure = 1,         // an error at run time
  kExitUsage = 2,           // an error in the command line
  kExitConfiguration = 78,  // EX_CONFIG of sysexits.h
};

// Logs why the process cannot start. Returns `code`.
inline int Fail(EventLog& log, const Error& error, int code) {
  log.Log(process_events::kStartFailed, error.message);
  return code;
}

}  // namespace sash
