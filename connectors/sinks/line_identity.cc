#include "connectors/sinks/line_identity.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_json.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

using Json = nlohmann::json;

// Reads the members of an identity from one line. Stops behind them in the order that Sash writes:
// at "edges" in a result, or behind "cut" if it is not final; after "rows" in a row. In another
// order it reads to the end.
class IdentityReader final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool value) override {
    if (depth_ == 1 && key_ == "test") line_.is_test = value;
    if (depth_ == 1 && key_ == "final") line_.is_final = value;
    if (depth_ == 1 && key_ == "past") is_past_ = value;
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
    if (depth_ == 2 && cut_) cut_text_ = std::move(*std::exchange(cut_, std::nullopt)).Take();
    return Leave() && (!is_known_ || cut_text_.empty());
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (cut_) cut_->Unsigned(value);
    if (depth_ != 1) return true;
    if (key_ == "schema") line_.schema = value;
    if (key_ == "accepted") accepted_ = value;
    if (key_ == "row") line_.row = value;
    if (key_ == "rows") line_.rows = value;
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
    const bool is_behind = key_ == "edges" || (line_.row && line_.rows > 0);
    is_known_ = is_known_ || (is_behind && complete());
    return !is_known_ || !line_.is_final;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    malformed_ = true;
    return false;
  }

  LineIdentity Take() {
    if (!is_object_ || !complete() || (malformed_ && !is_known_)) return std::move(line_);
    const bool counted = accepted_.has_value();
    line_.result = {
        {std::move(*job_), std::move(*window_), counted, std::move(alert_), std::move(subject_)},
        counted ? static_cast<std::int64_t>(*accepted_) : end_->time_since_epoch().count(),
        std::move(cut_text_),
        is_past_};
    return std::move(line_);
  }

 private:
  bool complete() const { return line_.schema == kResultSchema && job_ && window_ && end_; }
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
  bool is_known_ = false;  // the members so far are those of a result or row
  bool malformed_ = false;
  bool is_past_ = false;
  std::optional<JsonText> cut_;  // while its members are read
  std::string cut_text_;
  LineIdentity line_;
  std::string key_;
  std::string alert_;
  std::string subject_;
  std::optional<std::uint64_t> accepted_;
  std::optional<std::string> job_;
  std::optional<std::string> window_;
  std::optional<EventTime> end_;
};

}  // namespace

LineIdentity IdentityOfLine(std::string_view line) {
  IdentityReader reader;
  static_cast<void>(Json::sax_parse(line.begin(), line.end(), &reader));
  return reader.Take();
}

}  // namespace sash
