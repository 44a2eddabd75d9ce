// ClientRates: limits the request rate of each client address.
//
// Each address has a token bucket: kBurst requests, refilled at kPerSecond. An IPv6 client is
// identified by its /64, because it can choose the rest of its address. The hash is keyed, because
// attackers can choose their networks, too.
//
// Thread safety: none.
//
// Invariants
//   (1) At most kMostClients clients are stored. Beyond that, clients with a full bucket are
//       dropped; if there is none, all are dropped.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "windows/base/clock.h"
#include "windows/base/keyed_hash.h"

namespace sash {

// The part of an address that identifies a client: IPv4 whole, IPv6 its /64 (a client can choose
// the lower half). As bytes, not as text for people.
std::string ClientNetwork(const std::string& address);

class ClientRates {
 public:
  static constexpr double kPerSecond = 500;
  static constexpr double kBurst = 1000;
  static constexpr std::size_t kMostClients = 10'000;

  // Takes one request from the bucket of `address`. If the bucket is empty: the time to wait.
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
