// Application: the process, from a configuration to its exit code.
//
// Thread safety: belongs to the main thread.
#pragma once

#include <memory>
#include <string>

#include "daemon/config/config.h"

namespace sash {

class DryRun;

class Application {
 public:
  // `config` was read from `file`, which is read again on SIGHUP. `dry_run` gets each alert; null:
  // it is not a dry run. It outlives the application.
  Application(Config config, std::string file, DryRun* dry_run = nullptr);
  ~Application();

  // Runs until a signal or the end of a finite source. Returns the exit code.
  int Run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sash
