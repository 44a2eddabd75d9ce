// GroupMember: a member of a consumer group that reads nothing. Other processes see it, it commits,
// and it learns when another member has taken its place.
//
// It is a static member (group.instance.id): a member that joins with the same instance id takes
// its place, and the brokers then refuse the commits and heartbeats of the earlier one.
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
  std::string instance;  // of a static member; for others the prefix of their id
  std::string host;      // as the broker sees it: "/10.1.2.3"
  std::vector<TopicPartition> assigned;
};

class GroupMember {
 public:
  // The session timeout, unless the user's options set another one.
  static constexpr const char* kSessionMilliseconds = "10000";

  // Contacts the brokers in the background. An error means a wrong option.
  static Result<std::unique_ptr<GroupMember>> Open(const KafkaSpec& spec, const std::string& client,
                                                   const std::string& instance);
  ~GroupMember();  // Leave()
  GroupMember(const GroupMember&) = delete;
  GroupMember& operator=(const GroupMember&) = delete;

  // The id of the cluster. Asks a broker and waits for at most `timeout`.
  Result<std::string> Cluster(std::chrono::milliseconds timeout);

  // All members of the group. Asks the brokers and waits for at most `timeout`. kNotFound: the
  // brokers cannot list members (librdkafka's mock cluster cannot).
  Result<std::vector<SeenMember>> Members(std::chrono::milliseconds timeout);

  // The topics of the membership, by default those of the spec. For a member that has joined:
  // another Join() follows.
  void SetTopics(std::vector<std::string> topics);
  Status Join();  // is_in() becomes true in a later Serve()
  void Serve();

  bool is_in() const;
  // Whether the brokers have given it up since the last call. Other members may have been in the
  // group since then, so it is in again only after another Join().
  bool TakeLoss();
  // Another member has taken its place: this one will not be in again.
  bool is_replaced() const;
  const std::string& trouble() const;  // why it is not in yet; may be empty

  // Only for a member that is in.
  OffsetCommits& commits();

  // Tells the brokers, so that they need not wait for the session's end. False when they did not
  // answer in time: librdkafka's handle then stays until the process ends.
  bool Leave(std::chrono::milliseconds timeout);

 private:
  struct Handle;
  explicit GroupMember(std::unique_ptr<Handle> handle);

  std::unique_ptr<Handle> handle_;
};

}  // namespace sash
