#include "connectors/sinks/kafka/sent_marks.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kMembers = 6;  // of an origin without earlier ranges
constexpr std::string_view kEnd = "]}";

// The first text begins with the name of the committing process.
std::string HeadOf(const std::string* by) {
  std::string head = R"({"v":)" + std::to_string(kVersion);
  if (by != nullptr) head += R"(,"by":)" + Json(*by).dump();
  return head + R"(,"sent":[)";
}

template <typename Value>
bool ReadInto(const Json& from, Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    if (!from.is_string()) return false;
  } else {
    if (!from.is_number_integer()) return false;
  }
  value = from.get<Value>();
  return true;
}

}  // namespace

bool SentMarks::Holds(const ResultIdentity& result) const {
  const auto found = marks_.find(result.origin);
  if (found == marks_.end()) return false;
  const Mark& mark = found->second;
  return mark.range.Holds(result.position) ||
         std::ranges::any_of(mark.earlier,
                             [&](const Range& range) { return range.Holds(result.position); });
}

void SentMarks::Note(const ResultIdentity& result, const std::string& outbox) {
  const std::int64_t at = result.position;
  const auto [found, fresh] = marks_.try_emplace(result.origin, Mark{outbox, {at, at}});
  Mark& mark = found->second;
  if (fresh) return;
  std::vector<Range>& earlier = mark.earlier;
  if (at > mark.range.newest && mark.outbox == outbox) {
    mark.range.newest = at;
  } else if (at > mark.range.newest) {
    earlier.push_back(mark.range);
    mark.outbox = outbox;
    mark.range = {at, at};
    JoinRanges(kMostEarlier, 0, earlier);
  } else {
    // An outbox sends the rest of its results. They continue the range before them.
    const auto after =
        std::ranges::find_if(earlier, [&](const Range& range) { return range.first > at; });
    if (after != earlier.begin()) {
      std::prev(after)->newest = at;
      return;
    }
    earlier.insert(after, {at, at});
    JoinRanges(kMostEarlier, 1, earlier);  // its next results are in the gap after it
  }
}

// Joins ranges, from the `at`th on, until at most `most` are left.
void SentMarks::JoinRanges(std::size_t most, std::size_t at, std::vector<Range>& ranges) {
  while (ranges.size() > std::max(most, at + 1)) {
    const auto first = ranges.begin() + static_cast<std::ptrdiff_t>(at);
    first->newest = std::next(first)->newest;
    ranges.erase(std::next(first));
  }
}

std::optional<std::vector<std::string>> SentMarks::Format(std::size_t texts) const {
  auto formatted = FormatWith(kMostEarlier, texts);
  for (std::size_t most = kMostEarlier; !formatted && most > 0;) {
    formatted = FormatWith(--most, texts);
  }
  return formatted;
}

// Per origin: job, window, counted, outbox, newest, first; then first and newest of each earlier
// range. With `most_earlier` 0, earlier ranges are only one number: the newest result of them.
std::optional<std::vector<std::string>> SentMarks::FormatWith(std::size_t most_earlier,
                                                              std::size_t texts) const {
  if (texts == 0) return std::nullopt;
  std::vector<std::string> formatted = {HeadOf(&by_)};
  for (const auto& [origin, mark] : marks_) {
    Json each = {origin.job,  origin.window,     origin.counted ? 1 : 0,
                 mark.outbox, mark.range.newest, mark.range.first};
    std::vector<Range> earlier = mark.earlier;
    JoinRanges(most_earlier, 0, earlier);
    for (const Range& range : earlier) {
      if (most_earlier > 0) each.push_back(range.first);
      each.push_back(range.newest);
    }
    std::string text = each.dump(-1, ' ', false, Json::error_handler_t::replace);
    const bool begins = formatted.back().back() == '[';
    if (formatted.back().size() + 1 + text.size() + kEnd.size() > kMaxBytes) {
      if (begins || formatted.size() == texts) return std::nullopt;
      formatted.back() += kEnd;
      formatted.push_back(HeadOf(nullptr));
    } else if (!begins) {
      formatted.back() += ',';
    }
    formatted.back() += text;
  }
  formatted.back() += kEnd;
  formatted.resize(texts);
  return formatted;
}

bool SentMarks::Add(std::string_view text) {
  if (text.empty()) return true;
  if (IsNestedTooDeeply(text)) return false;
  const Json said = Json::parse(text, nullptr, false);
  if (!said.is_object() || said.value("v", Json()) != kVersion) return false;
  const auto by = said.find("by");
  if (by != said.end() && !ReadInto(*by, by_)) return false;
  const auto sent = said.find("sent");
  if (sent == said.end() || !sent->is_array()) return false;
  for (const Json& each : *sent) {
    ResultOrigin origin;
    Mark mark;
    int counted = 0;
    if (!each.is_array() || each.size() < kMembers || each.size() > kMembers + 2 * kMostEarlier ||
        !ReadInto(each[0], origin.job) || !ReadInto(each[1], origin.window) ||
        !ReadInto(each[2], counted) || !ReadInto(each[3], mark.outbox) ||
        !ReadInto(each[4], mark.range.newest) || !ReadInto(each[5], mark.range.first)) {
      return false;
    }
    if (each.size() == kMembers + 1) {
      mark.earlier.push_back({std::numeric_limits<std::int64_t>::min(), 0});
      if (!ReadInto(each[kMembers], mark.earlier.back().newest)) return false;
    } else {
      for (std::size_t i = kMembers; i < each.size(); i += 2) {
        Range& range = mark.earlier.emplace_back();
        if (i + 1 == each.size() || !ReadInto(each[i], range.first) ||
            !ReadInto(each[i + 1], range.newest)) {
          return false;
        }
      }
    }
    origin.counted = counted != 0;
    // If partitions were added, texts of different times can contain the same origin: the newer one
    // counts.
    const auto [found, fresh] = marks_.try_emplace(std::move(origin), mark);
    if (!fresh && found->second.range.newest < mark.range.newest) found->second = mark;
  }
  return true;
}

}  // namespace sash
