#include "windows/slide/window_rules.h"

#include <chrono>
#include <limits>
#include <utility>

#include "windows/base/clock.h"

namespace sash {
namespace {

// A length, slide or offset as text, for messages.
std::string ExtentText(std::int64_t extent, WindowAxis axis) {
  if (axis == WindowAxis::kEvents) return std::to_string(extent) + " events";
  for (const auto& [unit, name] : {std::pair{Duration(std::chrono::seconds(1)), "s"},
                                   std::pair{Duration(std::chrono::milliseconds(1)), "ms"}}) {
    if (extent % unit.count() == 0) return std::to_string(extent / unit.count()) + name;
  }
  return std::to_string(extent) + "ns";
}

}  // namespace

Error RefusedWindow(std::string reason) { return {ErrorCode::kInvalidArgument, std::move(reason)}; }

Status CheckWindow(const WindowSpec& spec) {
  if (spec.name.empty()) return RefusedWindow("it has no name");
  if (spec.slide <= 0) return RefusedWindow("slide must be greater than 0");
  if (spec.length && (*spec.length <= 0 || *spec.length % spec.slide != 0)) {
    return RefusedWindow("length (" + ExtentText(*spec.length, spec.by) +
                         ") must be a multiple of slide (" + ExtentText(spec.slide, spec.by) + ")");
  }
  if (spec.offset != 0 && spec.by == WindowAxis::kEvents) {
    return RefusedWindow("offset goes with windows by time, not with `by: events`");
  }
  if (!spec.filter().empty() && spec.by == WindowAxis::kEvents) {
    return RefusedWindow((spec.types.empty() ? std::string("where goes") : "types go") +
                         " with windows by time, not with `by: events`");
  }
  if (spec.offset < 0 || spec.offset >= spec.slide) {
    return RefusedWindow("offset (" + ExtentText(spec.offset, spec.by) +
                         ") must be at least 0 and less than slide (" +
                         ExtentText(spec.slide, spec.by) + ")");
  }
  if (spec.live && spec.implementation != StoreKind::kMultiversioned) {
    return RefusedWindow("live does not go with `implementation: rebuild`");
  }
  if (spec.retain == 0) return Ok();
  if (spec.retain < 0) return RefusedWindow("retain must not be negative");
  if (!spec.length) return RefusedWindow("retain goes with windows that have a length");
  if (spec.retain > std::numeric_limits<std::int64_t>::max() / 4 - *spec.length) {
    return RefusedWindow("retain is too long");
  }
  if (spec.implementation != StoreKind::kMultiversioned) {
    return RefusedWindow("retain does not go with `implementation: rebuild`");
  }
  return Ok();
}

Status CheckPane(const WindowSpec& spec, Position pane) {
  if (FitsPane(spec, pane)) return Ok();
  const bool fits = spec.slide % pane == 0;
  return RefusedWindow((fits ? "offset (" : "slide (") +
                       ExtentText(fits ? spec.offset : spec.slide, spec.by) +
                       ") must be a multiple of " + ExtentText(pane, spec.by) +
                       ", the pane of the windows of this axis");
}

}  // namespace sash
