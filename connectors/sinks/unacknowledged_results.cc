#include "connectors/sinks/unacknowledged_results.h"

#include <algorithm>
#include <utility>

namespace sash {

void UnacknowledgedResults::Add(std::uint64_t advance, ResultIdentity result, std::string text,
                                Where where) {
  if (where == Where::kInFile) in_file_bytes_ += text.size();
  if (where == Where::kWaiting) ++waiting_;
  results_.push_back({advance, std::move(result), std::move(text), where});
  Bound();
}

void UnacknowledgedResults::Confirm() {
  for (auto kept = results_.rbegin(); waiting_ > 0; ++kept) {
    if (kept->where != Where::kWaiting) continue;
    kept->where = Where::kInFile;
    in_file_bytes_ += kept->text.size();
    --waiting_;
  }
  Bound();
}

void UnacknowledgedResults::Bound() {
  for (; without_text_ < results_.size() && in_file_bytes_ > limits_.bytes; ++without_text_) {
    Kept& oldest = results_[without_text_];
    if (oldest.where == Where::kWaiting) break;
    if (oldest.where == Where::kInFile) in_file_bytes_ -= oldest.text.size();
    oldest.text = std::string();
  }
  while (results_.size() > limits_.results && results_.front().where != Where::kWaiting) {
    Kept& oldest = results_.front();
    if (oldest.where == Where::kInFile) {
      in_file_bytes_ -= oldest.text.size();
      ++forgotten_;
      forgotten_advance_ = std::max(forgotten_advance_, oldest.advance);
    }
    results_.pop_front();
    if (without_text_ > 0) --without_text_;
  }
}

void UnacknowledgedResults::Drop(std::size_t index) {
  for (auto kept = results_.begin(); kept != results_.end(); ++kept) {
    if (kept->where != Where::kWaiting || index-- > 0) continue;
    results_.erase(kept);
    --waiting_;
    return;
  }
}

void UnacknowledgedResults::Cover(std::uint64_t advances, const ForResult& passed) {
  if (forgotten_advance_ <= advances) forgotten_ = 0;
  while (!results_.empty() && results_.front().advance <= advances &&
         results_.front().where != Where::kWaiting) {
    const Kept& oldest = results_.front();
    passed(oldest.result);
    if (oldest.where == Where::kInFile) in_file_bytes_ -= oldest.text.size();
    results_.pop_front();
    if (without_text_ > 0) --without_text_;
  }
}

void UnacknowledgedResults::MoveAway(const ForResult& in_it) {
  for (Kept& kept : results_) {
    if (kept.where != Where::kInFile) continue;
    in_it(kept.result);
    kept.where = Where::kElsewhere;
    kept.text = std::string();
  }
  in_file_bytes_ = 0;
  forgotten_ = 0;
}

std::uint64_t UnacknowledgedResults::Lose(
    const std::function<bool(const ResultIdentity&)>& is_there) {
  std::uint64_t lost = std::exchange(forgotten_, 0);
  for (Kept& kept : results_) {
    if (kept.where != Where::kInFile || is_there(kept.result)) continue;
    if (kept.text.empty()) {
      ++lost;
      continue;
    }
    in_file_bytes_ -= kept.text.size();
    kept.where = Where::kWaiting;
    ++waiting_;
  }
  return lost;
}

std::vector<std::string> UnacknowledgedResults::Waiting() const {
  std::vector<std::string> waiting;
  for (const Kept& kept : results_) {
    if (kept.where == Where::kWaiting) waiting.push_back(kept.text);
  }
  return waiting;
}

}  // namespace sash
