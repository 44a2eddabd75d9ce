#include "connectors/codec/avro/avro_plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sash {
namespace {

class PlanCompiler {
 public:
  using Kind = AvroType::Kind;

  PlanCompiler(const AvroSchema& schema, AvroPlan& plan) : schema_(schema), plan_(plan) {}

  // `pointers`: those that begin at a value of this type; null: there are none.
  std::uint32_t Compile(std::uint32_t number, const PointerNode* pointers) {
    const auto known = compiled_.find({number, pointers});
    if (known != compiled_.end()) return known->second;
    const auto place = static_cast<std::uint32_t>(plan_.nodes.size());
    compiled_[{number, pointers}] = place;
    plan_.nodes.emplace_back();
    const AvroType& type = schema_.types[number];
    AvroNode node{.kind = type.kind,
                  .logical = type.logical,
                  .here = pointers != nullptr && type.kind != Kind::kUnion ? pointers->here : 0,
                  .below = pointers == nullptr ? 0 : pointers->below,
                  .size = type.size,
                  .scale = type.scale};
    if (type.kind == Kind::kEnum) {
      node.first = static_cast<std::uint32_t>(plan_.symbols.size());
      node.count = static_cast<std::uint32_t>(type.symbols.size());
      plan_.symbols.insert(plan_.symbols.end(), type.symbols.begin(), type.symbols.end());
    } else {
      AddChildren(type, pointers, node);
    }
    plan_.nodes[place] = node;
    return place;
  }

 private:
  void AddChildren(const AvroType& type, const PointerNode* pointers, AvroNode& node) {
    std::vector<std::uint32_t> children;
    for (const AvroType::Field& field : type.fields) {
      children.push_back(Compile(field.type, Child(pointers, field.name)));
    }
    const bool is_union = type.kind == Kind::kUnion;
    for (const std::uint32_t part : type.parts) {
      children.push_back(Compile(part, is_union ? pointers : nullptr));
    }
    node.first = static_cast<std::uint32_t>(plan_.children.size());
    node.count = static_cast<std::uint32_t>(children.size());
    plan_.children.insert(plan_.children.end(), children.begin(), children.end());
    const bool has_items = type.kind == Kind::kArray || type.kind == Kind::kMap;
    if (!has_items || pointers == nullptr) return;
    std::vector<AvroPlan::Named> named;
    for (const PointerNode& child : pointers->children) {
      named.push_back({child.name, child.index, Compile(type.parts.front(), &child)});
    }
    node.first_named = static_cast<std::uint32_t>(plan_.named.size());
    node.count_named = static_cast<std::uint32_t>(named.size());
    plan_.named.insert(plan_.named.end(), named.begin(), named.end());
  }

  static const PointerNode* Child(const PointerNode* pointers, const std::string& name) {
    if (pointers == nullptr) return nullptr;
    const auto found = std::ranges::find(pointers->children, name, &PointerNode::name);
    return found == pointers->children.end() ? nullptr : &*found;
  }

  const AvroSchema& schema_;
  AvroPlan& plan_;
  std::map<std::pair<std::uint32_t, const PointerNode*>, std::uint32_t> compiled_;
};

}  // namespace

AvroPlan AvroPlan::Compile(const AvroSchema& schema, const PointerNode& pointers) {
  AvroPlan plan;
  plan.root = PlanCompiler(schema, plan).Compile(schema.root, &pointers);
  return plan;
}

}  // namespace sash
