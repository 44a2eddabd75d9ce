// Application: the process, from a configuration to its exit code.
#pragma once

#include <memory>
#include <string>

#include "daemon/config/config.h"

namespace sash {

class Application {
 public:
  // `config` was read from `file`, which is read again on SIGHUP.
  Application(Config config, std::string file);
  ~Application();

  // Runs until a signal or the end of a finite source. Returns the exit code.
  int Run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sash
