// SchemaRegistry: a SchemaSource that asks a Schema Registry over HTTP. A thread sends the
// requests; each schema is asked for once.
//
// Thread safety: as SchemaSource.
//
// Invariants
//   (1) The registry's answer that there is no such schema counts for kRetryUnknown; then the next
//       Ask() asks again. Any other failure is tried again until there is an answer, with growing
//       pauses.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "connectors/codec/format_spec.h"
#include "connectors/codec/registry/registry_answer.h"
#include "connectors/codec/schema_source.h"
#include "connectors/transfer/http_transfer.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"

namespace sash {

class SchemaRegistry final : public SchemaSource {
 public:
  static constexpr std::chrono::seconds kRetryUnknown{60};
  static constexpr std::chrono::milliseconds kFirstPause{250};
  static constexpr std::chrono::milliseconds kLongestPause{10000};
  // More answers that there is no such schema than this are forgotten, the oldest first.
  static constexpr std::size_t kMostUnknown = 50000;
  // The most other schemas that a schema may use.
  static constexpr std::size_t kMostReferences = 100;

  explicit SchemaRegistry(const RegistrySpec& spec);
  ~SchemaRegistry() override;

  bool Ask(std::uint32_t id) override;
  bool Await(std::uint32_t id, std::chrono::milliseconds patience) override;
  std::shared_ptr<const RegisteredSchema> Find(std::uint32_t id) const override;
  std::string Trouble() const override;
  Counts counts() const override;

 private:
  struct Entry {
    std::shared_ptr<const RegisteredSchema> schema;
    SteadyTime until = SteadyTime::max();  // it counts until then
  };

  void Run(const std::stop_token& stop);
  Result<RegisteredSchema> Fetch(HttpTransfer& transfer, std::uint32_t id);
  // GET. `path` begins with a slash and is percent-encoded. The message of an error continues "the
  // schema registry ...".
  Result<RegistryAnswer> Get(HttpTransfer& transfer, const std::string& path);
  // Puts the schemas that `answer` uses before it.
  Status AddTexts(HttpTransfer& transfer, const RegistryAnswer& answer, std::size_t depth,
                  RegisteredSchema& schema);
  bool AskLocked(std::uint32_t id) SASH_REQUIRES(mutex_);
  void Keep(std::uint32_t id, RegisteredSchema schema) SASH_REQUIRES(mutex_);

  const RegistrySpec spec_;
  mutable Mutex mutex_;
  StoppableCondVar wanted_;
  CondVar answered_;
  std::map<std::uint32_t, Entry> entries_ SASH_GUARDED_BY(mutex_);
  std::deque<std::uint32_t> unknown_ SASH_GUARDED_BY(mutex_);  // in the order of the answers
  std::deque<std::uint32_t> queue_ SASH_GUARDED_BY(mutex_);    // each once
  std::string trouble_ SASH_GUARDED_BY(mutex_);
  Counts counts_ SASH_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sash
