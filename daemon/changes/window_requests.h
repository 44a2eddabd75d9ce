// WindowRequests: answers requests of the API that add, change, remove or export windows.
//
// Thread safety: belongs to the main thread.
#pragma once

#include <string>

#include "daemon/changes/change_notices.h"
#include "daemon/changes/config_reload.h"
#include "daemon/changes/run_time_windows.h"
#include "daemon/config/parse_item.h"
#include "daemon/http/change_request.h"
#include "daemon/pipeline/pipeline.h"

namespace sash {

class WindowRequests {
 public:
  // All arguments outlive it.
  WindowRequests(Pipeline& pipeline, const ConfigReload& reload, RunTimeWindows& windows,
                 const ChangeNotices& notices)
      : pipeline_(pipeline), reload_(reload), windows_(windows), notices_(notices) {}

  HttpResponse Add(const ChangeRequest& request);
  HttpResponse Put(const ChangeRequest& request);
  HttpResponse Remove(const ChangeRequest& request);
  HttpResponse Export(const ChangeRequest& request);

 private:
  ParsedItem<WindowSpec> Parse(const ChangeRequest& request, bool named) const;
  HttpResponse Enter(const ChangeRequest& request, const WindowSpec& spec, bool is_new);
  HttpResponse NoWindow(const std::string& name) const;

  Pipeline& pipeline_;  // built after this object
  const ConfigReload& reload_;
  RunTimeWindows& windows_;
  const ChangeNotices& notices_;
};

}  // namespace sash
