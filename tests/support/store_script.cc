#include "tests/support/store_script.h"

#include <algorithm>

#include "tests/support/id_edge.h"

namespace sash::testing {
namespace {

std::string ToText(const StoreOperation& operation) {
  const std::string source = std::to_string(operation.source);
  const std::string pair = source + " " + std::to_string(operation.target);
  const std::string type =
      operation.type == kNoType ? "" : " of type " + std::to_string(operation.type);
  switch (operation.operation) {
    case Operation::kRemove:
      return "remove " + pair + type;
    case Operation::kRemoveVertex:
      return "remove_vertex " + source;
    case Operation::kAdd:
      break;
  }
  return "add " + pair + " " + testing::ToText(operation.weight) + type;
}

std::string ToText(const ScriptWindow& window) {
  std::string text = window.length == ScriptWindow::kForever
                         ? "forever"
                         : "length " + std::to_string(window.length);
  text += ", slide " + std::to_string(window.slide);
  text += ", opens before pane " + std::to_string(window.opens) + " with " +
          std::to_string(window.opens_with);
  if (window.closes == ScriptWindow::kNever) return text;
  return text + ", closes before pane " + std::to_string(window.closes);
}

}  // namespace

std::shared_ptr<const Slice> MakeSlice(std::uint64_t id, const SliceOperations& operations) {
  auto slice = std::make_shared<Slice>();
  slice->id = SliceId{id};
  auto kind = WeightColumn::Kind::kOnes;
  auto width = TypeWidth::kNone;
  bool only_adds = true;
  for (const StoreOperation& operation : operations) {
    kind = std::max(kind, WeightColumn::KindOf(operation.weight));
    width = std::max(width, WidthOf(operation.type));
    only_adds = only_adds && operation.operation == Operation::kAdd;
  }
  slice->weights = WeightColumn(operations.size(), kind);
  slice->types = TypeColumn(operations.size(), width);
  for (const StoreOperation& operation : operations) {
    slice->weights.Set(slice->sources.size(), operation.weight);
    slice->types.Set(slice->sources.size(), operation.type);
    slice->sources.push_back(operation.source);
    slice->targets.push_back(operation.target);
    if (!only_adds) slice->operations.push_back(operation.operation);
  }
  return slice;
}

VertexId IdLimit(const SliceOperations& operations) {
  VertexId limit = 0;
  for (const StoreOperation& operation : operations) {
    limit = std::max({limit, operation.source + 1, operation.target + 1});
  }
  return limit;
}

std::string ToText(const StoreScript& script) {
  std::string text;
  for (std::size_t w = 0; w < script.windows.size(); ++w) {
    text += "window " + std::to_string(w) + ": " + ToText(script.windows[w]) + "\n";
  }
  for (std::size_t p = 0; p < script.panes.size(); ++p) {
    const ScriptPane& pane = script.panes[p];
    text += "pane " + std::to_string(p) + (pane.silent ? ": silent" : ":");
    std::string separator = " ";
    for (const StoreOperation& operation : pane.operations) {
      text += separator + ToText(operation);
      separator = "; ";
    }
    text += "\n";
  }
  return text;
}

}  // namespace sash::testing
