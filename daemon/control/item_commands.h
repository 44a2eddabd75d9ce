// ItemCommands: the commands of sashctl that jobs, windows and alerts have in common. The first
// word of the command says which list it is about, the first argument which item of it.
//
// Thread safety: belongs to one thread.
#pragma once

#include <string>
#include <string_view>

#include "daemon/control/conversation.h"
#include "daemon/control/invocation.h"

namespace sash {

class ItemCommands {
 public:
  // Both outlive it.
  ItemCommands(const Invocation& invocation, Conversation& daemon)
      : invocation_(invocation), daemon_(daemon) {}

  // Each returns a ControlExit.
  int List();
  int Show(const std::string& query);  // `query`: with its question mark, or empty
  int Add();
  int Put();
  int Remove();
  // POST to `action` of the item; `done` says what it is then.
  int Do(std::string_view action, std::string_view done);
  int TestAlert();

 private:
  const std::string& argument() const { return invocation_.arguments.front(); }
  std::string Collection() const;  // "jobs", "windows" or "alerts"
  std::string Kind() const;        // "job"
  std::string ItemPath() const;

  const Invocation& invocation_;
  Conversation& daemon_;
};

}  // namespace sash
