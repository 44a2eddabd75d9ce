#include "daemon/config/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sash {
namespace {

using Parsed = nlohmann::json;

// Builds the tree from the parser's events. It does not recurse, so nesting costs memory but no
// stack.
class TreeBuilder final : public Parsed::json_sax_t {
 public:
  YamlNode TakeRoot() { return std::move(root_); }
  const std::string& trouble() const { return trouble_; }

  bool null() override { return Finish({}); }
  bool boolean(bool value) override { return Scalar(value ? "true" : "false", false); }
  bool number_integer(std::int64_t value) override { return Scalar(std::to_string(value), false); }
  bool number_unsigned(std::uint64_t value) override {
    return Scalar(std::to_string(value), false);
  }
  bool number_float(double, const std::string& text) override { return Scalar(text, false); }
  bool string(std::string& text) override { return Scalar(std::move(text), true); }
  bool binary(Parsed::binary_t&) override { return false; }

  bool start_object(std::size_t) override { return Open(YamlNode::Kind::kMapping); }
  bool end_object() override { return Close(); }
  bool start_array(std::size_t) override { return Open(YamlNode::Kind::kList); }
  bool end_array() override { return Close(); }

  bool key(std::string& text) override {
    YamlEntry entry;
    entry.key = std::move(text);
    open_.back().entries.push_back(std::move(entry));
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    trouble_ = fmt::format("is not valid JSON at byte {}", position);
    return false;
  }

 private:
  bool Scalar(std::string text, bool quoted) {
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.quoted = quoted;
    node.text = std::move(text);
    return Finish(std::move(node));
  }

  bool Open(YamlNode::Kind kind) {
    if (open_.size() == kDeepestJson) {
      trouble_ = fmt::format("is nested deeper than {} levels", kDeepestJson);
      return false;
    }
    open_.emplace_back().kind = kind;
    return true;
  }

  bool Close() {
    if (const std::string* const again = Repeated(open_.back())) {
      trouble_ = fmt::format("gives `{}` twice in one object", *again);
      return false;
    }
    YamlNode node = std::move(open_.back());
    open_.pop_back();
    return Finish(std::move(node));
  }

  // A key that an object has more than once, or null. O(n log n).
  static const std::string* Repeated(const YamlNode& object) {
    std::vector<const std::string*> keys;
    for (const YamlEntry& entry : object.entries) keys.push_back(&entry.key);
    const auto text = [](const std::string* key) -> const std::string& { return *key; };
    std::ranges::sort(keys, {}, text);
    const auto again = std::ranges::adjacent_find(keys, {}, text);
    return again == keys.end() ? nullptr : *again;
  }

  bool Finish(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().kind == YamlNode::Kind::kList) {
      open_.back().items.push_back(std::move(node));
    } else {
      open_.back().entries.back().value = std::move(node);
    }
    return true;
  }

  YamlNode root_;
  std::vector<YamlNode> open_;
  std::string trouble_;
};

}  // namespace

Result<YamlNode> ReadJsonTree(std::string_view json) {
  TreeBuilder builder;
  if (!Parsed::sax_parse(json.begin(), json.end(), &builder)) {
    return Error{ErrorCode::kInvalidArgument, "the body " + builder.trouble()};
  }
  YamlNode root = builder.TakeRoot();
  if (root.kind != YamlNode::Kind::kMapping) {
    return Error{ErrorCode::kInvalidArgument, "the body must be a JSON object"};
  }
  return root;
}

}  // namespace sash
