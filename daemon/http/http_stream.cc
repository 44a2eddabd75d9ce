// Streamed bodies, sent when libmicrohttpd asks for data.
#include <microhttpd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "daemon/http/http_exchanges.h"

namespace sash {
namespace {

// What is sent at a time. More at a time costs less; the library keeps a buffer of this size for
// each stream, and streams of a known size are few (LeaseDownloads).
constexpr std::size_t kStreamBlock = 16 << 10;
constexpr std::size_t kKnownStreamBlock = 128 << 10;

}  // namespace

MHD_Response* HttpServer::Stream::Make(HttpServer& server, MHD_Connection* connection,
                                       const HttpResponse& answer) {
  server.streams_.push_front(std::make_unique<Stream>(
      Stream{server, answer.stream, connection, Place(connection).descriptor}));
  Stream& stream = *server.streams_.front();
  stream.self = server.streams_.begin();
  MHD_Response* response = MHD_create_response_from_callback(
      answer.stream_bytes.value_or(MHD_SIZE_UNKNOWN),
      answer.stream_bytes ? kKnownStreamBlock : kStreamBlock, &OnRoom, &stream, &OnFreed);
  if (response == nullptr) {
    server.streams_.pop_front();
  } else {
    server.leavers_.Add(stream.descriptor, &stream);
  }
  return response;
}

void HttpServer::Stream::Fill() {
  piece.clear();
  sent = 0;
  ask_again = false;
  filling = std::make_shared<Filling>();
  server.lanes_.Post(body->lane(), [of = &server, made = filling, from = body] {
    try {
      made->next = from->Next();
    } catch (const std::exception&) {
      made->next.reset();
    }
    made->done = true;
    of->Nudge();
  });
}

void HttpServer::Stream::TakeFilled() {
  if (ended || !filling || !filling->done) return;
  std::optional<std::string> next = std::move(filling->next);
  filling.reset();
  const bool again = std::exchange(ask_again, false);
  if (next && next->empty() && again) return Fill();
  // While the server stops, events from before the stop are still sent.
  ended = !next || (server.finishing_ && next->empty());
  if (ended) return;
  if (next->empty() && Now() >= silent_until()) next = body->KeepAlive();
  piece = *std::move(next);
}

void HttpServer::Stream::End() {
  body.reset();
  filling.reset();
  ended = true;
  piece.clear();
  sent = 0;
}

ssize_t HttpServer::Stream::OnRoom(void* of, std::uint64_t, char* buffer, std::size_t room) {
  Stream& stream = *static_cast<Stream*>(of);
  HttpServer& server = stream.server;
  ConnectionTable::Connection& place = Place(stream.connection);
  const bool may_last = stream.body != nullptr && stream.body->is_endless();
  if (place.deadline && may_last) place.deadline = Now() + server.options_.piece_time;
  if (stream.ended) return MHD_CONTENT_READER_END_OF_STREAM;
  if (stream.sent == stream.piece.size()) {
    stream.Fill();
    if (place.deadline && may_last) *place.deadline += server.options_.silence;
    MHD_suspend_connection(stream.connection);
    stream.suspended = true;
    return 0;
  }
  const std::size_t size = std::min(room, stream.piece.size() - stream.sent);
  stream.piece.copy(buffer, size, stream.sent);
  stream.sent += size;
  stream.last_sent = Now();
  return static_cast<ssize_t>(size);
}

void HttpServer::Stream::OnFreed(void* of) {
  Stream& stream = *static_cast<Stream*>(of);
  stream.server.leavers_.Remove(stream.descriptor);
  stream.server.streams_.erase(stream.self);
}

}  // namespace sash
