#include "daemon/config/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace sash {
namespace {

int LineOf(const YAML::Mark& mark) { return std::max(mark.line, 0) + 1; }

bool IsForeign(const std::string& tag) {
  return !tag.empty() && tag != "?" && tag != "!" && !tag.starts_with("tag:yaml.org,2002:");
}

std::size_t CountNodes(const YamlNode& node) {
  std::size_t count = 1;
  for (const YamlNode& item : node.items) count += CountNodes(item);
  for (const YamlEntry& entry : node.entries) count += CountNodes(entry.value);
  return count;
}

// Builds a tree from the parser's events. yaml-cpp's own Node is not used: it hides repeated keys
// and has no line numbers for keys.
class YamlTreeBuilder final : public YAML::EventHandler {
 public:
  int first_line() const { return first_line_; }
  YamlNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override { first_line_ = LineOf(mark); }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Spend(1, mark);
    YamlNode node;
    node.line = LineOf(mark);
    Finish(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw YAML::ParserException(mark, "an alias refers to the value that contains it");
    }
    Spend(CountNodes(found->second), mark);
    Finish(found->second, YAML::NullAnchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Spend(1, mark);
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.line = LineOf(mark);
    node.quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    node.foreign_tag = IsForeign(tag);
    node.text = value;
    Finish(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(YamlNode::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(YamlNode::Kind::kMapping, mark, tag, anchor);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Frame {
    YamlNode node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::optional<YamlEntry> pending;  // the key whose value comes next
  };

  void Spend(std::size_t nodes, const YAML::Mark& mark) {
    nodes_ += nodes;
    if (nodes_ > kMaxNodes) throw YAML::ParserException(mark, "too many values, aliases counted");
  }

  void Open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    Spend(1, mark);
    Frame frame;
    frame.node.kind = kind;
    frame.node.line = LineOf(mark);
    frame.node.foreign_tag = IsForeign(tag);
    frame.anchor = anchor;
    open_.push_back(std::move(frame));
  }

  void Close() {
    Frame frame = std::move(open_.back());
    open_.pop_back();
    Finish(std::move(frame.node), frame.anchor);
  }

  // Adds a complete node to its parent: the document, a list, or a mapping (as key or value).
  void Finish(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.pending) {
      YamlEntry entry;
      entry.line = node.line;
      entry.textual = node.kind == YamlNode::Kind::kScalar;
      entry.key = std::move(node.text);
      parent.pending = std::move(entry);
    } else {
      parent.pending->value = std::move(node);
      parent.node.entries.push_back(*std::exchange(parent.pending, std::nullopt));
    }
  }

  YamlNode root_;
  int first_line_ = 1;
  std::size_t nodes_ = 0;
  std::vector<Frame> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
};

}  // namespace

YamlDocument ReadYaml(std::string_view text) try {
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  YamlTreeBuilder builder;
  if (!parser.HandleNextDocument(builder)) return {};
  YamlDocument document{builder.TakeRoot(), std::nullopt};
  YamlTreeBuilder second;
  if (parser.HandleNextDocument(second)) {
    return {std::nullopt, YamlFailure{second.first_line(),
                                      "a second document starts here; a configuration is one "
                                      "document, so remove the `---` and what follows"}};
  }
  return document;
} catch (const YAML::Exception& e) {
  return {std::nullopt, YamlFailure{LineOf(e.mark), "not valid YAML: " + e.msg +
                                                        "; check indentation (spaces only), quotes "
                                                        "and brackets here and just above"}};
}

}  // namespace sash
