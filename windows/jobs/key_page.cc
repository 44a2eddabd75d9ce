#include "windows/jobs/key_page.h"

#include <algorithm>
#include <string>
#include <variant>

namespace sash {

bool KeyPage::IsFollowing(VertexId vertex) const {
  if (!after_) return true;
  const auto* text = std::get_if<std::string>(&*after_);
  return text != nullptr ? keys_.TextOf(vertex) > *text
                         : keys_.IntegerOf(vertex) > std::get<std::int64_t>(*after_);
}

void KeyPage::Add(VertexId vertex) {
  if (!IsFollowing(vertex)) return;
  ++following_;
  const auto less = [this](VertexId a, VertexId b) { return keys_.KeyLess(a, b); };
  if (first_.size() == count_) {
    if (count_ == 0 || !less(vertex, first_.front())) return;
    std::ranges::pop_heap(first_, less);
    first_.pop_back();
  }
  first_.push_back(vertex);
  std::ranges::push_heap(first_, less);
}

std::vector<VertexId> KeyPage::Take() && {
  std::ranges::sort_heap(first_, [this](VertexId a, VertexId b) { return keys_.KeyLess(a, b); });
  return std::move(first_);
}

}  // namespace sash
