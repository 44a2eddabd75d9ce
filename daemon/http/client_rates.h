// ClientRates: how many requests an address may make.
//
// Each has a bucket of kBurst requests, which fills by kPerSecond. An IPv6 client has its /64: it
// can choose the rest. The hash is keyed, since networks can be chosen, too.
//
// Thread safety: none.
//
// Invariants
//   (1) At most kMostClients are known; beyond that those with a full bucket are forgotten, and
//       when there is none, all.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "windows/base/clock.h"
#include "windows/base/keyed_hash.h"

namespace sash {

// What of an address is the client's own: an IPv6 client can choose the lower half. Not for people.
std::string ClientNetwork(const std::string& address);

class ClientRates {
 public:
  static constexpr double kPerSecond = 500;
  static constexpr double kBurst = 1000;
  static constexpr std::size_t kMostClients = 10'000;

  // Takes one request of `address`; when it has none left, how long it is to wait.
  std::optional<std::chrono::seconds> Take(const std::string& address, SteadyTime now);

  std::size_t clients() const { return buckets_.size(); }

 private:
  struct Bucket {
    double requests = kBurst;
    SteadyTime filled{};
  };

  void Forget(SteadyTime now);

  std::unordered_map<std::string, Bucket, KeyedHash> buckets_;
};

}  // namespace sash
