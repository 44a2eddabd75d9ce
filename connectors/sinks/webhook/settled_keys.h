// SettledKeys: which messages of an outbox are settled (delivered or parked), so that a restart
// does not send them again. An outbox alone does not know this after a restart, if messages still
// waited at the end. The keys are in the file `settled` in the folder of the outbox, one a line.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) A key is written before its message is acknowledged to the outbox. The lines survive the
//       end of the process in any way; after a crash of the host, messages may be sent again.
//   (2) Only messages that waited at the start are compared with the file. A result that is
//       produced again is a new message, and is sent.
//   (3) The file is emptied whenever the outbox is empty, and at kMostBytes; after that, settled
//       messages may be sent again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/outbox.h"
#include "windows/base/result.h"

namespace sash {

class SettledKeys {
 public:
  static constexpr std::uint64_t kMostBytes = 16 << 20;

  // `waiting`: the number of messages in the outbox, which was just opened.
  static Result<SettledKeys> Open(const std::string& outbox_folder, std::uint64_t waiting);

  // Whether an earlier process settled this message. Call it once for each message, in order.
  bool WasSettled(const Outbox::Message& message);

  // If the disk does not take the key, the message may be sent again after a restart.
  void Add(const Outbox::Message& message);
  // Call it when the outbox is empty.
  void Clear();

 private:
  SettledKeys(AppendFile file, std::uint64_t waiting) : file_(std::move(file)), waiting_(waiting) {}

  AppendFile file_;
  const std::uint64_t waiting_;                   // messages with smaller ids waited at the start
  std::map<std::string, std::size_t> earlier_{};  // keys, with how often each is in the file
};

}  // namespace sash
