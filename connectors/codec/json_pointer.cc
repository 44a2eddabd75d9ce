#include "connectors/codec/json_pointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace sash {
namespace {

// No value when a '~' is followed by neither 0 nor 1.
std::optional<std::string> Unescape(std::string_view token) {
  std::string name;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      name.push_back(token[i]);
      continue;
    }
    if (++i == token.size() || (token[i] != '0' && token[i] != '1')) return std::nullopt;
    name.push_back(token[i] == '0' ? '~' : '/');
  }
  return name;
}

// An array index has no leading zeros. "-" is not an index: it names the element after the last
// one, which never exists.
std::optional<std::size_t> IndexOf(std::string_view name) {
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || stop != name.data() + name.size()) return std::nullopt;
  if (name.size() > 1 && name.front() == '0') return std::nullopt;
  return index;
}

// Adds the pointer and returns its node.
Result<PointerNode*> Add(std::string_view pointer, std::size_t field, PointerNode& root) {
  SASH_CHECK(field < std::numeric_limits<FieldSet>::digits);
  if (!pointer.empty() && pointer.front() != '/') {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("JSON pointer \"{0}\": must begin with '/', as in \"/{0}\"", pointer)};
  }
  const FieldSet bit = FieldSet{1} << field;
  PointerNode* node = &root;
  node->below |= bit;
  for (std::string_view rest = pointer; !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view token = rest.substr(0, rest.find('/'));
    rest.remove_prefix(token.size());
    const auto name = Unescape(token);
    if (!name) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("JSON pointer \"{}\": '~' must be written ~0, and '/' ~1", pointer)};
    }
    auto child = std::ranges::find(node->children, *name, &PointerNode::name);
    if (child == node->children.end()) {
      PointerNode& added = node->children.emplace_back();
      added.name = *name;
      node->sizes |= std::uint64_t{1} << (name->size() % 64);
      added.index = IndexOf(*name);
      child = node->children.end() - 1;
    }
    node = &*child;
    node->below |= bit;
  }
  node->here |= bit;
  return node;
}

}  // namespace

Status AddPointer(std::string_view pointer, std::size_t field, PointerNode& root) {
  const Result<PointerNode*> added = Add(pointer, field, root);
  if (!added.ok()) return added.error();
  return Ok{};
}

Status AddArray(std::string_view pointer, std::size_t field, PointerNode& root) {
  const Result<PointerNode*> added = Add(pointer, field, root);
  if (!added.ok()) return added.error();
  const std::vector<PointerNode>& children = added.value()->children;
  const auto into = std::ranges::find_if(
      children, [](const PointerNode& child) { return child.index.has_value(); });
  if (into != children.end()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("another field leads into its elements (\"{}/{}\"); a field of an "
                             "element is named from the element",
                             pointer, into->name)};
  }
  added.value()->is_each = true;
  return Ok{};
}

}  // namespace sash
