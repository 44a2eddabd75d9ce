#include "connectors/codec/key_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "connectors/codec/edge_fields.h"

namespace sash {
namespace {

constexpr std::size_t kPercent = 100;
constexpr std::size_t kPlaceholderPercent = 2;
constexpr std::size_t kLeastPlaceholders = 3;  // edges
constexpr std::size_t kZeroPercent = 30;
constexpr std::size_t kLeastEdgesForZero = 20;
constexpr std::size_t kConstantPercent = 90;
constexpr std::size_t kLeastEdgesForConstant = 50;
constexpr std::size_t kLeastNumbersForWords = 5;  // edges

// Words, in lower case, that often stand for a missing value.
constexpr std::array<std::string_view, 31> kPlaceholders = {
    "null",
    "(null)",
    "<null>",
    "none",
    "(none)",
    "nil",
    "nan",
    "n/a",
    "na",
    "#n/a",
    "\\n",
    "-",
    "--",
    "---",
    "?",
    "unknown",
    "(unknown)",
    "undefined",
    "missing",
    "empty",
    "(empty)",
    "\"\"",
    "''",
    "not set",
    "(not set)",
    "-1",
    "void",
    "blank",
    "00000000-0000-0000-0000-000000000000",
    "0x0000000000000000000000000000000000000000",
    "0x0"};

constexpr std::array<std::string_view, 20> kSources = {
    "source",     "src",    "from",  "sourceid", "srcid",   "fromid",     "fromnode",
    "fromnodeid", "sender", "payer", "start",    "startid", "sourcenode", "caller",
    "follower",   "origin", "node1", "vertex1",  "srcip",   "user"};
constexpr std::array<std::string_view, 23> kTargets = {
    "target", "dst",      "to",       "dest",      "destination", "targetid", "dstid", "toid",
    "tonode", "tonodeid", "receiver", "recipient", "payee",       "end",      "endid", "targetnode",
    "callee", "followee", "node2",    "vertex2",   "dstip",       "item",     "destid"};

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsPlaceholder(std::string_view key) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  return std::ranges::all_of(key, is_blank) ||
         std::ranges::find(kPlaceholders, Lower(key)) != kPlaceholders.end();
}

// "# From_Node Id" -> "fromnodeid"
std::string FieldName(std::string_view key) {
  std::string name;
  for (const char c : Lower(key)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) name += c;
  }
  return name;
}

bool IsDigits(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) { return c >= '0' && c <= '9'; });
}

bool IsWord(std::string_view key) {
  return !key.empty() && std::ranges::none_of(key, [](char c) { return c >= '0' && c <= '9'; });
}

bool BeginsLikeComment(std::string_view row) {
  return row.starts_with('#') || row.starts_with('%') || row.starts_with("//");
}

std::string EdgeName(std::string_view source, std::string_view target) {
  return fmt::format("{} -> {}", Excerpt(source), Excerpt(target));
}

}  // namespace

void KeyWatch::Look(const EventBatch& batch) {
  if (done_) return;
  for (const EdgeEvent& event : batch.events()) {
    if (records_ == kRecords) break;
    if (event.filtered || event.further) continue;  // one edge speaks for a record
    ++records_;
    if (event.operation != Operation::kRemoveVertex) LookAt(event, batch);
  }
  records_ += static_cast<std::size_t>(std::ranges::count(
      batch.marks(), Mark::Kind::kRefused, [](const Mark& mark) { return mark.kind; }));
  done_ = records_ >= kRecords || batch.end_of_source;
}

void KeyWatch::LookAt(const EdgeEvent& event, const EventBatch& batch) {
  ++edges_;
  const std::string source = KeyText(event.source, batch);
  const std::string target = KeyText(event.target, batch);
  if (source.size() <= kLongestKey) ++edges_of_[source];
  if (target != source && target.size() <= kLongestKey) ++edges_of_[target];
  if (keys_ == KeyKind::kInteger) return;
  LookForHeader(source, target, event.offset);
  if (BeginsLikeComment(batch.Text(event.payload)) && ++comments_ == 1) {
    first_comment_ = EdgeName(source, target);
  }
}

void KeyWatch::LookForHeader(std::string_view source, std::string_view target,
                             std::int64_t offset) {
  const auto said = [&] {
    return fmt::format("{} at offset {}", EdgeName(source, target), offset);
  };
  if (edges_ == 1 && IsWord(source) && IsWord(target)) first_words_ = said();
  if (IsDigits(source) && IsDigits(target)) ++edges_of_numbers_;
  if (!header_.empty() || source.size() > kLongestKey || target.size() > kLongestKey) return;
  const bool names = std::ranges::find(kSources, FieldName(source)) != kSources.end() &&
                     std::ranges::find(kTargets, FieldName(target)) != kTargets.end();
  if (names) header_ = said();
}

std::vector<std::string> KeyWatch::Warnings() const {
  std::vector<std::string> warnings;
  const bool words_then_numbers = !first_words_.empty() && edges_of_numbers_ + 1 == edges_ &&
                                  edges_of_numbers_ >= kLeastNumbersForWords;
  if (!header_.empty() || words_then_numbers) {
    warnings.push_back(
        fmt::format("the edge {} looks like a header that was read as a row; for CSV map the "
                    "columns by name, then header rows are skipped",
                    header_.empty() ? first_words_ : header_));
  }
  if (comments_ > 0 && comments_ * 2 <= edges_) {
    warnings.push_back(
        fmt::format("{} of the first {} edges are rows that begin like comments, the first of them "
                    "{}; name their beginning in source.format.csv.comment",
                    comments_, edges_, first_comment_));
  }
  std::vector<std::pair<std::size_t, std::string_view>> counts;
  for (const auto& [key, count] : edges_of_) counts.emplace_back(count, key);
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  for (const auto& [count, key] : counts) {
    if (warnings.size() == kMostWarnings) break;
    const auto at_least = [&](std::size_t percent) { return count * kPercent >= edges_ * percent; };
    const bool placeholder = IsPlaceholder(key);
    if ((placeholder && count >= kLeastPlaceholders && at_least(kPlaceholderPercent)) ||
        (key == "0" && edges_ >= kLeastEdgesForZero && at_least(kZeroPercent))) {
      warnings.push_back(fmt::format(
          "the key {} is in {} of the first {} edges; if it stands for a missing value, it joins "
          "edges that have nothing in common: name it in source.format.nulls",
          Excerpt(key), count, edges_));
    } else if (edges_ >= kLeastEdgesForConstant && at_least(kConstantPercent)) {
      warnings.push_back(fmt::format(
          "the key {} is in {} of the first {} edges; check that source.format maps the "
          "right fields",
          Excerpt(key), count, edges_));
    }
  }
  return warnings;
}

std::string KeyWatch::KeyText(KeyRef key, const EventBatch& batch) const {
  if (keys_ == KeyKind::kInteger) return std::to_string(key.integer());
  // A long key is cut to a length that still shows it is too long.
  return std::string(batch.Text(key.text()).substr(0, kLongestKey + 1));
}

}  // namespace sash
