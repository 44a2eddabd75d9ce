// GroupMember: a member of a consumer group that reads nothing. It is there to be seen by others,
// to commit, and to be told when another one has taken its place.
//
// It is a static member (group.instance.id): who joins with the same instance takes its place, and
// the brokers refuse the commits and heartbeats of the one before.
//
// Thread safety: belongs to one thread, which calls Serve() more often than every
// max.poll.interval.ms; heartbeats go on without it until then.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/offset_commits.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

namespace sash {

struct SeenMember {
  std::string client;    // its client.id
  std::string instance;  // of a static member; of others what their id begins with
  std::string host;      // as the broker sees it: "/10.1.2.3"
  std::vector<TopicPartition> assigned;
};

class GroupMember {
 public:
  // The session of a member that says nothing, unless an option of the user's is another one.
  static constexpr const char* kSessionMilliseconds = "10000";

  // Contacts the brokers in the background; an error is one of the options.
  static Result<std::unique_ptr<GroupMember>> Open(const KafkaSpec& spec, const std::string& client,
                                                   const std::string& instance);
  ~GroupMember();  // Leave()
  GroupMember(const GroupMember&) = delete;
  GroupMember& operator=(const GroupMember&) = delete;

  // What the cluster of the brokers calls itself. Asks a broker and waits for at most `timeout`.
  Result<std::string> Cluster(std::chrono::milliseconds timeout);

  // All that are in the group now. Asks the brokers and waits for at most `timeout`. kNotFound:
  // they cannot tell, as librdkafka's own.
  Result<std::vector<SeenMember>> Members(std::chrono::milliseconds timeout);

  Status Join();  // Serve() tells when it is in
  void Serve();

  bool is_in() const;
  // Whether the brokers have given it up since the last question: others may have been in
  // meanwhile, so it is in again only after another Join().
  bool TakeLoss();
  // Another one has taken its place: it will not be in again.
  bool is_replaced() const;
  const std::string& trouble() const;  // why it is not in yet; may be empty

  // Of a member that is in.
  OffsetCommits& commits();

  // Tells the brokers, so that they need not wait for the session's end. False when they did not
  // answer in time: librdkafka's handle is then left to the end of the process.
  bool Leave(std::chrono::milliseconds timeout);

 private:
  struct Handle;
  explicit GroupMember(std::unique_ptr<Handle> handle);

  std::unique_ptr<Handle> handle_;
};

}  // namespace sash
