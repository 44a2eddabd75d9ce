#include "connectors/export/leases/lease_book.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <utility>

#include "connectors/export/leases/chosen_snapshot.h"

namespace sash {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::minutes kUsualTtl{1};
constexpr std::chrono::milliseconds kBetweenLooks{500};

std::string RandomDigits(int words) {
  std::random_device random;
  std::string digits;
  for (int i = 0; i < words; ++i) digits += fmt::format("{:08x}", random());
  return digits;
}

double SecondsOf(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

void LeaseBook::Start() {
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "leases");
    Run(stop_.get_token());
  });
}

void LeaseBook::Stop() {
  stop_.request_stop();
  changed_.NotifyAll();
  if (thread_.joinable()) thread_.join();
  const MutexLock lock(mutex_);
  is_stopped_ = true;
  while (!held_.empty()) End(held_.begin(), "the process is stopping");
}

void LeaseBook::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      const MutexLock lock(mutex_);
      if (held_.empty()) {
        changed_.Wait(mutex_, stop);
      } else {
        (void)changed_.WaitUntil(mutex_, stop, std::chrono::steady_clock::now() + kBetweenLooks);
      }
    }
    EndExpired();
  }
}

Result<nanoseconds> LeaseBook::TimeOf(std::optional<nanoseconds> ttl) const {
  if (!ttl) return std::min<nanoseconds>(kUsualTtl, bounds_.longest);
  if (*ttl > nanoseconds(0) && *ttl <= bounds_.longest) return *ttl;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("ttl: must be more than 0 and at most {} seconds (lease_ttl), got {}",
                           SecondsOf(bounds_.longest), SecondsOf(*ttl))};
}

std::uint64_t LeaseBook::BytesHeld(const Lease* with) const {
  std::map<std::pair<std::string, std::string>, std::uint64_t> snapshots;
  for (const auto& [id, held] : held_) {
    snapshots[{held.about.window, held.about.folder}] = held.about.bytes;
  }
  if (with != nullptr) snapshots[{with->window, with->folder}] = with->bytes;
  std::uint64_t bytes = 0;
  for (const auto& [place, of_snapshot] : snapshots) bytes += of_snapshot;
  return bytes;
}

std::optional<Error> LeaseBook::WhyFull() const {
  if (is_stopped_) return Error{ErrorCode::kOverloaded, "the process is stopping"};
  if (held_.size() < bounds_.at_most) return std::nullopt;
  return Error{ErrorCode::kOverloaded,
               fmt::format("at most {} leases at a time (leases); {}", bounds_.at_most,
                           held_.empty() ? "so none are given" : Holders())};
}

std::optional<Error> LeaseBook::WhyNot(const Lease& wanted) const {
  if (std::optional<Error> full = WhyFull()) return full;
  const std::uint64_t bytes = BytesHeld(&wanted);
  if (bytes <= bounds_.bytes) return std::nullopt;
  return Error{
      ErrorCode::kOverloaded,
      fmt::format("with this lease, leased snapshots would take {} bytes, and at most {} "
                  "are allowed (lease_limit); {}",
                  bytes, bounds_.bytes, held_.empty() ? "there is no other lease" : Holders())};
}

Result<Lease> LeaseBook::Take(const LeaseRequest& request) {
  const Result<nanoseconds> ttl = TimeOf(request.ttl);
  if (!ttl) return ttl.error();
  EndExpired();
  {
    const MutexLock lock(mutex_);  // before the snapshots are read
    if (std::optional<Error> full = WhyFull()) {
      ++counts_.refused;
      return *std::move(full);
    }
  }
  Result<ChosenSnapshot> chosen = ChooseSnapshot(request, folder_);
  if (!chosen) return std::move(chosen).error();
  Held held{
      std::move(chosen.value().about),
      std::make_shared<LeaseHold>(std::move(chosen.value().lock), clock_.Steady() + ttl.value())};
  held.about.ttl = ttl.value();
  held.about.id = RandomDigits(4);
  held.about.name = RandomDigits(1);
  const MutexLock lock(mutex_);
  if (std::optional<Error> why = WhyNot(held.about)) {
    ++counts_.refused;
    return *std::move(why);
  }
  ++counts_.taken;
  Lease lease = AsOfNow(held);
  held_.emplace(lease.id, std::move(held));
  changed_.NotifyAll();
  return lease;
}

Lease LeaseBook::AsOfNow(const Held& held) const {
  Lease lease = held.about;
  lease.left = std::max(nanoseconds(0), nanoseconds(held.hold->until() - clock_.Steady()));
  lease.expires = clock_.Now() + lease.left;
  return lease;
}

Result<const LeaseBook::Held*> LeaseBook::Look(const std::string& window,
                                               const std::string& id) const {
  const auto found = held_.find(id);
  if (found != held_.end() && found->second.about.window == window) {
    if (clock_.Steady() < found->second.hold->until()) return &found->second;
    return Error{ErrorCode::kUnavailable, "the lease has ended: it has expired"};
  }
  const auto ended = std::ranges::find(ended_, id, &Ended::id);
  if (ended != ended_.end()) {
    return Error{ErrorCode::kUnavailable, "the lease has ended: " + ended->why};
  }
  return Error{ErrorCode::kNotFound, fmt::format("window '{}' has no such lease", window)};
}

Result<Lease> LeaseBook::Renew(const std::string& window, const std::string& id,
                               std::optional<nanoseconds> ttl) {
  const MutexLock lock(mutex_);
  const Result<const Held*> found = Look(window, id);
  if (!found) return found.error();
  const Result<nanoseconds> time = TimeOf(ttl ? ttl : found.value()->about.ttl);
  if (!time) return time.error();
  Held& held = held_.at(id);
  held.about.ttl = time.value();
  held.hold->SetUntil(clock_.Steady() + time.value());
  return AsOfNow(held);
}

Result<Lease> LeaseBook::Find(const std::string& window, const std::string& id) const {
  const MutexLock lock(mutex_);
  const Result<const Held*> found = Look(window, id);
  if (!found) return found.error();
  return AsOfNow(*found.value());
}

Status LeaseBook::Release(const std::string& window, const std::string& id) {
  const MutexLock lock(mutex_);
  const Result<const Held*> found = Look(window, id);
  if (!found) return found.error();
  End(held_.find(id), "it was released");
  return Ok{};
}

std::optional<Lease> LeaseBook::Revoke(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto found =
      std::ranges::find_if(held_, [&](const auto& each) { return each.second.about.name == name; });
  if (found == held_.end()) return std::nullopt;
  Lease lease = AsOfNow(found->second);
  ++counts_.revoked;
  End(found, "it was revoked");
  return lease;
}

void LeaseBook::End(std::map<std::string, Held>::iterator held, std::string why) {
  ended_.push_back({held->first, std::move(why)});
  if (ended_.size() > kRememberedEnds) ended_.pop_front();
  held_.erase(held);
}

void LeaseBook::EndExpired() {
  const MutexLock lock(mutex_);
  const SteadyTime now = clock_.Steady();
  for (auto each = held_.begin(); each != held_.end();) {
    const auto held = each++;
    if (held->second.hold->until() > now) continue;
    ++counts_.expired;
    End(held, "it has expired");
  }
}

std::vector<Lease> LeaseBook::List() const {
  const MutexLock lock(mutex_);
  std::vector<Lease> leases;
  for (const auto& [id, held] : held_) leases.push_back(AsOfNow(held));
  std::ranges::sort(leases, {}, [](const Lease& lease) {
    return std::tie(lease.window, lease.snapshot, lease.name);
  });
  return leases;
}

Result<LeaseReader> LeaseBook::Open(const std::string& window, const std::string& id,
                                    const std::string& file) const {
  const MutexLock lock(mutex_);
  const Result<const Held*> found = Look(window, id);
  if (!found) return found.error();
  const Lease& lease = found.value()->about;
  if (std::ranges::find(lease.files, file, &LeasedFile::name) == lease.files.end()) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("the lease has no file '{}'", file)};
  }
  return LeaseReader(found.value()->hold, folder_, clock_, {window, lease.folder}, file);
}

LeaseCounts LeaseBook::Counts() const {
  const MutexLock lock(mutex_);
  LeaseCounts counts = counts_;
  counts.leases = held_.size();
  counts.at_most = bounds_.at_most;
  counts.bytes = BytesHeld(nullptr);
  counts.limit_bytes = bounds_.bytes;
  counts.longest_seconds = SecondsOf(bounds_.longest);
  return counts;
}

std::string LeaseBook::Holders() const {
  std::string text;
  for (const auto& [id, held] : held_) {
    text += fmt::format("{}lease {} of {} holds snapshot {}/{}", text.empty() ? "" : ", ",
                        held.about.name, held.about.client, held.about.window, held.about.folder);
  }
  return text;
}

std::string LeaseBook::HoldersText() const {
  const MutexLock lock(mutex_);
  return Holders();
}

}  // namespace sash
