// LargeAnswers: JSON answers that may be large. A short answer is sent like any other; a longer
// answer is streamed, and each piece is made when the reader has taken the previous one.
//
// Thread safety: every member may be called from any thread; a source belongs to its answer.
//
// Invariants
//   (1) An answer takes about kWhole or kPiece bytes of memory, plus what its source pins.
//   (2) At most kMostStreamed answers are streamed at a time; further requests get 503.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "connectors/sinks/json_pieces.h"
#include "daemon/http/http_message.h"

namespace sash {

class LargeAnswers {
 public:
  static constexpr std::size_t kWhole = 256 << 10;      // longer ones are streamed
  static constexpr std::size_t kPiece = 128 << 10;      // at a time
  static constexpr std::size_t kMostBytes = 16 << 20;   // of an answer, about
  static constexpr std::size_t kMostRows = 100'000;     // of an answer, about
  static constexpr int kMostStreamed = 8;

  // Appends about `bytes` bytes of the body. False: the body is complete.
  using Source = std::function<bool(std::string& to, std::size_t bytes)>;

  // A short answer gets an ETag.
  HttpResponse Answer(Source source) const;

 private:
  class Stream;

  const std::shared_ptr<std::atomic<int>> streamed_ = std::make_shared<std::atomic<int>>(0);
};

// One value and a line end.
LargeAnswers::Source ValueSource(JsonPieces value);

// The array of item(i, bytes) for each i below `count`, each made when it is its turn. `bytes` is
// what is left of kMostBytes.
LargeAnswers::Source ArraySource(
    std::size_t count, std::function<JsonPieces(std::size_t i, std::size_t bytes)> item);

}  // namespace sash
