#include "connectors/kafka/start_offsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace sash {
namespace {

StartDecision At(std::int64_t offset) {
  return {.offset = offset, .gap = offset > 0, .lost = 0, .resumed = false, .remark = {}};
}

StartDecision BelowLow(std::int64_t wanted, LogBounds bounds, std::string_view what) {
  StartDecision decision = At(bounds.low);
  decision.lost = bounds.low - wanted;
  decision.remark = fmt::format(
      "{} {} is no longer retained: {} records ({} to {}) are lost, reading goes on at {}", what,
      wanted, decision.lost, wanted, bounds.low - 1, bounds.low);
  return decision;
}

StartDecision Committed(std::optional<std::int64_t> wanted, LogBounds bounds) {
  if (!wanted) return At(bounds.low);
  if (*wanted < bounds.low) {
    StartDecision decision = BelowLow(*wanted, bounds, "the committed offset");
    decision.resumed = true;
    return decision;
  }
  if (*wanted > bounds.high) {
    StartDecision decision = At(bounds.low);
    decision.gap = true;
    decision.remark = fmt::format(
        "the committed offset {} is beyond the end {}: the topic was recreated or truncated, "
        "reading "
        "starts at {}",
        *wanted, bounds.high, bounds.low);
    return decision;
  }
  StartDecision decision = At(*wanted);
  decision.gap = false;
  decision.resumed = true;
  return decision;
}

StartDecision Explicit(std::optional<std::int64_t> wanted, LogBounds bounds) {
  if (!wanted) return At(bounds.low);
  if (*wanted < bounds.low) return BelowLow(*wanted, bounds, "the configured offset");
  if (*wanted > bounds.high) {
    StartDecision decision = At(bounds.high);
    decision.remark =
        fmt::format("the configured offset {} is beyond the end, reading starts at the end, {}",
                    *wanted, bounds.high);
    return decision;
  }
  return At(*wanted);
}

}  // namespace

StartDecision DecideStart(const StartPolicy& policy, std::optional<std::int64_t> wanted,
                          LogBounds bounds) {
  if (std::holds_alternative<StartCommitted>(policy)) return Committed(wanted, bounds);
  if (std::holds_alternative<StartExplicit>(policy)) return Explicit(wanted, bounds);
  if (std::holds_alternative<StartEarliest>(policy)) return At(bounds.low);
  if (std::holds_alternative<StartLatest>(policy)) return At(bounds.high);
  // A timestamp before the retained log gives its first offset, so the wish is never below low.
  return At(wanted.value_or(bounds.high));
}

StartDecision DecideRenewal(std::string_view found, LogBounds bounds) {
  StartDecision decision = At(bounds.low);
  decision.gap = true;
  decision.remark = fmt::format(
      "the topic was created again ({}): it is read from its beginning, offset {}, and windows "
      "with earlier records have `gap: true`",
      found, bounds.low);
  return decision;
}

StartDecision DecideContinuation(std::int64_t position, LogBounds bounds, std::int64_t headroom) {
  if (position < bounds.low) {
    const std::int64_t from = std::min(bounds.low + headroom, bounds.high);
    return BelowLow(position, {from, bounds.high}, "the next offset");
  }
  if (position > bounds.high) {
    StartDecision decision = At(bounds.high);
    decision.gap = true;
    decision.remark =
        fmt::format("the next offset {} is beyond the end {}: reading goes on at the end", position,
                    bounds.high);
    return decision;
  }
  StartDecision decision = At(position);
  decision.gap = false;
  return decision;
}

std::int64_t NextHeadroom(std::int64_t headroom, std::int64_t lost) {
  return std::max(2 * headroom, lost);
}

}  // namespace sash
