#include "windows/jobs/result_history.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "windows/base/allocated_bytes.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/text_bytes.h"

namespace sash {
namespace {

std::size_t KeyBytes(const VertexKey& key) {
  const auto* text = std::get_if<std::string>(&key);
  return text == nullptr ? 0 : TextBytes(*text);
}

std::size_t KeyBytes(const ReachedVertex& row) {
  return KeyBytes(row.key) + (row.parent ? KeyBytes(*row.parent) : 0);
}
std::size_t KeyBytes(const PairOfVertices& row) {
  std::size_t bytes = KeyBytes(row.source) + KeyBytes(row.target) + AllocatedBytes(row.types);
  for (const std::string& type : row.types) bytes += TextBytes(type);
  return bytes;
}
std::size_t KeyBytes(const std::vector<VertexKey>& keys) {
  std::size_t bytes = AllocatedBytes(keys);
  for (const VertexKey& key : keys) bytes += KeyBytes(key);
  return bytes;
}
std::size_t KeyBytes(const CycleOfVertices& row) { return KeyBytes(row.vertices); }
std::size_t KeyBytes(const PathOfVertices& row) { return KeyBytes(row.vertices); }
std::size_t KeyBytes(const FeaturesOfPair& row) {
  return KeyBytes(row.source) + KeyBytes(row.target) + AllocatedBytes(row.cycles);
}
std::size_t KeyBytes(const auto& row) { return KeyBytes(row.key); }

std::size_t ListBytes(const ResultList& list) {
  const auto row_bytes = [](const auto* rows) {
    std::size_t bytes = AllocatedBytes(*rows);
    for (const auto& row : *rows) bytes += KeyBytes(row);
    return bytes;
  };
  return std::visit(row_bytes, list.rows) +
         (list.levels == nullptr ? 0 : AllocatedBytes(*list.levels));
}

std::size_t BytesOf(const RunResult& result) {
  constexpr std::size_t kTreeNode = 32;  // overhead of a map for each element
  std::size_t bytes = sizeof(RunResult) + TextBytes(result.job);
  for (const auto& [partition, span] : result.provenance.offsets) {
    bytes += kTreeNode + sizeof(partition) + sizeof(span) + TextBytes(partition.topic);
  }
  if (result.provenance.cut) {
    for (const auto& [partition, offset] : *result.provenance.cut) {
      bytes += kTreeNode + sizeof(partition) + sizeof(offset) + TextBytes(partition.topic);
    }
  }
  const ResultTable table = DescribeResult(result);
  for (const ResultList& list : table.lists) bytes += ListBytes(list);
  if (result.baseline) {
    bytes += AllocatedBytes(result.compared) + TextBytes(result.baseline->missing) +
             TextBytes(result.baseline->window) + TextBytes(result.baseline->job);
  }
  return bytes + table.other_bytes;
}

std::size_t BytesOf(const std::shared_ptr<const KeptVector>& vector) {
  return vector == nullptr ? 0 : vector->bytes();
}

std::size_t BytesOf(const WholeVector& whole) {
  std::size_t bytes = sizeof(WholeVector) + AllocatedBytes(whole.scores) +
                      AllocatedBytes(whole.others) + AllocatedBytes(whole.counts) +
                      AllocatedBytes(whole.weights) + AllocatedBytes(whole.groups) +
                      AllocatedBytes(whole.baseline);
  for (const auto& depths : whole.depths) bytes += AllocatedBytes(depths);
  return bytes;
}

}  // namespace

ResultHistory::ResultHistory(const std::vector<JobSpec>& jobs) {
  for (const JobSpec& job : jobs) {
    jobs_[job.name].limit = job.keep_results;
    jobs_[job.name].vectors = job.keep_vectors;
  }
}

void ResultHistory::Add(CompletedRun run) {
  // Freed outside the lock: dropping a pinned view can take milliseconds.
  std::optional<CompletedRun> retired(std::move(run));
  const std::size_t result_bytes = BytesOf(*retired->result);
  std::size_t whole_bytes = retired->whole == nullptr ? 0 : BytesOf(*retired->whole);
  // The graph of a live run is a copy, which no store counts.
  if (!retired->result->provenance.is_final()) whole_bytes += retired->advance->bytes;
  std::vector<Kept> left;  // these too
  Vectors old;
  std::shared_ptr<const KeptVector> vector;
  if (KeepsVectors(retired->result->job) && retired->whole && retired->advance) {
    vector = VectorOf(*retired);
  }
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(retired->result->job);
  if (found == jobs_.end()) return;
  Job& job = found->second;
  if (!job.results.empty() &&
      job.results.back().result->provenance.snapshot == retired->result->provenance.snapshot) {
    bytes_ -= job.results.back().bytes + BytesOf(job.results.back().vector);
    left.push_back(std::move(job.results.back()));
    job.results.pop_back();
  }
  const AdvancePtr& advance = retired->advance;
  if (advance != nullptr && advance->recalled_for > 0) job.reaches_to_first = false;
  bytes_ += result_bytes + whole_bytes + BytesOf(vector);
  bytes_ -= std::exchange(job.whole_bytes, whole_bytes);
  job.results.push_back({retired->result, result_bytes, std::move(vector)});
  old = TakeOldVectors(job);
  if (job.results.size() > job.limit) {
    bytes_ -= job.results.front().bytes;
    left.push_back(std::move(job.results.front()));
    job.results.pop_front();
    job.reaches_to_first = false;
  }
  job.latest.swap(retired);
}

bool ResultHistory::KeepsVectors(const std::string& job) const {
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(job);
  return found != jobs_.end() && found->second.vectors > 0;
}

ResultHistory::Vectors ResultHistory::TakeOldVectors(Job& job) {
  Vectors old;
  const std::size_t too_old = job.results.size() - std::min(job.vectors, job.results.size());
  for (std::size_t i = 0; i < too_old; ++i) {
    if (job.results[i].vector == nullptr) continue;
    bytes_ -= BytesOf(job.results[i].vector);
    old.push_back(std::move(job.results[i].vector));
  }
  return old;
}

void ResultHistory::Keep(const std::string& job, std::size_t results, std::size_t vectors) {
  std::vector<Kept> retired;  // freed outside the lock
  Vectors old;
  const MutexLock lock(mutex_);
  Job& kept = jobs_[job];
  kept.limit = results;
  kept.vectors = vectors;
  old = TakeOldVectors(kept);
  while (kept.results.size() > results) {
    bytes_ -= kept.results.front().bytes;
    retired.push_back(std::move(kept.results.front()));
    kept.results.pop_front();
    kept.reaches_to_first = false;
  }
}

void ResultHistory::Clear(const std::string& job) {
  Job retired;  // freed outside the lock
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(job);
  if (found != jobs_.end()) Empty(found->second, retired);
}

void ResultHistory::Forget(const std::string& job) {
  Job retired;  // freed outside the lock
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return;
  Empty(found->second, retired);
  jobs_.erase(found);
}

void ResultHistory::Empty(Job& job, Job& retired) {
  for (const Kept& kept : job.results) bytes_ -= kept.bytes + BytesOf(kept.vector);
  bytes_ -= std::exchange(job.whole_bytes, 0);
  retired.results.swap(job.results);
  job.reaches_to_first = true;
  retired.latest.swap(job.latest);
}

std::size_t ResultHistory::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

std::optional<CompletedRun> ResultHistory::Latest(const std::string& job) const {
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? std::nullopt : found->second.latest;
}

std::shared_ptr<const RunResult> ResultHistory::Find(const std::string& job,
                                                     SnapshotId snapshot) const {
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return nullptr;
  const auto kept = std::ranges::find_if(found->second.results, [&](const Kept& each) {
    return each.result->provenance.snapshot == snapshot;
  });
  return kept == found->second.results.end() ? nullptr : kept->result;
}

std::vector<std::shared_ptr<const RunResult>> ResultHistory::Newest(
    const std::string& job, std::size_t limit, std::optional<SnapshotId> before) const {
  std::vector<std::shared_ptr<const RunResult>> newest;
  for (WithVector& each : NewestWithVectors(job, limit, before)) {
    newest.push_back(std::move(each.result));
  }
  return newest;
}

std::vector<ResultHistory::WithVector> ResultHistory::NewestWithVectors(
    const std::string& job, std::size_t limit, std::optional<SnapshotId> before) const {
  const MutexLock lock(mutex_);
  std::vector<WithVector> newest;
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return newest;
  for (auto i = found->second.results.rbegin();
       i != found->second.results.rend() && newest.size() < limit; ++i) {
    if (!before || i->result->provenance.snapshot < *before) {
      newest.push_back({i->result, i->vector});
    }
  }
  return newest;
}

std::vector<ResultHistory::Step> ResultHistory::NewestSteps(
    const std::string& job, std::size_t limit, std::optional<SnapshotId> before) const {
  const MutexLock lock(mutex_);
  std::vector<Step> steps;
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return steps;
  const std::deque<Kept>& results = found->second.results;
  for (auto i = results.rbegin(); i != results.rend() && steps.size() < limit; ++i) {
    const auto older = std::next(i);
    if (older == results.rend() && !found->second.reaches_to_first) break;
    if (before && !(i->result->provenance.snapshot < *before)) continue;
    steps.push_back({i->result, older == results.rend() ? nullptr : older->result});
  }
  return steps;
}

}  // namespace sash
