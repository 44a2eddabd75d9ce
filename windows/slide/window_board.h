// WindowBoard: the current windows of a stream and their stores, for any thread.
//
// Thread safety: only the engine thread changes it; any thread may call Windows(), Find() and
// Stores(). What a change replaces or removes is freed without the lock: dropping a view can take
// milliseconds.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/jobs/advance.h"
#include "windows/slide/live_window.h"
#include "windows/slide/store_status.h"
#include "windows/slide/window_history.h"
#include "windows/slide/window_spec.h"

namespace sash {

struct WindowStatus {
  WindowSpec spec;
  AdvancePtr newest;                               // null before the first
  std::shared_ptr<const WindowHistory> history{};  // null: nothing before it can be read
  LiveWindowPtr live{};  // null: it is not live, or there is no event yet
};

class WindowBoard {
 public:
  // In the order in which they were added.
  std::vector<WindowStatus> Windows() const;
  std::optional<WindowStatus> Find(std::string_view window) const;
  std::vector<StoreStatus> Stores() const;

  // A window joins; or it replaces the window of its name and keeps that window's newest advance.
  void Put(const WindowSpec& spec);
  void Remove(std::string_view window);
  void SetNewest(std::string_view window, AdvancePtr advance);
  AdvancePtr Newest(std::string_view window) const;
  void SetLive(std::string_view window, LiveWindowPtr live);
  void SetStores(std::vector<StoreStatus> stores);

  // Pin(): a pin for readers of history, at most as old as the newest advance of any window. Null
  // while no window has a history, so that keys are not kept without need. NeedsPin(): a window
  // has one.
  bool NeedsPin() const;
  void SetPin(std::shared_ptr<const IdPin> pin);
  std::shared_ptr<const IdPin> Pin() const;
  // Null: the window has none.
  void SetHistory(std::string_view window, std::shared_ptr<const WindowHistory> history);

 private:
  bool HasHistory() const SASH_REQUIRES(mutex_);
  // The pin, if no window needs it any more: the caller frees it without the lock.
  std::shared_ptr<const IdPin> TakeUnneededPin() SASH_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::vector<WindowStatus> windows_ SASH_GUARDED_BY(mutex_);
  std::vector<StoreStatus> stores_ SASH_GUARDED_BY(mutex_);
  std::shared_ptr<const IdPin> pin_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
