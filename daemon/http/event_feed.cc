#include "daemon/http/event_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace sash {
namespace {

constexpr std::string_view kResult = "result";
// Readers are mostly at the same event, so rendered texts are cached for the next reader, unless
// they are larger than this.
constexpr std::size_t kLargestRendered = 128 << 10;

}  // namespace

EventFeed::EventFeed(std::string epoch, ResultText result_text)
    : epoch_(std::move(epoch)), result_text_(std::move(result_text)) {}

void EventFeed::Add(std::string_view kind, std::string json) {
  Append({std::string(kind), std::move(json), {}});
}

void EventFeed::AddResult(const ResultPtr& result) { Append({std::string(kResult), {}, result}); }

void EventFeed::Append(Event event) {
  {
    const MutexLock lock(mutex_);
    events_.push_back(std::move(event));
    if (events_.size() > kKept) {
      events_.pop_front();
      ++first_;
    }
  }
  on_added_();
}

EventFeed::Place EventFeed::Newest() const {
  const MutexLock lock(mutex_);
  return {.next = end(), .notice = {}};
}

EventFeed::Place EventFeed::Oldest() const {
  const MutexLock lock(mutex_);
  return {.next = first_, .notice = {}};
}

Result<EventFeed::Place> EventFeed::After(std::string_view id) const {
  const std::size_t dash = id.rfind('-');
  std::uint64_t number = 0;
  const char* const last = id.data() + id.size();
  const auto [read, error] =
      std::from_chars(dash == std::string_view::npos ? last : id.data() + dash + 1, last, number);
  if (dash == std::string_view::npos || dash == 0 || error != std::errc() || read != last) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("'{}' is not the id of an event, like {}-1", id, epoch_)};
  }
  const MutexLock lock(mutex_);
  if (id.substr(0, dash) != epoch_ || number >= end()) {
    return Place{.next = first_, .notice = Missed(first_ - 1, std::nullopt)};
  }
  if (number + 1 < first_) {
    return Place{.next = first_, .notice = Missed(first_ - 1, first_ - 1 - number)};
  }
  return Place{.next = number + 1, .notice = {}};
}

std::string EventFeed::IdBefore(const Place& place) const {
  return fmt::format("{}-{}", epoch_, place.next - 1);
}

std::optional<std::string> EventFeed::Read(Place& place) {
  if (place.notice) return *std::exchange(place.notice, std::nullopt);
  std::uint64_t forgotten = 0;  // consecutive results that the history dropped
  for (;;) {
    Event event;
    {
      const MutexLock lock(mutex_);
      if (place.next < first_) return std::nullopt;
      if (place.next == end()) break;
      event = events_[place.next - first_];
    }
    const ResultPtr result = event.result.lock();
    if (event.kind != kResult || result != nullptr) {
      if (forgotten > 0) break;  // report the gap first
      const std::uint64_t number = place.next++;
      return result ? TextOfResult(number, result, place.top)
                    : Text(number, event.kind, event.json);
    }
    ++forgotten;
    ++place.next;
  }
  return forgotten > 0 ? Missed(place.next - 1, forgotten) : std::string();
}

std::string EventFeed::Text(std::uint64_t number, std::string_view kind,
                            std::string_view json) const {
  return fmt::format("id: {}-{}\nevent: {}\ndata: {}\n\n", epoch_, number, kind, json);
}

// `last` is the number of the last missed event; `count` is how many were missed, if known.
std::string EventFeed::Missed(std::uint64_t last, std::optional<std::uint64_t> count) const {
  return Text(last, "missed",
              fmt::format("{{\"events\":{}}}", count ? std::to_string(*count) : "null"));
}

std::string EventFeed::TextOfResult(std::uint64_t number, const ResultPtr& result,
                                    std::size_t top) {
  {
    const MutexLock lock(mutex_);
    const auto found = std::ranges::find_if(
        rendered_, [&](const Rendered& each) { return each.number == number && each.top == top; });
    if (found != rendered_.end()) return *found->text;
  }
  std::string text = Text(number, kResult, result_text_(result, top));
  if (text.size() > kLargestRendered) return text;
  const MutexLock lock(mutex_);
  rendered_.push_back({number, top, std::make_shared<const std::string>(text)});
  if (rendered_.size() > kRendered) rendered_.pop_front();
  return text;
}

}  // namespace sash
