// WindowBoard: the current windows of a stream and their stores, for any thread.
//
// Thread safety: only the engine thread changes it; any thread may call Windows(), Find() and
// Stores().
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/jobs/advance.h"
#include "windows/slide/store_status.h"
#include "windows/slide/window_spec.h"

namespace sash {

struct WindowStatus {
  WindowSpec spec;
  AdvancePtr newest;  // null before the first
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
  void SetNewest(std::string_view window, const AdvancePtr& advance);
  void SetStores(std::vector<StoreStatus> stores);

 private:
  mutable Mutex mutex_;
  std::vector<WindowStatus> windows_ SASH_GUARDED_BY(mutex_);
  std::vector<StoreStatus> stores_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
