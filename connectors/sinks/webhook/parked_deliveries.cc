#include "connectors/sinks/webhook/parked_deliveries.h"

#include <utility>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

constexpr std::string_view kParkAttempt = "park a delivery";

}  // namespace

Status ParkedDeliveries::Park(const Outbox::Message& message, long status, std::string_view reply,
                              EventTime time) {
  JsonText json;
  json.BeginObject().Key("time").Text(TimeText(time)).Key("status").Integer(status);
  json.Key("reply").Text(reply).Key("key").Raw(message.key).Key("value").Raw(message.value);
  json.EndObject();
  const std::string line = std::move(json).Take() + "\n";
  if (Status room = MakeRoom(line.size()); !room) {
    return std::move(room).error().Within(kParkAttempt);
  }
  if (Status appended = file_->Append(line); !appended) {
    return std::move(appended).error().Within(kParkAttempt);
  }
  if (Status synced = file_->Sync(); !synced) {
    return std::move(synced).error().Within(kParkAttempt);
  }
  return Ok{};
}

// Opens the file, again if it was moved away, with room for a line of so many bytes.
Status ParkedDeliveries::MakeRoom(std::size_t bytes) {
  if (file_ && file_->size() > 0 && file_->size() + bytes > limit_bytes_ / 2) {
    if (Status renamed = file_->RenameTo(path_ + ".old"); !renamed) return renamed;
    file_.reset();
  }
  if (file_ && file_->place() == FilePlace::kThere) return Ok{};
  file_.reset();
  Result<AppendFile> opened = AppendFile::Open(path_);
  if (!opened) return std::move(opened).error();
  file_.emplace(std::move(opened).value());
  if (file_->size() == 0 || file_->size() + bytes <= limit_bytes_ / 2) return Ok{};
  return MakeRoom(bytes);  // the file of an earlier process is full
}

}  // namespace sash
