#include "connectors/sinks/webhook/settled_keys.h"

#include <string_view>
#include <utility>

namespace sash {

Result<SettledKeys> SettledKeys::Open(const std::string& outbox_folder, std::uint64_t waiting) {
  Result<AppendFile> opened = AppendFile::Open(outbox_folder + "/settled");
  if (!opened) return std::move(opened).error();
  SettledKeys keys(std::move(opened).value(), waiting);
  if (waiting == 0) {
    if (Status cut = keys.file_.CutTo(0); !cut) return std::move(cut).error();
    return keys;
  }
  std::string text(keys.file_.size(), '\0');
  const Result<std::size_t> read = keys.file_.Read(0, text);
  if (!read) return read.error();
  std::string_view rest = std::string_view(text).substr(0, read.value());
  std::uint64_t whole = 0;
  for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos;) {
    ++keys.earlier_[std::string(rest.substr(0, end))];
    rest.remove_prefix(end + 1);
    whole += end + 1;
  }
  if (Status cut = keys.file_.CutTo(whole); !cut) return std::move(cut).error();
  return keys;
}

bool SettledKeys::WasSettled(const Outbox::Message& message) {
  if (message.id >= waiting_) return false;
  const auto found = earlier_.find(message.key);
  if (found == earlier_.end()) return false;
  if (--found->second == 0) earlier_.erase(found);
  return true;
}

void SettledKeys::Add(const Outbox::Message& message) {
  if (file_.size() > kMostBytes) Clear();
  static_cast<void>(file_.Append(message.key + "\n"));
}

void SettledKeys::Clear() {
  if (file_.size() > 0) static_cast<void>(file_.CutTo(0));
}

}  // namespace sash
