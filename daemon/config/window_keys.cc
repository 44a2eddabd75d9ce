#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "daemon/config/item_names.h"
#include "daemon/config/key_row.h"
#include "daemon/config/label_field_forms.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/window_extents.h"
#include "daemon/config/window_filter.h"

namespace sash {
namespace {

constexpr std::string_view kWindowFilterText = "a filter such as double(/amount) > 50.0";

struct TypesForm {
  std::vector<Shape> Shapes() const {
    return {Items{Text{R"(^[^\u0000-\u001f]{1,255}$)", kAnything, "a type"}}};
  }
  void Read(const Section& window, const KeySpec& key, std::vector<std::string>& types) const {
    for (const Place& item : window.Items(key.name, "a list of types, such as [paid]")) {
      std::string type;
      if (!ReadAt(item, type, "a type", ParseTypeWord, window.errors())) continue;
      if (std::ranges::find(types, type) != types.end()) {
        window.errors().Add(item, fmt::format("type `{}` is listed twice; keep one", type));
      } else {
        types.push_back(std::move(type));
      }
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& types) const {
    if (!types.empty()) out.Line(depth, key.name, QuoteAll(types));
  }
};

struct WindowContext {
  std::vector<std::string>& names;  // of earlier windows
  bool axis_known = true;
};

const KeyRows<WindowSpec, WindowContext>& WindowTable() {
  using Key = KeyRow<WindowSpec, WindowContext>;
  static const OneOf<WindowAxis> axes{{"event_time", WindowAxis::kEventTime},
                                      {"processing_time", WindowAxis::kProcessingTime},
                                      {"events", WindowAxis::kEvents}};
  static const KeyRows<WindowSpec, WindowContext> rows = {
      Key("name", &WindowSpec::name,
          TextForm{kName, "a name that is unique in this list", ParseName},
          "Unique among windows; part of URLs and metric labels.", kRequired, kLive)
          .ReadBy([](const Section& window, WindowSpec& spec, WindowContext& context) {
            ReadDistinctName(window, context.names, spec.name);
          }),
      Key("by", &WindowSpec::by, axes,
          "What length and slide count: event time, processing time (of arrival), or accepted "
          "events.")
          .ReadBy([](const Section& window, WindowSpec& spec, WindowContext& context) {
            context.axis_known = !window.Has("by") || window.Choose("by", spec.by, axes.choices);
          }),
      Key(
          {"length",
           {Extent{.forever = true}},
           "A multiple of slide; equal to slide for a tumbling window; `forever` for a window that "
           "edges never leave. At most 10 million panes (a pane is the greatest common divisor of "
           "the slides and offsets of its axis), and at most as many as fit into a memory.limit "
           "in bytes: a slice takes up to 1 KiB in addition to its edges.",
           kRequired,
           kLive},
          [](const Section& window, WindowSpec& spec, WindowContext& context) {
            if (context.axis_known) ReadExtents(window, spec);
          },
          [](YamlPrinter& out, int depth, const WindowSpec& spec) {
            out.Line(depth, "length",
                     spec.length ? FormatExtent(*spec.length, spec.by) : "forever");
          },
          [](const WindowSpec& a, const WindowSpec& b) { return a.length == b.length; })
          .Range("1ns to 7300d, or with `by: events` 1 to 10^15 without unit, or forever"),
      Key(
          {"slide",
           {Extent{}},
           "The window advances by this much; in a running process, a new value must be a multiple "
           "of the pane. At least 1ms of time, so that a second brings at most 1,000 windows.",
           kRequired,
           kLive},
          nullptr,  // read with the length
          [](YamlPrinter& out, int depth, const WindowSpec& spec) {
            out.Line(depth, "slide", FormatExtent(spec.slide, spec.by));
          },
          [](const WindowSpec& a, const WindowSpec& b) { return a.slide == b.slide; })
          .Range("1ms to 7300d, or with `by: events` 1 to 10^15 without unit"),
      Key(
          {"offset",
           {TimeSpan{}},
           "Moves the ends of the window by a part of its slide: they are multiples of slide since "
           "1970, plus offset. So slide: 7d and offset: 4d give weeks that begin on Monday, "
           "because 1970-01-01 was a Thursday. Less than slide; not with `by: events`; in a "
           "running process, a new value must be a multiple of the pane.",
           kOptional,
           kLive},
          nullptr,  // read with the length
          [](YamlPrinter& out, int depth, const WindowSpec& spec) {
            if (spec.by == WindowAxis::kEvents) return;
            out.Line(depth, "offset", FormatExtent(spec.offset, spec.by));
          },
          [](const WindowSpec& a, const WindowSpec& b) { return a.offset == b.offset; })
          .Range("0s to below slide"),
      Key(
          {"retain",
           {Extent{}},
           "How long windows can be read again (?snapshot=, ?at=): those that ended at most this "
           "long before the newest one. Memory holds the edges of length and retain once more, in "
           "four to six bytes each without weights. With "
           "checkpoints, history survives restarts. Not with `length: forever`, `implementation: "
           "rebuild` or memory.spill.",
           kOptional,
           kLive},
          nullptr,  // read with the length
          [](YamlPrinter& out, int depth, const WindowSpec& spec) {
            if (spec.retain == 0) return;
            out.Line(depth, "retain", FormatExtent(spec.retain, spec.by));
          },
          [](const WindowSpec& a, const WindowSpec& b) { return a.retain == b.retain; })
          .Default("none")
          .Range("1ns to 7300d, or with `by: events` 1 to 10^15 without unit"),
      Key("live", &WindowSpec::live, Flag{},
          "Whether the window can also be read between its advances (?view=live): with every event "
          "that was accepted, also in slices that have not closed. Results stay the same. Costs a "
          "copy of these events, and the work of one more window of this length in the store. Not "
          "with `implementation: rebuild` or memory.spill.",
          kLive),
      Key("duplicates", &WindowSpec::duplicates,
          OneOf<DuplicatesPolicy>{{"keep", DuplicatesPolicy::kKeep},
                                  {"drop", DuplicatesPolicy::kDrop},
                                  {"weigh", DuplicatesPolicy::kWeigh}},
          "Edges with the same source and target: all of them, the newest, or one with the sum of "
          "the weights.",
          kLive),
      Key("identity", &WindowSpec::identity,
          OneOf<EdgeIdentity>{{"pair", EdgeIdentity::kPair},
                              {"pair_and_type", EdgeIdentity::kPairAndType}},
          "Which edges with the same source and target are duplicates, with drop and weigh: all "
          "(pair), or those of the same type (pair_and_type). With pair, an edge has the type of "
          "its newest copy, and a removal ends the edge whatever its type is. Otherwise, and with "
          "keep, a removal with a type ends the edges of this type alone.",
          kLive),
      Key("implementation", &WindowSpec::implementation,
          OneOf<StoreKind>{{"multiversioned", StoreKind::kMultiversioned},
                           {"rebuild", StoreKind::kRebuild}},
          "How the window is stored; results are the same. multiversioned: the cost of an advance "
          "depends on the edges that enter and leave; rebuild: on the whole window, which is "
          "faster below about 8 slides per window.",
          kLive),
      Key("empty_windows", &WindowSpec::empty_windows,
          OneOf<EmptyWindows>{{"once", EmptyWindows::kOnce}, {"skip", EmptyWindows::kSkip}},
          "When a window becomes empty: one empty result (once), or none (skip).", kLive),
      Key("types", &WindowSpec::types, TypesForm{},
          "Which edges are in the window: those of these types; [] for all. The window is as if "
          "there were no other edges. A removal counts if its type is in the list, or if it has "
          "none. If there is a `where` too, an edge must pass both. Not with `by: "
          "events`.",
          kLive)
          .Default("[]")
          .Range("types that mappings give, each once"),
      Key("where", &WindowSpec::where,
          TextForm{{"", Text::Bare::kTruth, kWindowFilterText}, kWindowFilterText, ParseNonEmpty},
          "Which edges are in the window: a filter over the record that an edge comes from, in the "
          "language of source.format.where. The window is as if there were no other edges; "
          "removals pass it, whatever their records are. A record for which the filter has no "
          "value does not pass, "
          "and is counted (sash_source_incidents_total, kind filter_failures). At most 64 "
          "different filters (types and where together); not with `by: events`. In a running "
          "process, "
          "a window with a filter that is new shows what comes from then on; with types alone, "
          "also what other windows hold.",
          kLive)
          .Default("none")
          .Range("a filter"),
  };
  return rows;
}

}  // namespace

WindowSpec ReadWindow(const Section& window, bool removals, const SourceConfig& source,
                      std::vector<std::string>& names) {
  WindowSpec spec;
  spec.removals = removals;
  WindowContext context{names};
  ReadRows(window, WindowTable(), spec, context);
  if (!spec.where.empty() && spec.by == WindowAxis::kEvents) {
    window.Fail("where",
                "goes with windows by time; with `by: events` a window holds a number of all "
                "events, so leave it out (source.format.where chooses records)");
  }
  if (!spec.types.empty() && spec.by == WindowAxis::kEvents) {
    window.Fail("types",
                "goes with windows by time; with `by: events` a window holds a number of all "
                "events, so leave it out");
  }
  if (spec.live && spec.implementation == StoreKind::kRebuild) {
    window.Fail("live", "goes with implementation: multiversioned (the default)");
  }
  if (spec.retain > 0 && !spec.length) {
    window.Fail("retain",
                "goes with windows that have a length: one of length `forever` loses no edge, but "
                "earlier windows cannot be distinguished in it");
  }
  if (spec.retain > 0 && spec.implementation == StoreKind::kRebuild) {
    window.Fail("retain", "goes with implementation: multiversioned (the default)");
  }
  CheckWindowFilter(window, spec, source);
  return spec;
}

void PrintWindow(YamlPrinter& out, int depth, const WindowSpec& window) {
  PrintRows(out, depth, WindowTable(), window);
}

std::vector<SectionSpec> WindowSections() { return {SectionFrom("windows[]", WindowTable())}; }

std::vector<WindowSpec> ReadWindows(const Section& root, bool removals,
                                    const SourceConfig& source) {
  std::vector<WindowSpec> windows;
  if (!root.Has("windows")) {
    root.FailMissing("windows",
                     "give at least one, such as [{name: last-5m, length: 5m, slide: 10s}]");
    return windows;
  }
  const Place place = root.At("windows");
  const bool countable =
      place.node->kind == YamlNode::Kind::kList || place.node->kind == YamlNode::Kind::kEmpty;
  std::vector<std::string> names;
  for (const Place& item : root.Items("windows", "a list of windows")) {
    const Section window(item, "windows[]", root.errors());
    windows.push_back(ReadWindow(window, removals, source, names));
  }
  if (const std::size_t filters = FiltersOf(windows).size(); filters > kMostFilters) {
    root.Fail("windows", fmt::format("have {} different filters (types, where); give at most {}",
                                     filters, kMostFilters));
  }
  if (countable && windows.empty()) {
    root.Fail("windows",
              "is empty; give at least one window, such as {name: last-5m, length: 5m, "
              "slide: 10s}");
  }
  return windows;
}

}  // namespace sash
