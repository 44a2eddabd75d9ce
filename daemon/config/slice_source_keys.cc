#include <variant>

#include "daemon/config/scalar_text.h"
#include "daemon/config/source_keys.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

template <typename Member>
auto OfSlices(Member member) {
  return Of(
      [](auto& source) -> auto& { return std::get<SliceSourceSpec>(source.connector); }, member);
}

}  // namespace

const KeyRows<SourceConfig>& SliceSourceRows() {
  using Key = KeyRow<SourceConfig>;
  static const KeyRows<SourceConfig> rows = {
      Key("path", OfSlices(&SliceSourceSpec::path),
          TextForm{kAnyText, "the path of a folder", ParseNonEmpty},
          "The folder of the slices, or that of all shards; the slices that exist at the start are "
          "read. Or "
          "the folder of one snapshot of a window in Parquet, or of a window, then its newest one: "
          "its edges enter in the last slice before its end.",
          kRequired)
          .Range("the path of a folder"),
      Key("keys", Of(&SourceConfig::format, &FormatSpec::keys),
          OneOf<KeyKind>{{"string", KeyKind::kString}, {"integer", KeyKind::kInteger}},
          "Whether vertex keys are text or 64-bit integers, as in the slices. With a format, its "
          "`keys` is the default."),
      Key("at_end", OfSlices(&SliceSourceSpec::at_end),
          OneOf<SourceEnd>{{"exit", SourceEnd::kExit}, {"stay", SourceEnd::kStay}},
          "After the last window: exit, or stay until the process is stopped, so that the API and "
          "the console can be looked at."),
  };
  return rows;
}

}  // namespace sash
