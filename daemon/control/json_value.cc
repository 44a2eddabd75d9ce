#include "daemon/control/json_value.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using Parsed = nlohmann::json;

class TreeReader final : public nlohmann::json_sax<Parsed> {
 public:
  JsonValue Take() { return std::move(root_); }
  const std::string& why() const { return why_; }

  bool null() override { return Put({}); }
  bool boolean(bool value) override {
    return Put(Scalar(JsonValue::Kind::kBool, value ? "true" : "false"));
  }
  bool number_integer(number_integer_t value) override {
    return Put(Scalar(JsonValue::Kind::kNumber, std::to_string(value)));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return Put(Scalar(JsonValue::Kind::kNumber, std::to_string(value)));
  }
  bool number_float(number_float_t /*value*/, const string_t& written) override {
    return Put(Scalar(JsonValue::Kind::kNumber, written));
  }
  bool string(string_t& value) override {
    return Put(Scalar(JsonValue::Kind::kText, std::move(value)));
  }
  bool binary(binary_t& /*value*/) override { return false; }  // does not occur in JSON
  bool start_object(std::size_t /*elements*/) override { return Open(JsonValue::Kind::kObject); }
  bool start_array(std::size_t /*elements*/) override { return Open(JsonValue::Kind::kList); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& name) override {
    open_.back().name = std::move(name);
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    why_ = error.what();
    return false;
  }

 private:
  struct Frame {
    JsonValue value;
    std::string name;  // of the member whose value comes next
  };

  static JsonValue Scalar(JsonValue::Kind kind, std::string text) {
    return {kind, std::move(text), {}, {}};
  }

  bool Open(JsonValue::Kind kind) {
    if (open_.size() == kMostJsonNesting) {
      why_ = "it is nested too deeply";
      return false;
    }
    open_.push_back({Scalar(kind, ""), ""});
    return true;
  }

  bool Close() {
    JsonValue value = std::move(open_.back().value);
    open_.pop_back();
    return Put(std::move(value));
  }

  bool Put(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Frame& parent = open_.back(); parent.value.is_list()) {
      parent.value.items.push_back(std::move(value));
    } else {
      parent.value.members.push_back({std::move(parent.name), std::move(value)});
    }
    return true;
  }

  JsonValue root_;
  std::vector<Frame> open_;
  std::string why_;
};

}  // namespace

const JsonValue& JsonValue::operator[](std::string_view name) const {
  static const JsonValue kNothing;
  const auto found = std::ranges::find(members, name, &JsonMember::name);
  return found == members.end() ? kNothing : found->value;
}

std::optional<double> JsonValue::AsNumber() const {
  if (kind != Kind::kNumber) return std::nullopt;
  return std::strtod(text.c_str(), nullptr);
}

Result<JsonValue> ReadJson(std::string_view text) {
  TreeReader reader;
  if (Parsed::sax_parse(text, &reader)) return reader.Take();
  return Error{ErrorCode::kCorruption, reader.why()};
}

}  // namespace sash
