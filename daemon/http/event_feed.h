// EventFeed: the latest events of the daemon, for readers that follow them.
//
// Every event has a number. The newest kKept events can be read, by each reader at its own pace.
// The feed has no list of readers, so a slow reader costs nothing. Results are not kept here but in
// the history; an event holds a weak reference to its result.
//
// Thread safety: every member may be called from any thread, except OnAdded(), which must be called
// first.
//
// Invariants
//   (1) Numbers have no gaps. A reader gets every event once and in order, or is told that it
//       missed some.
//   (2) At most kKept events are held, and at most kRendered texts of results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/jobs/run_result.h"

namespace sash {

class EventFeed {
 public:
  static constexpr std::size_t kKept = 1024;
  static constexpr std::size_t kRendered = 16;

  using ResultPtr = std::shared_ptr<const RunResult>;
  // JSON, without line ends; its lists have at most `top` rows.
  using ResultText = std::function<std::string(const ResultPtr&, std::size_t top)>;
  static constexpr std::size_t kMostRows = 1000;  // of a result

  // `epoch` distinguishes this process from earlier ones that used the same numbers. Letters and
  // digits.
  EventFeed(std::string epoch, ResultText result_text);

  // `call` is called after each event, in the thread that adds it.
  void OnAdded(std::function<void()> call) { on_added_ = std::move(call); }

  // `json` is one line.
  void Add(std::string_view kind, std::string json);
  void AddResult(const ResultPtr& result);

  // The position of a reader.
  struct Place {
    std::uint64_t next = 0;             // the number of the event to read next
    std::optional<std::string> notice;  // to be read before it
    std::size_t top = kMostRows;        // rows of the lists of results
  };

  // Positions: after the newest event; before the oldest kept event; after the event with this id
  // ("e-17"). For an id that is too old, or from another process: a notice of missed events, then
  // the oldest kept event. Fails if `id` is not an event id.
  Place Newest() const;
  Place Oldest() const;
  Result<Place> After(std::string_view id) const;

  // The id of the event before `place`. A reader that reconnects before its first event uses it.
  std::string IdBefore(const Place& place) const;

  // The next event, in the format of server-sent events. Empty: there is none yet. Nothing: the
  // event was dropped, because the reader was too slow.
  std::optional<std::string> Read(Place& place);

 private:
  struct Event {
    std::string kind;
    std::string json;
    std::weak_ptr<const RunResult> result;
  };
  struct Rendered {
    std::uint64_t number = 0;
    std::size_t top = 0;
    std::shared_ptr<const std::string> text;
  };

  void Append(Event event);
  std::uint64_t end() const SASH_REQUIRES(mutex_) { return first_ + events_.size(); }
  std::string Text(std::uint64_t number, std::string_view kind, std::string_view json) const;
  std::string Missed(std::uint64_t last, std::optional<std::uint64_t> count) const;
  std::string TextOfResult(std::uint64_t number, const ResultPtr& result, std::size_t top);

  const std::string epoch_;
  const ResultText result_text_;
  std::function<void()> on_added_ = [] {};

  mutable Mutex mutex_;
  std::deque<Event> events_ SASH_GUARDED_BY(mutex_);  // oldest first
  std::uint64_t first_ SASH_GUARDED_BY(mutex_) = 1;   // the number of events_.front()
  std::deque<Rendered> rendered_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
