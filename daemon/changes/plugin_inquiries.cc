#include "daemon/changes/plugin_inquiries.h"

#include <stop_token>
#include <utility>

#include "daemon/plugins/isolated_plugins.h"

namespace sash {

void PluginInquiries::Ask(const std::string& file, Done done) {
  std::erase_if(inquiries_, [](const Inquiry& each) { return each.is_over.load(); });
  Inquiry& inquiry = inquiries_.emplace_back();
  inquiry.thread =
      std::jthread([file, &inquiry, done = std::move(done)](const std::stop_token& stop) {
        done(DescribePlugin(file, stop));
        inquiry.is_over = true;
      });
}

}  // namespace sash
