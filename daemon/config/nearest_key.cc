#include "daemon/config/nearest_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sash {
namespace {

// Longer words are not typing errors, and the table grows with the product of the lengths.
constexpr std::size_t kLongestWord = 64;
// Comparing every error with more candidates could take minutes.
constexpr std::size_t kMostCandidates = 500;

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return cost[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      at(i, j) = std::min(
          {at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(a.size(), b.size());
}

std::optional<std::string_view> NearestWord(std::string_view word,
                                            std::span<const std::string_view> candidates) {
  if (word.size() > kLongestWord) return std::nullopt;
  std::optional<std::string_view> nearest;
  std::size_t least = 0;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t distance = EditDistance(word, candidate);
    const bool begins = std::min(word.size(), candidate.size()) >= 3 &&
                        (word.starts_with(candidate) || candidate.starts_with(word));
    if (!begins && distance * 3 > std::max(word.size(), candidate.size())) continue;
    if (!nearest || distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

std::string Suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  if (candidates.size() > kMostCandidates) return {};
  const auto nearest = NearestWord(word, candidates);
  return nearest ? fmt::format("; did you mean `{}`?", *nearest) : std::string();
}

}  // namespace sash
