// PluginInquiries: asks isolated plug-ins what they are, each in a thread of its own, so that the
// main thread does not wait for constructors.
//
// Thread safety: belongs to the main thread.
//
// Invariants
//   (1) Each inquiry calls its function once, in its own thread. After Stop() none is under way.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <string>
#include <thread>

#include "daemon/plugins/job_plugin.h"

namespace sash {

class PluginInquiries {
 public:
  using Done = std::function<void(DescribedPlugin described)>;

  PluginInquiries() = default;
  PluginInquiries(const PluginInquiries&) = delete;
  PluginInquiries& operator=(const PluginInquiries&) = delete;

  // DescribePlugin(file), then done().
  void Ask(const std::string& file, Done done);
  // Ends what is under way.
  void Stop() { inquiries_.clear(); }

 private:
  struct Inquiry {
    std::atomic<bool> is_over = false;
    std::jthread thread{};  // last: it uses the rest
  };

  std::list<Inquiry> inquiries_;
};

}  // namespace sash
