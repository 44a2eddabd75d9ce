// ChangedDaemon: a TinyDaemon whose jobs and windows can be changed by requests, as in the process:
// a request is read with the parser of the configuration, enters the engine, and leaves it again,
// so that all requests meet the same state.
//
// Thread safety: belongs to one thread.
#pragma once

#include "daemon/http/change_request.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash::fuzz {

class ChangedDaemon {
 public:
  ChangedDaemon();

  // Changes are answered immediately.
  ApiSurroundings surroundings();

 private:
  HttpResponse Do(const ChangeRequest& request);
  HttpResponse AddJob(const ChangeRequest& request, bool named);
  HttpResponse PutWindow(const ChangeRequest& request, bool named);

  TinyDaemon daemon_;
};

}  // namespace sash::fuzz
