#include "windows/slide/round_outline.h"

namespace sash {
namespace {

RoundOutline::Item ItemOf(const Mark& mark) {
  using Kind = RoundOutline::ItemKind;
  switch (mark.kind) {
    case Mark::Kind::kRefused:
      return {Kind::kRefused, mark.partition, mark.offset, 0};
    case Mark::Kind::kGap:
      return {Kind::kGap, mark.partition, 0, 0};
    case Mark::Kind::kCaughtUp:
      return {Kind::kCaughtUp, mark.partition, 0, 0};
    case Mark::Kind::kJoins:
      return {Kind::kJoins, mark.partition, mark.offset, 0};
    case Mark::Kind::kLeaves:
      return {Kind::kLeaves, mark.partition, 0, 0};
    case Mark::Kind::kBehind:
      break;
  }
  return {Kind::kBehind, mark.partition, 0, 0};
}

}  // namespace

RoundOutline Outline(const EventBatch& batch, const Moment& at, bool with_times) {
  RoundOutline outline{
      .at = at, .has_batch = true, .caught_up = batch.caught_up, .items = {}, .times = {}};
  auto mark = batch.marks().begin();
  bool is_run = false;
  for (std::size_t i = 0; i <= batch.events().size(); ++i) {
    for (; mark != batch.marks().end() && mark->before_event == i; ++mark) {
      outline.items.push_back(ItemOf(*mark));
      is_run = false;
    }
    if (i == batch.events().size()) break;
    const EdgeEvent& event = batch.events()[i];
    if (with_times) outline.times.push_back(event.time);
    if (!is_run || outline.items.back().partition != event.partition) {
      outline.items.push_back({RoundOutline::ItemKind::kEvents, event.partition, 0, 0});
      is_run = true;
    }
    outline.items.back().offset = event.offset;
    ++outline.items.back().count;
  }
  return outline;
}

}  // namespace sash
