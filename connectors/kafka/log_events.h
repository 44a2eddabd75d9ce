// The log events of the Kafka source. A state has two: one for its beginning, one for its end.
#pragma once

#include "windows/base/event_log.h"

namespace sash::kafka_events {

// librdkafka's own lines.
inline constexpr LogEvent kClientError{"kafka.client.error", LogSeverity::kError};
inline constexpr LogEvent kClientWarning{"kafka.client.warning", LogSeverity::kWarning};
inline constexpr LogEvent kClientDebug{"kafka.client.debug", LogSeverity::kDebug};
inline constexpr LogEvent kClientDropped{"kafka.client.dropped", LogSeverity::kWarning};

// The start.
inline constexpr LogEvent kConnecting{"kafka.connecting", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kNotStarted{"kafka.not_started", LogSeverity::kWarning};
inline constexpr LogEvent kStarted{"kafka.started", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kStandby{"kafka.standby", LogSeverity::kWarning};
inline constexpr LogEvent kStandbyEnded{"kafka.standby.ended", LogSeverity::kInfo,
                                        LogPace::kAlways};
inline constexpr LogEvent kPartitionStarts{"kafka.partition.starts", LogSeverity::kInfo,
                                           LogPace::kAlways};
inline constexpr LogEvent kPartitionMoved{"kafka.partition.moved", LogSeverity::kWarning,
                                          LogPace::kAlways};
inline constexpr LogEvent kJournalLeft{"kafka.journal.left", LogSeverity::kWarning,
                                       LogPace::kAlways};
inline constexpr LogEvent kCommitForeign{"kafka.commit.foreign", LogSeverity::kWarning,
                                         LogPace::kAlways};

// The whole source.
inline constexpr LogEvent kBrokersLost{"kafka.brokers.lost", LogSeverity::kWarning};
inline constexpr LogEvent kBrokersBack{"kafka.brokers.back", LogSeverity::kInfo};
inline constexpr LogEvent kTopicRefused{"kafka.topic.refused", LogSeverity::kWarning};
inline constexpr LogEvent kPartitionsLost{"kafka.partitions.lost", LogSeverity::kWarning};
inline constexpr LogEvent kPartitionsBack{"kafka.partitions.back", LogSeverity::kInfo};
inline constexpr LogEvent kPartitionsAdded{"kafka.partitions.added", LogSeverity::kError};
inline constexpr LogEvent kPartitionsAllRead{"kafka.partitions.all_read", LogSeverity::kInfo};
inline constexpr LogEvent kTopicsUnmatched{"kafka.topics.unmatched", LogSeverity::kWarning};
inline constexpr LogEvent kTopicsMatched{"kafka.topics.matched", LogSeverity::kInfo};
inline constexpr LogEvent kTopicLeft{"kafka.topic.left", LogSeverity::kWarning, LogPace::kAlways};
inline constexpr LogEvent kAheadHeld{"kafka.ahead.held", LogSeverity::kError};
inline constexpr LogEvent kAheadReleased{"kafka.ahead.released", LogSeverity::kInfo};
inline constexpr LogEvent kRegistryAway{"kafka.registry.away", LogSeverity::kWarning};
inline constexpr LogEvent kRegistryBack{"kafka.registry.back", LogSeverity::kInfo};
inline constexpr LogEvent kClaimLost{"kafka.claim.lost", LogSeverity::kWarning};
inline constexpr LogEvent kClaimBack{"kafka.claim.back", LogSeverity::kInfo};
inline constexpr LogEvent kReadingFailed{"kafka.reading.failed", LogSeverity::kWarning};
inline constexpr LogEvent kReadingResumed{"kafka.reading.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kTruncated{"kafka.truncated", LogSeverity::kWarning};
inline constexpr LogEvent kPauseFailed{"kafka.pause.failed", LogSeverity::kWarning};
inline constexpr LogEvent kAssignFailed{"kafka.assign.failed", LogSeverity::kError};
inline constexpr LogEvent kCommitFailed{"kafka.commit.failed", LogSeverity::kWarning};
inline constexpr LogEvent kCommitResumed{"kafka.commit.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kCommitShortened{"kafka.commit.shortened", LogSeverity::kWarning};
inline constexpr LogEvent kReadPositionsFailed{"kafka.read_positions.failed",
                                               LogSeverity::kWarning};
inline constexpr LogEvent kReadPositionsBack{"kafka.read_positions.back", LogSeverity::kInfo};
inline constexpr LogEvent kSpanLeftOut{"kafka.span.left_out", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kCloseFailed{"kafka.close.failed", LogSeverity::kError, LogPace::kAlways};

// One partition.
inline constexpr LogEvent kPartitionFailed{"kafka.partition.failed", LogSeverity::kWarning};
inline constexpr LogEvent kPartitionResumed{"kafka.partition.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kPartitionStalled{"kafka.partition.stalled", LogSeverity::kWarning};
inline constexpr LogEvent kPartitionOutOfRange{"kafka.partition.out_of_range",
                                               LogSeverity::kWarning};
inline constexpr LogEvent kPartitionGap{"kafka.partition.gap", LogSeverity::kError};
inline constexpr LogEvent kPartitionJoined{"kafka.partition.joined", LogSeverity::kInfo,
                                           LogPace::kAlways};
inline constexpr LogEvent kPartitionLeft{"kafka.partition.left", LogSeverity::kError,
                                         LogPace::kAlways};
inline constexpr LogEvent kPartitionDoubted{"kafka.partition.doubted", LogSeverity::kWarning};
inline constexpr LogEvent kPartitionUnproven{"kafka.partition.unproven", LogSeverity::kWarning};
inline constexpr LogEvent kPartitionRenewed{"kafka.partition.renewed", LogSeverity::kError,
                                            LogPace::kAlways};
inline constexpr LogEvent kPartitionUnreadable{"kafka.partition.unreadable", LogSeverity::kError};
inline constexpr LogEvent kPartitionPassedOver{"kafka.partition.passed_over", LogSeverity::kError};

}  // namespace sash::kafka_events
