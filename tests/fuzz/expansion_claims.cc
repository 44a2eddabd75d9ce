#include "tests/fuzz/expansion_claims.h"

#include <algorithm>
#include <memory>
#include <string>

#include "connectors/replay/expander.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

constexpr std::size_t kMostText = 256 << 10;  // a few bytes can expand to gigabytes

struct Expansion {
  std::string text;
  bool whole = false;
  bool is_cut = false;  // there is more text than was expanded
};

Expansion ExpandInPieces(std::string_view bytes, Compression compression, std::size_t piece,
                         std::size_t room_bytes) {
  const std::unique_ptr<Expander> expander = MakeExpander(compression);
  Expansion expansion;
  std::string room(room_bytes, '\0');
  while (expansion.text.size() < kMostText) {
    const std::string_view input = bytes.substr(0, piece);
    const Expander::Step step = expander->Expand(input, room);
    SASH_CHECK(step.consumed <= input.size() && step.produced <= room.size());
    bytes.remove_prefix(step.consumed);
    expansion.text.append(room, 0, step.produced);
    if (!step.why.empty()) return expansion;
    if (step.produced == 0 && bytes.empty()) {
      expansion.whole = expander->IsWhole();
      return expansion;
    }
    SASH_CHECK(step.consumed + step.produced > 0);
  }
  expansion.is_cut = true;
  return expansion;
}

void CheckStream(std::string_view bytes, std::size_t piece) {
  const std::optional<Compression> compression = CompressionOf(bytes);
  if (!compression || *compression == Compression::kNone) return;
  const Expansion whole = ExpandInPieces(bytes, *compression, bytes.size(), 64 << 10);
  const Expansion pieces = ExpandInPieces(bytes, *compression, piece, piece);
  const std::size_t common = std::min(whole.text.size(), pieces.text.size());
  SASH_CHECK(whole.text.compare(0, common, pieces.text, 0, common) == 0);
  if (whole.is_cut || pieces.is_cut) return;
  // libzstd expands a frame that is there as a whole without its window, also if that is too large.
  const bool may_differ = *compression == Compression::kZstd && whole.whole;
  SASH_CHECK(whole.whole == pieces.whole || may_differ);
  if (whole.whole && pieces.whole) SASH_CHECK(whole.text.size() == pieces.text.size());
}

}  // namespace

void CheckExpansion(std::string_view bytes, std::size_t piece) {
  using namespace std::string_view_literals;
  CheckStream(bytes, piece);
  for (const std::string_view head : {"\x1F\x8B\x08\0\0\0\0\0\0\x03"sv, "\x28\xB5\x2F\xFD"sv}) {
    CheckStream(std::string(head).append(bytes), piece);
  }
}

}  // namespace sash::fuzz
