// IdempotentSender: sends the messages of an outbox without transactions, with many in flight at a
// time. A message that is sent again, after a failure or a restart, has the same key.
//
// Thread safety: like OutboxSender.
//
// Invariants
//   (1) At most kMostInFlight messages and about kMostBytes are in flight in librdkafka.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "connectors/sinks/kafka/outbox_sender.h"

namespace sash {

class IdempotentSender final : public OutboxSender {
 public:
  using OutboxSender::OutboxSender;
  ~IdempotentSender() override { Stop(); }

 private:
  struct InFlight {
    std::string key;
    std::size_t bytes = 0;
    SteadyTime since{};
  };

  void Run() override;
  bool HasProducer();
  void SendMore();
  bool Send(const Outbox::Message& message);
  void Settle(const TopicProducer::Report& report);
  void Observe();
  void Return(std::uint64_t id);
  void Renew();

  // Used only by the thread.
  std::unique_ptr<TopicProducer> producer_;
  std::map<std::uint64_t, InFlight> in_flight_;
  std::size_t in_flight_bytes_ = 0;
  std::set<std::uint64_t> alone_;        // too large in a batch: will be sent alone
  std::optional<Outbox::Message> held_;  // taken from the outbox; cannot be sent yet
};

}  // namespace sash
