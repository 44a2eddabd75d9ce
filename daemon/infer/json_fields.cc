#include "daemon/infer/json_fields.h"

#include <cstddef>
#include <nlohmann/json.hpp>

#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using Json = nlohmann::json;

std::string EscapedName(std::string_view name) {
  std::string escaped;
  for (const char c : name) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// Receives the events of the parser. A tree would lose how numbers beyond 64 bits are written.
class FieldCollector final : public nlohmann::json_sax<Json> {
 public:
  explicit FieldCollector(std::vector<JsonField>& fields) : fields_(fields) {}

  bool null() override { return Add(SampledKind::kAbsent, ""); }
  bool boolean(bool value) override { return Add(SampledKind::kTruth, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return Add(SampledKind::kInteger, std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return Add(SampledKind::kInteger, std::to_string(value));
  }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    const bool is_integer = text.find_first_of(".eE") == std::string::npos;
    return Add(is_integer ? SampledKind::kInteger : SampledKind::kReal, text);
  }
  bool string(string_t& text) override { return Add(SampledKind::kText, std::move(text)); }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*members*/) override {
    // The pointers of all open objects are kept, which needs the square of the depth.
    if (path_.size() == kMostJsonNesting) return false;
    if (lists_ == 0) path_.push_back(pointer_);
    return true;
  }
  bool key(string_t& name) override {
    if (lists_ == 0) pointer_ = path_.back() + "/" + EscapedName(name);
    return true;
  }
  bool end_object() override {
    if (lists_ > 0) return true;
    pointer_ = path_.back();
    path_.pop_back();
    return true;
  }
  bool start_array(std::size_t /*elements*/) override {
    if (path_.empty()) return false;  // the record is not an object
    if (lists_++ == 0) AddHere(SampledKind::kList, "");
    return true;
  }
  bool end_array() override {
    --lists_;
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const Json::exception& /*error*/) override {
    return false;
  }

 private:
  bool Add(SampledKind kind, std::string text) {
    if (path_.empty()) return false;
    if (lists_ == 0) AddHere(kind, std::move(text));
    return true;
  }
  void AddHere(SampledKind kind, std::string text) {
    if (path_.size() <= kDeepestField && fields_.size() < kMostSampleFields) {
      fields_.push_back({pointer_, {kind, std::move(text)}});
    }
  }

  std::vector<JsonField>& fields_;
  std::vector<std::string> path_;  // the pointers of the open objects
  std::string pointer_;            // of the member that comes
  std::size_t lists_ = 0;          // open arrays
};

}  // namespace

std::optional<std::vector<JsonField>> ReadJsonFields(std::string_view record) {
  std::vector<JsonField> fields;
  FieldCollector collector(fields);
  if (!Json::sax_parse(record, &collector)) return std::nullopt;
  return fields;
}

}  // namespace sash
