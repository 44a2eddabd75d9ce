#include "connectors/sinks/kafka/sent_marks.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace sash {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
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
  const bool of_this = result.position >= mark.first && result.position <= mark.newest;
  return of_this || (mark.before && result.position <= *mark.before);
}

void SentMarks::Note(const ResultIdentity& result, const std::string& outbox) {
  const std::int64_t at = result.position;
  const auto [found, fresh] = marks_.try_emplace(result.origin, Mark{outbox, at, at});
  Mark& mark = found->second;
  if (fresh) return;
  if (at < mark.newest) {
    mark.before = mark.before ? std::max(*mark.before, at) : at;
  } else if (mark.outbox == outbox) {
    mark.newest = at;
  } else {
    mark = {.outbox = outbox, .newest = at, .first = at, .before = mark.newest};
  }
}

std::optional<std::vector<std::string>> SentMarks::Format(std::size_t texts) const {
  if (texts == 0) return std::nullopt;
  std::vector<std::string> formatted = {HeadOf(&by_)};
  for (const auto& [origin, mark] : marks_) {
    Json each = {origin.job,  origin.window, origin.counted ? 1 : 0,
                 mark.outbox, mark.newest,   mark.first};
    if (mark.before) each.push_back(*mark.before);
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
    if (!each.is_array() || each.size() < 6 || each.size() > 7 || !ReadInto(each[0], origin.job) ||
        !ReadInto(each[1], origin.window) || !ReadInto(each[2], counted) ||
        !ReadInto(each[3], mark.outbox) || !ReadInto(each[4], mark.newest) ||
        !ReadInto(each[5], mark.first)) {
      return false;
    }
    if (each.size() == 7 && !ReadInto(each[6], mark.before.emplace())) return false;
    origin.counted = counted != 0;
    // If partitions were added, texts of different times can contain the same origin: the newer one
    // counts.
    const auto [found, fresh] = marks_.try_emplace(std::move(origin), mark);
    if (!fresh && found->second.newest < mark.newest) found->second = mark;
  }
  return true;
}

}  // namespace sash
