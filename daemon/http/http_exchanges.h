// What HttpServer keeps of requests and streams while they are under way.
//
// Thread safety: belongs to the server's thread.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "daemon/http/http_server.h"

struct MHD_Connection;
struct MHD_Response;

namespace sash {

// Belongs to the library from its target to its end.
struct HttpServer::Request {
  std::string target;
  MHD_Connection* connection = nullptr;
  HttpRequest asked{};
  bool begun = false;
  bool takes_body = false;
  bool body_too_long = false;
  bool answered = false;
  bool in_lane = false;  // the pending answer is made by a thread of ours
  std::optional<HttpResponse> refusal{};  // to be sent once the request is whole
  std::shared_ptr<PendingAnswer> pending{};
};

// Belongs to the server's list until the library lets go of it.
struct HttpServer::Stream {
  HttpServer& server;
  std::shared_ptr<BodyStream> body;  // null: its reader has left
  MHD_Connection* connection;
  int descriptor;
  std::list<std::unique_ptr<Stream>>::iterator self{};
  std::string piece{};
  std::size_t sent = 0;  // of `piece`
  SteadyTime last_sent = Now();
  bool suspended = false;
  bool ended = false;
  // What a lane makes of the next piece; null: nothing is being made.
  struct Filling {
    std::atomic<bool> done = false;
    std::optional<std::string> next{};  // the end, or empty: nothing yet
  };
  std::shared_ptr<Filling> filling{};
  bool ask_again = false;  // there may be more than what is being made

  // Null without memory.
  static MHD_Response* Make(HttpServer& server, MHD_Connection* connection,
                            const HttpResponse& answer);

  SteadyTime silent_until() const { return last_sent + server.options_.silence; }
  // Lets the next piece be made; nothing of the last one is left to send.
  void Fill();
  // Takes it, if it is there. Asks again when there was nothing and there may be something by now.
  void TakeFilled();
  // Whatever is left of it is not sent.
  void End();

 private:
  // The library calls these: all that there was of the stream (`of`) is sent, and there is room for
  // more; nobody wants it any longer.
  static ssize_t OnRoom(void* of, std::uint64_t position, char* buffer, std::size_t room);
  static void OnFreed(void* of);
};

}  // namespace sash
