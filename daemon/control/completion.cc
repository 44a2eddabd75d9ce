#include "daemon/control/completion.h"

#include "daemon/control/completion_words.h"
#include "windows/base/check.h"

namespace sash {

std::string CompletionScript(std::string_view shell) {
  if (shell == "bash") return BashCompletion();
  if (shell == "zsh") return ZshCompletion();
  SASH_CHECK(shell == "fish");
  return FishCompletion();
}

}  // namespace sash
