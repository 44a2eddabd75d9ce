#include "windows/durable/filter_text.h"

#include <algorithm>
#include <string>

namespace sash {
namespace {

constexpr std::size_t kFiltersAByte = 8;

std::size_t BytesFor(std::size_t filters) { return (filters + kFiltersAByte - 1) / kFiltersAByte; }

}  // namespace

void PutFilters(const FilterTexts& filters, ByteWriter& writer) {
  writer.Put(static_cast<std::uint64_t>(filters.size()));
  for (const std::string& filter : filters) writer.PutText(filter);
}

FilterTexts GetFilters(ByteReader& reader) {
  FilterTexts filters;
  const std::size_t count = reader.GetCount(sizeof(std::uint64_t));
  if (count > kMostFilters) reader.Refuse();
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    std::string text(reader.GetText());
    if (text.empty() || std::ranges::find(filters, text) != filters.end()) reader.Refuse();
    filters.push_back(std::move(text));
  }
  return filters;
}

void PutPasses(std::span<const FilterBits> passes, std::size_t filters, ByteWriter& writer) {
  writer.Put(static_cast<std::uint8_t>(!passes.empty()));
  for (const FilterBits bits : passes) {
    for (std::size_t byte = 0; byte < BytesFor(filters); ++byte) {
      writer.Put(static_cast<std::uint8_t>(bits >> (kFiltersAByte * byte)));
    }
  }
}

std::vector<FilterBits> GetPasses(std::size_t events, std::size_t filters, ByteReader& reader) {
  std::vector<FilterBits> passes;
  if (!reader.GetBool()) return passes;
  const std::size_t width = BytesFor(filters);
  const std::vector<std::uint8_t> bytes = reader.GetColumn<std::uint8_t>(events * width);
  if (!reader.ok()) return passes;
  const FilterBits unused = width == sizeof(FilterBits) ? 0 : kPassesAll << (kFiltersAByte * width);
  passes.reserve(events);
  for (std::size_t i = 0; i < events; ++i) {
    FilterBits bits = unused;
    for (std::size_t byte = 0; byte < width; ++byte) {
      bits |= FilterBits{bytes[i * width + byte]} << (kFiltersAByte * byte);
    }
    passes.push_back(bits);
  }
  return passes;
}

}  // namespace sash
