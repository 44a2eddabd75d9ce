#include "connectors/sinks/held_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/file_lines.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_checksum.h"
#include "connectors/sinks/result_json.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kPrefix = 64 << 10;

// Reads the members of an identity from one line. Stops at "edges", the first member after them in
// the order that Sash writes, or after "cut" if the result is not final; in another order it reads
// to the end.
class IdentityReader final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool value) override {
    if (depth_ == 1 && key_ == "test") is_test_ = value;
    if (depth_ == 1 && key_ == "final") is_final_ = value;
    return true;
  }
  bool number_integer(number_integer_t value) override {
    if (cut_) cut_->Integer(value);
    return true;
  }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_array(std::size_t) override { return Enter(); }
  bool end_array() override { return Leave(); }
  bool start_object(std::size_t) override {
    is_object_ = is_object_ || depth_ == 0;
    if (depth_ == 1 && key_ == "cut") cut_.emplace();
    if (cut_) cut_->BeginObject();
    return Enter();
  }
  bool end_object() override {
    if (cut_) cut_->EndObject();
    if (depth_ == 2 && cut_) {
      cut_text_ = std::move(*std::exchange(cut_, std::nullopt)).Take();
    }
    return Leave() && (!is_known_ || cut_text_.empty());
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (cut_) cut_->Unsigned(value);
    if (depth_ != 1) return true;
    if (key_ == "schema") schema_ = value;
    if (key_ == "accepted") accepted_ = value;
    return true;
  }
  bool string(string_t& value) override {
    if (depth_ != 1) return true;
    if (key_ == "job") job_ = std::move(value);
    if (key_ == "window") window_ = std::move(value);
    if (key_ == "alert") alert_ = std::move(value);
    if (key_ == "subject") subject_ = std::move(value);
    if (key_ == "window_end") end_ = ParseTimeText(value);
    return true;
  }
  bool key(string_t& name) override {
    if (cut_) cut_->Key(name);
    if (depth_ != 1) return true;
    key_ = std::move(name);
    is_known_ = is_known_ || (key_ == "edges" && complete());
    return !is_known_ || !is_final_;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    malformed_ = true;
    return false;
  }

  bool ok() const { return is_object_ && complete() && (is_known_ || !malformed_); }
  std::optional<std::uint64_t> schema() const { return schema_; }
  bool is_test() const { return is_test_; }
  bool is_final() const { return is_final_; }

  ResultIdentity Take() {
    const bool counted = accepted_.has_value();
    return {
        {std::move(*job_), std::move(*window_), counted, std::move(alert_), std::move(subject_)},
        counted ? static_cast<std::int64_t>(*accepted_) : end_->time_since_epoch().count(),
        std::move(cut_text_)};
  }

 private:
  bool complete() const { return schema_ == kResultSchema && job_ && window_ && end_; }
  bool Enter() {
    ++depth_;
    return true;
  }
  bool Leave() {
    --depth_;
    return true;
  }

  int depth_ = 0;
  bool is_object_ = false;
  bool is_known_ = false;  // the members before "edges" are those of a result
  bool malformed_ = false;
  bool is_test_ = false;
  bool is_final_ = true;
  std::optional<JsonText> cut_;  // while its members are read
  std::string cut_text_;
  std::string key_;
  std::string alert_;
  std::string subject_;
  std::optional<std::uint64_t> schema_;
  std::optional<std::uint64_t> accepted_;
  std::optional<std::string> job_;
  std::optional<std::string> window_;
  std::optional<EventTime> end_;
};

}  // namespace

bool IsResultLine(std::string_view line) {
  IdentityReader reader;
  static_cast<void>(Json::sax_parse(line.begin(), line.end(), &reader));
  return reader.ok();
}

Status HeldResults::AddLine(std::string_view line, const AppendFile& file, std::uint64_t number) {
  IdentityReader reader;
  static_cast<void>(Json::sax_parse(line.begin(), line.end(), &reader));
  if (!reader.ok()) {
    const std::string found = reader.schema() && *reader.schema() != kResultSchema
                                  ? fmt::format("a result of schema {}", *reader.schema())
                                  : "not a result";
    return Error{ErrorCode::kCorruption,
                 fmt::format("{}:{}: {}, so nothing is appended to this file; move it away or name "
                             "another",
                             file.path(), number, found)};
  }
  if (reader.is_test()) return Ok{};  // a test of an alert has no identity of its own
  const bool is_final = reader.is_final();
  ResultIdentity identity = reader.Take();
  if (is_final) {
    origins_[std::move(identity.origin)].held.push_back(identity.position);
  } else if (!identity.cut.empty()) {
    cuts_[std::move(identity.origin)].Add(identity.position, std::move(identity.cut));
  }
  return Ok{};
}

Result<HeldResults> HeldResults::Read(const AppendFile& file, std::vector<std::uint64_t>& damaged) {
  HeldResults results;
  std::uint64_t number = 0;
  const Status read = ReadLines(file, [&](std::string_view line) -> Status {
    ++number;
    if (CheckResult(line) != ResultChecksum::kWrong) {
      return results.AddLine(line.substr(0, kPrefix), file, number);
    }
    damaged.push_back(number);
    return Ok{};
  });
  if (!read) return read.error();
  for (auto& [origin, positions] : results.origins_) {
    std::ranges::sort(positions.held);
    const auto repeated = std::ranges::unique(positions.held);
    positions.held.erase(repeated.begin(), repeated.end());
  }
  return results;
}

bool HeldResults::Holds(const ResultIdentity& result) const {
  if (!result.cut.empty()) {
    const auto held = cuts_.find(result.origin);
    return held != cuts_.end() && held->second.Holds(result.position, result.cut);
  }
  const auto found = origins_.find(result.origin);
  return found != origins_.end() && std::ranges::binary_search(found->second.held, result.position);
}

void HeldResults::Add(const ResultIdentity& result) {
  if (!result.cut.empty()) return cuts_[result.origin].Add(result.position, result.cut);
  std::deque<std::int64_t>& held = origins_[result.origin].held;
  const auto place = std::ranges::lower_bound(held, result.position);
  if (place == held.end() || *place != result.position) held.insert(place, result.position);
}

void HeldResults::Add(const HeldResults& others) {
  for (const auto& [origin, positions] : others.origins_) {
    std::deque<std::int64_t>& held = origins_[origin].held;
    std::deque<std::int64_t> all;
    std::ranges::set_union(held, positions.held, std::back_inserter(all));
    held = std::move(all);
  }
  for (const auto& [origin, cuts] : others.cuts_) cuts_[origin].Add(cuts);
}

void HeldResults::Forget(const ResultIdentity& result) {
  if (!result.cut.empty()) return;
  const auto found = origins_.find(result.origin);
  if (found == origins_.end()) return;
  std::deque<std::int64_t>& held = found->second.held;
  held.erase(held.begin(), std::ranges::upper_bound(held, result.position));
}

std::vector<ResultIdentity> HeldResults::Newest(std::size_t most) const {
  std::vector<ResultIdentity> newest;
  for (const auto& [origin, positions] : origins_) {
    const std::size_t count = std::min(most, positions.held.size());
    for (auto at = positions.held.end() - static_cast<std::ptrdiff_t>(count);
         at != positions.held.end(); ++at) {
      newest.push_back({origin, *at});
    }
  }
  return newest;
}

bool HeldResults::Admit(const ResultIdentity& identity) {
  if (!identity.cut.empty()) {
    if (Holds(identity)) return false;
    Add(identity);
    return true;
  }
  Origin& origin = origins_[identity.origin];
  while (!origin.held.empty() && origin.held.front() < identity.position) origin.held.pop_front();
  if (!origin.held.empty() && origin.held.front() == identity.position) return false;
  if (!identity.origin.alert.empty() && origin.held.empty()) {
    origins_.erase(identity.origin);  // or each subject of an alert would stay
    return true;
  }
  return std::exchange(origin.newest, identity.position) != identity.position;
}

std::size_t HeldResults::size() const {
  std::size_t count = 0;
  for (const auto& [origin, positions] : origins_) count += positions.held.size();
  return count;
}

}  // namespace sash
