#include "daemon/http/client_rates.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

namespace sash {
namespace {

double Filled(double requests, SteadyTime since, SteadyTime now) {
  const double seconds = std::chrono::duration<double>(now - since).count();
  return std::min(ClientRates::kBurst, requests + seconds * ClientRates::kPerSecond);
}

}  // namespace

std::string ClientNetwork(const std::string& address) {
  in6_addr v6;
  if (inet_pton(AF_INET6, address.c_str(), &v6) != 1 || IN6_IS_ADDR_V4MAPPED(&v6)) return address;
  constexpr std::size_t kNetworkBytes = 8;
  return {reinterpret_cast<const char*>(&v6), kNetworkBytes};
}

std::optional<std::chrono::seconds> ClientRates::Take(const std::string& address, SteadyTime now) {
  if (buckets_.size() >= kMostClients) Forget(now);
  const auto [place, is_new] = buckets_.try_emplace(ClientNetwork(address), Bucket{kBurst, now});
  Bucket& bucket = place->second;
  bucket.requests = Filled(bucket.requests, bucket.filled, now);
  bucket.filled = now;
  if (bucket.requests < 1) return std::chrono::seconds(1);
  bucket.requests -= 1;
  return std::nullopt;
}

void ClientRates::Forget(SteadyTime now) {
  std::erase_if(buckets_, [&](const auto& entry) {
    return Filled(entry.second.requests, entry.second.filled, now) >= kBurst;
  });
  if (buckets_.size() >= kMostClients) buckets_.clear();
}

}  // namespace sash
