#include "windows/jobs/kept_scores.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sash {
namespace {

using Kept = std::deque<std::shared_ptr<const ResultScores>>;

// Behind the newest result that ends at or before `end`.
Kept::const_iterator BehindEnd(const Kept& kept, std::int64_t end) {
  return std::ranges::upper_bound(kept, end, {}, [](const auto& scores) { return scores->end; });
}

std::string WithoutScores(const ResultScores& scores) {
  return "the result of job '" + scores.job + "' has no scores: " + scores.error;
}

}  // namespace

KeptScores::Scores KeptScores::Keep(std::shared_ptr<const ResultScores> scores,
                                    const Needs& needs) {
  std::erase_if(all_, [](const auto& each) { return each.expired(); });
  all_.push_back(scores);
  Kept& kept = by_job_[scores->job];
  Scores retired;
  while (!kept.empty() && kept.back()->end >= scores->end) {
    retired.push_back(std::move(kept.back()));
    kept.pop_back();
  }
  kept.push_back(std::move(scores));
  std::set<const ResultScores*> needed;
  for (std::size_t i = 0; i < std::min(needs.newest, kept.size()); ++i) {
    needed.insert(kept[kept.size() - 1 - i].get());
  }
  for (const std::int64_t end : needs.ends) {
    const auto behind = BehindEnd(kept, end);
    if (behind != kept.begin()) needed.insert(std::prev(behind)->get());
  }
  std::erase_if(kept, [&](auto& each) {
    if (needed.contains(each.get())) return false;
    retired.push_back(each);
    return true;
  });
  return retired;
}

KeptScores::Scores KeptScores::Forget(const std::string& job) {
  const auto found = by_job_.find(job);
  if (found == by_job_.end()) return {};
  Scores retired(found->second.begin(), found->second.end());
  by_job_.erase(found);
  return retired;
}

Baseline KeptScores::Find(const JobSpec& job, std::int64_t end,
                          const std::vector<JobSpec>& jobs) const {
  return job.baseline->window.empty() ? Before(job, end) : OnWindow(job, end, jobs);
}

Baseline KeptScores::OnWindow(const JobSpec& job, std::int64_t end,
                              const std::vector<JobSpec>& jobs) const {
  std::shared_ptr<const ResultScores> newest;
  const JobSpec* compared = nullptr;
  for (const JobSpec& other : jobs) {
    if (!IsComparedWith(job, other)) continue;
    if (compared == nullptr) compared = &other;
    const auto found = by_job_.find(other.name);
    if (found == by_job_.end()) continue;
    const auto behind = BehindEnd(found->second, end);
    if (behind == found->second.begin()) continue;
    const auto& candidate = *std::prev(behind);
    if (newest == nullptr || candidate->end > newest->end) newest = candidate;
  }
  if (compared == nullptr) {
    return {.missing = "no job of kernel '" + std::string(KernelOf(job.parameters)) +
                       "' with the same parameters runs on window '" + job.baseline->window + "'"};
  }
  if (newest == nullptr) {
    return {.missing = "no result of job '" + compared->name + "' on window '" +
                       job.baseline->window + "' ends at or before this one"};
  }
  if (!newest->error.empty()) return {.missing = WithoutScores(*newest)};
  return {.results = {std::move(newest)}};
}

Baseline KeptScores::Before(const JobSpec& job, std::int64_t end) const {
  Baseline baseline;
  const auto found = by_job_.find(job.name);
  if (found != by_job_.end()) {
    const auto behind = BehindEnd(found->second, end - 1);
    const auto known = static_cast<std::size_t>(behind - found->second.begin());
    const std::size_t count = std::min<std::size_t>(known, job.baseline->results);
    for (auto each = behind - static_cast<std::ptrdiff_t>(count); each != behind; ++each) {
      if ((*each)->error.empty()) {
        baseline.results.push_back(*each);
      } else {
        baseline.missing = WithoutScores(**each);
      }
    }
  }
  if (!baseline.results.empty()) {
    baseline.missing.clear();
  } else if (baseline.missing.empty()) {
    baseline.missing = "no result of the job before this one is known";
  }
  return baseline;
}

std::size_t KeptScores::bytes() const {
  std::size_t bytes = 0;
  for (const auto& each : all_) {
    if (const auto scores = each.lock()) bytes += scores->bytes();
  }
  return bytes;
}

}  // namespace sash
