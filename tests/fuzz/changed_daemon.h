// ChangedDaemon: a TinyDaemon whose jobs and windows requests may change, as the process does it:
// what comes is read with the parser of the configuration, enters the engine, and leaves it again,
// so that one request is like the next.
//
// Thread safety: belongs to one thread.
#pragma once

#include "daemon/http/change_request.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash::fuzz {

class ChangedDaemon {
 public:
  ChangedDaemon();

  // With answers to changes, which come at once.
  ApiSurroundings surroundings();

 private:
  HttpResponse Do(const ChangeRequest& request);
  HttpResponse AddJob(const ChangeRequest& request, bool named);
  HttpResponse PutWindow(const ChangeRequest& request, bool named);

  TinyDaemon daemon_;
};

}  // namespace sash::fuzz
