#include "daemon/http/large_answer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "daemon/http/api_routes.h"

namespace sash {

class LargeAnswers::Stream final : public BodyStream {
 public:
  Stream(std::string first, Source source, std::shared_ptr<std::atomic<int>> streamed)
      : first_(std::move(first)), source_(std::move(source)), streamed_(std::move(streamed)) {}
  ~Stream() override { --*streamed_; }

  WorkLane lane() const override { return WorkLane::kLarge; }
  bool is_endless() const override { return false; }
  std::string KeepAlive() override { return {}; }

  std::optional<std::string> Next() override {
    if (!first_.empty()) return std::exchange(first_, std::string());
    std::string piece;
    while (has_more_ && piece.empty()) has_more_ = source_(piece, kPiece);
    return piece.empty() ? std::nullopt : std::optional(std::move(piece));
  }

 private:
  std::string first_;
  const Source source_;
  const std::shared_ptr<std::atomic<int>> streamed_;
  bool has_more_ = true;
};

HttpResponse LargeAnswers::Answer(Source source) const {
  std::string first;
  while (first.size() < kWhole) {
    if (!source(first, kWhole - first.size())) return {.body = std::move(first), .tagged = true};
  }
  if (++*streamed_ > kMostStreamed) {
    --*streamed_;
    return TooManyReaders("the maximum number of large answers is being read");
  }
  return {.stream = std::make_shared<Stream>(std::move(first), std::move(source), streamed_)};
}

LargeAnswers::Source ValueSource(JsonPieces value) {
  auto left = std::make_shared<JsonPieces>(std::move(value));
  left->Add("\n");
  return [left](std::string& to, std::size_t bytes) { return left->Append(to, bytes); };
}

LargeAnswers::Source ArraySource(std::size_t count,
                                 std::function<JsonPieces(std::size_t i, std::size_t bytes)> item) {
  struct State {
    std::size_t next = 0;
    std::size_t made = 0;  // bytes
    std::optional<JsonPieces> current{};
    bool begun = false;
  };
  return [count, item = std::move(item), state = std::make_shared<State>()](std::string& to,
                                                                            std::size_t bytes) {
    const std::size_t begin = to.size();
    if (!std::exchange(state->begun, true)) to += '[';
    bool more = true;
    while (more && to.size() - begin < bytes) {
      if (!state->current) {
        if (state->next == count) {
          to += "]\n";
          more = false;
          break;
        }
        if (state->next > 0) to += ',';
        const std::size_t made = state->made + (to.size() - begin);
        state->current = item(state->next++,
                              LargeAnswers::kMostBytes - std::min(LargeAnswers::kMostBytes, made));
      }
      const std::size_t got = to.size() - begin;
      if (got < bytes && !state->current->Append(to, bytes - got)) state->current.reset();
    }
    state->made += to.size() - begin;
    return more;
  };
}

}  // namespace sash
