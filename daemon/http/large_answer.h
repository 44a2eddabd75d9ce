// LargeAnswers: JSON answers that may be large. What is short is an answer like any other; a longer
// one is streamed, made piece by piece as its reader takes it.
//
// Thread safety: every member may be called from any thread; a source belongs to its answer.
//
// Invariants
//   (1) Of an answer the process holds about kWhole or kPiece bytes, beside what its source pins.
//   (2) At most kMostStreamed answers are streamed at a time; a further one is 503.
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

  // Appends about so many bytes of the body; false when that was the end.
  using Source = std::function<bool(std::string& to, std::size_t bytes)>;

  // Tagged, when it is short.
  HttpResponse Answer(Source source) const;

 private:
  class Stream;

  const std::shared_ptr<std::atomic<int>> streamed_ = std::make_shared<std::atomic<int>>(0);
};

// One value and a line end.
LargeAnswers::Source ValueSource(JsonPieces value);

// The array of item(i, bytes) for each i below `count`, each made when it is its turn; `bytes`: of
// kMostBytes are left.
LargeAnswers::Source ArraySource(
    std::size_t count, std::function<JsonPieces(std::size_t i, std::size_t bytes)> item);

}  // namespace sash
