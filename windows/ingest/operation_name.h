// The word of an operation, as in configurations, messages and the API.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "windows/ingest/edge_event.h"

namespace sash {

constexpr std::string_view OperationName(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return "add";
    case Operation::kRemove:
      return "remove";
    case Operation::kRemoveVertex:
      break;
  }
  return "remove_vertex";
}

}  // namespace sash
