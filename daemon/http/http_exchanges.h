// The state that HttpServer keeps for each request and stream in progress.
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

// Owned by the library, from OnTarget() to OnCompleted().
struct HttpServer::Request {
  std::string target;
  MHD_Connection* connection = nullptr;
  HttpRequest asked{};
  bool begun = false;
  bool takes_body = false;
  bool body_too_long = false;
  std::size_t body_bytes = 0;  // at most
  bool answered = false;
  bool in_lane = false;                   // a lane makes the pending answer
  std::optional<HttpResponse> refusal{};  // to be sent once the request is complete
  std::shared_ptr<PendingAnswer> pending{};
};

// Owned by the server's list until the library frees its response.
struct HttpServer::Stream {
  HttpServer& server;
  std::shared_ptr<BodyStream> body;  // null: the reader has left
  MHD_Connection* connection;
  int descriptor;
  std::list<std::unique_ptr<Stream>>::iterator self{};
  std::string piece{};
  std::size_t sent = 0;  // of `piece`
  SteadyTime last_sent = Now();
  bool suspended = false;
  bool ended = false;
  // The next piece, which a lane is making; null: none is being made.
  struct Filling {
    std::atomic<bool> done = false;
    std::optional<std::string> next{};  // nothing: the end; empty: no piece yet
  };
  std::shared_ptr<Filling> filling{};
  bool ask_again = false;  // more may have come since Fill()

  // Null without memory.
  static MHD_Response* Make(HttpServer& server, MHD_Connection* connection,
                            const HttpResponse& answer);

  SteadyTime silent_until() const { return last_sent + server.options_.silence; }
  // Lets a lane make the next piece. The last piece must have been sent completely.
  void Fill();
  // Takes the next piece, if it is ready. Asks again if it is empty and more may have come since.
  void TakeFilled();
  // Ends the stream; unsent data is dropped.
  void End();

 private:
  // Callbacks of the library; `of` is the stream. OnRoom: the connection has room for more data.
  // OnFreed: the response is no longer used.
  static ssize_t OnRoom(void* of, std::uint64_t position, char* buffer, std::size_t room);
  static void OnFreed(void* of);
};

}  // namespace sash
