#include "daemon/probe/broker_probe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "connectors/kafka/consumer_handle.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kTurn{100};
// A broker's refusal is believed after this time: a few attempts.
constexpr milliseconds kSettled{1000};

std::vector<std::string> Addresses(std::string_view brokers) {
  std::vector<std::string> addresses;
  while (!brokers.empty()) {
    const std::size_t comma = brokers.find(',');
    std::string_view address = brokers.substr(0, comma);
    brokers.remove_prefix(comma == std::string_view::npos ? brokers.size() : comma + 1);
    while (address.starts_with(' ')) address.remove_prefix(1);
    while (address.ends_with(' ')) address.remove_suffix(1);
    if (!address.empty()) addresses.emplace_back(address);
  }
  return addresses;
}

// One address that is being probed.
struct Asked {
  std::string address;
  std::unique_ptr<ConsumerHandle> handle;
  std::string identity;  // the newest error's name
  std::string trouble;
  bool down = false;
  std::optional<std::vector<std::string>> brokers;  // once it has responded
};

void AskAgain(Asked& asked) {
  Result<std::vector<std::string>> brokers = asked.handle->brokers().Addresses(kTurn);
  if (brokers) {
    asked.brokers = std::move(brokers).value();
    return;
  }
  asked.handle->ServeCallbacks();
  const InboxContents inbox = asked.handle->TakeInbox();
  asked.down = asked.down || inbox.all_brokers_down;
  if (inbox.connection_text.empty() || inbox.connection_identity == "_ALL_BROKERS_DOWN") return;
  asked.identity = inbox.connection_identity;
  asked.trouble = inbox.connection_text;
}

void AskAll(std::vector<Asked>& all) {
  const auto begin = steady_clock::now();
  for (;;) {
    bool open = false;
    for (Asked& asked : all) {
      const auto waited = steady_clock::now() - begin;
      if (asked.brokers || waited >= kBrokerPatience || (asked.down && waited >= kSettled))
        continue;
      AskAgain(asked);
      open = true;
    }
    if (!open) return;
  }
}

// `reached`: another broker responds, so the cluster exists.
void Tell(const std::string& where, const Asked& asked, bool reached, Findings& findings) {
  if (asked.brokers) {
    findings.Ok(where + ".brokers",
                fmt::format("{} answers; the brokers of the cluster advertise {}", asked.address,
                            fmt::join(*asked.brokers, ", ")));
    return;
  }
  const std::string why = asked.trouble.empty()
                              ? fmt::format("no response within {} s", kBrokerPatience.count())
                              : asked.trouble;
  findings.Add({reached ? Grade::kWarning : Grade::kError, where + ".brokers",
                fmt::format("{} does not answer: {}", asked.address, why),
                RemedyOf(asked.identity, asked.trouble, where + ".options")});
}

}  // namespace

std::string RemedyOf(std::string_view identity, std::string_view text, const std::string& options) {
  const auto says = [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  };
  if (says("uthorization failed")) {
    return "have the broker's administrator grant it (kafka-acls)";
  }
  if (identity == "_AUTHENTICATION" || says("uthentication")) {
    return fmt::format(
        "check user, password and mechanism in {} (sasl.*), and whether the broker "
        "knows this user",
        options);
  }
  if (identity == "_SSL" || says("SSL")) {
    return fmt::format("check security.protocol, ssl.ca.location and the certificate in {}",
                       options);
  }
  if (identity == "_RESOLVE") return "check the name: it cannot be resolved here";
  if (says("nknown topic")) return "create it, or fix its name";
  return "check host and port, whether the broker runs, and the network between";
}

bool ProbeBrokers(const std::string& where, const KafkaSpec& spec, Findings& findings) {
  std::vector<Asked> all;
  for (const std::string& address : Addresses(spec.brokers)) {
    KafkaSpec one = spec;
    one.brokers = address;
    Result<std::unique_ptr<ConsumerHandle>> handle = ConsumerHandle::Open(one);
    if (!handle) {
      findings.Fail(where, handle.error().message, "fix it");
      return false;
    }
    all.push_back({.address = address,
                   .handle = std::move(handle).value(),
                   .identity = {},
                   .trouble = {},
                   .brokers = {}});
  }
  AskAll(all);
  const bool reached =
      std::ranges::any_of(all, [](const Asked& asked) { return asked.brokers.has_value(); });
  for (const Asked& asked : all) Tell(where, asked, reached, findings);
  return reached;
}

}  // namespace sash
