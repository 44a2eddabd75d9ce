#include "connectors/codec/registry/schema_registry.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

#include "windows/base/percent.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostReferenceDepth = 16;
constexpr std::size_t kMostAnswerBytes = 4 << 20;

HttpTerms TermsOf(const RegistrySpec& spec) {
  return {.connect_timeout = std::chrono::seconds(5),
          .timeout = std::chrono::seconds(15),
          .ca = spec.ca,
          .certificate = spec.certificate,
          .key = spec.key,
          .user = spec.user,
          .password = spec.password.text,
          .uses_proxies = true,
          .most_bytes = kMostAnswerBytes,
          .refuses_longer = true};
}

}  // namespace

SchemaRegistry::SchemaRegistry(const RegistrySpec& spec)
    : spec_(spec), thread_([this](const std::stop_token& stop) {
        pthread_setname_np(pthread_self(), "schema registry");
        Run(stop);
      }) {}

SchemaRegistry::~SchemaRegistry() = default;

bool SchemaRegistry::Ask(std::uint32_t id) {
  const MutexLock lock(mutex_);
  return AskLocked(id);
}

bool SchemaRegistry::Await(std::uint32_t id, milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (!AskLocked(id)) {
    if (!answered_.WaitUntil(mutex_, deadline)) return AskLocked(id);
  }
  return true;
}

std::shared_ptr<const RegisteredSchema> SchemaRegistry::Find(std::uint32_t id) const {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : found->second.schema;
}

std::string SchemaRegistry::Trouble() const {
  const MutexLock lock(mutex_);
  return trouble_;
}

SchemaSource::Counts SchemaRegistry::counts() const {
  const MutexLock lock(mutex_);
  return counts_;
}

bool SchemaRegistry::AskLocked(std::uint32_t id) {
  const auto found = entries_.find(id);
  const bool answered =
      found != entries_.end() && (found->second.until == SteadyTime::max() ||
                                  std::chrono::steady_clock::now() < found->second.until);
  if (answered) return true;
  if (std::ranges::find(queue_, id) == queue_.end()) {
    queue_.push_back(id);
    wanted_.NotifyOne();
  }
  return false;
}

void SchemaRegistry::Keep(std::uint32_t id, RegisteredSchema schema) {
  const bool is_unknown = schema.kind == RegisteredSchema::Kind::kUnknown;
  Entry& entry = entries_[id];
  entry.until = is_unknown ? std::chrono::steady_clock::now() + kRetryUnknown : SteadyTime::max();
  entry.schema = std::make_shared<const RegisteredSchema>(std::move(schema));
  if (!is_unknown) return;
  unknown_.push_back(id);
  if (unknown_.size() <= kMostUnknown) return;
  const auto oldest = entries_.find(unknown_.front());
  unknown_.pop_front();
  const bool forget = oldest != entries_.end() && oldest->first != id &&
                      oldest->second.schema->kind == RegisteredSchema::Kind::kUnknown;
  if (forget) entries_.erase(oldest);
}

void SchemaRegistry::Run(const std::stop_token& stop) {
  HttpTransfer transfer(TermsOf(spec_), [&stop] { return stop.stop_requested(); });
  milliseconds pause = kFirstPause;
  while (!stop.stop_requested()) {
    std::uint32_t id = 0;
    {
      const MutexLock lock(mutex_);
      if (queue_.empty()) wanted_.Wait(mutex_, stop);
      if (queue_.empty()) continue;
      id = queue_.front();
    }
    Result<RegisteredSchema> schema = Fetch(transfer, id);
    if (!schema.ok()) {
      {
        const MutexLock lock(mutex_);
        ++counts_.failures;
        trouble_ = fmt::format("the schema registry {} {}", spec_.url, schema.error().message);
      }
      SleepFor(stop, pause);
      pause = std::min(2 * pause, kLongestPause);
      continue;
    }
    pause = kFirstPause;
    const MutexLock lock(mutex_);
    trouble_.clear();
    queue_.pop_front();
    Keep(id, std::move(schema).value());
    answered_.NotifyAll();
  }
}

Result<RegistryAnswer> SchemaRegistry::Get(HttpTransfer& transfer, const std::string& path) {
  {
    const MutexLock lock(mutex_);
    ++counts_.requests;
  }
  const Result<HttpTransfer::Reply> reply = transfer.Get(
      spec_.url + path, {"Accept: application/vnd.schemaregistry.v1+json, application/json"});
  if (!reply.ok()) {
    return Error{reply.error().code, fmt::format("cannot be asked ({})", reply.error().message)};
  }
  return ReadRegistryAnswer(reply.value().status, reply.value().body);
}

Result<RegisteredSchema> SchemaRegistry::Fetch(HttpTransfer& transfer, std::uint32_t id) {
  Result<RegistryAnswer> answer = Get(transfer, fmt::format("/schemas/ids/{}", id));
  if (!answer.ok()) return std::move(answer).error();
  RegisteredSchema schema;
  schema.kind = answer.value().kind;
  if (schema.kind == RegisteredSchema::Kind::kAvro) {
    if (Status added = AddTexts(transfer, answer.value(), 0, schema); !added.ok()) {
      return std::move(added).error();
    }
  } else if (schema.kind == RegisteredSchema::Kind::kOther) {
    schema.texts.push_back(std::move(answer.value().text));
  }
  return schema;
}

Status SchemaRegistry::AddTexts(HttpTransfer& transfer, const RegistryAnswer& answer,
                                std::size_t depth, RegisteredSchema& schema) {
  for (const RegistryAnswer::Reference& reference : answer.references) {
    // A schema with more references is parsed without them, and so it is broken.
    if (depth >= kMostReferenceDepth || schema.texts.size() >= kMostReferences) break;
    const Result<RegistryAnswer> used =
        Get(transfer, fmt::format("/subjects/{}/versions/{}", PercentEncoded(reference.subject),
                                  reference.version));
    if (!used.ok()) return used.error();
    if (used.value().kind != RegisteredSchema::Kind::kAvro) continue;
    if (Status added = AddTexts(transfer, used.value(), depth + 1, schema); !added.ok()) {
      return added;
    }
  }
  // Two schemas may use the same third one.
  if (std::ranges::find(schema.texts, answer.text) == schema.texts.end()) {
    schema.texts.push_back(answer.text);
  }
  return Ok{};
}

}  // namespace sash
