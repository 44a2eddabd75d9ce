// Log events of the outboxes of Kafka sinks, webhook sinks and the dead letters' topic. Some are
// pairs: the beginning and the end of a state.
#pragma once

#include "windows/base/event_log.h"

namespace sash::outbox_events {

inline constexpr LogEvent kWaiting{"outbox.waiting", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kFull{"outbox.full", LogSeverity::kError};
inline constexpr LogEvent kHasRoom{"outbox.has_room", LogSeverity::kInfo};
inline constexpr LogEvent kUnreadable{"outbox.unreadable", LogSeverity::kError};
inline constexpr LogEvent kReadable{"outbox.readable", LogSeverity::kInfo};
inline constexpr LogEvent kDamaged{"outbox.damaged", LogSeverity::kError};
inline constexpr LogEvent kFileMade{"outbox.file_made_again", LogSeverity::kWarning};
inline constexpr LogEvent kFileCut{"outbox.file_cut", LogSeverity::kError};
inline constexpr LogEvent kDiskFailed{"outbox.disk.failed", LogSeverity::kError};
inline constexpr LogEvent kDiskResumed{"outbox.disk.resumed", LogSeverity::kInfo};

inline constexpr LogEvent kBrokersLost{"outbox.brokers.lost", LogSeverity::kWarning};
inline constexpr LogEvent kBrokersBack{"outbox.brokers.back", LogSeverity::kInfo};
inline constexpr LogEvent kTopicMissing{"outbox.topic.missing", LogSeverity::kWarning};
inline constexpr LogEvent kDeliveryFailed{"outbox.delivery.failed", LogSeverity::kWarning};
inline constexpr LogEvent kDeliveryOverdue{"outbox.delivery.overdue", LogSeverity::kWarning};
inline constexpr LogEvent kDeliveryResumed{"outbox.delivery.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kProducerRenewed{"outbox.producer.renewed", LogSeverity::kWarning};
inline constexpr LogEvent kFenced{"outbox.producer.fenced", LogSeverity::kWarning};
inline constexpr LogEvent kInDoubt{"outbox.transaction.in_doubt", LogSeverity::kWarning};
inline constexpr LogEvent kTooManyJobs{"outbox.transaction.too_many_jobs", LogSeverity::kError};
inline constexpr LogEvent kMarksFit{"outbox.transaction.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kAlreadyThere{"outbox.already_there", LogSeverity::kInfo,
                                        LogPace::kAlways};
inline constexpr LogEvent kMessageLost{"outbox.message.lost", LogSeverity::kError};
inline constexpr LogEvent kParked{"outbox.delivery.parked", LogSeverity::kError};
inline constexpr LogEvent kMessagesResumed{"outbox.message.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kLetterTooLarge{"outbox.letter.too_large", LogSeverity::kWarning};

}  // namespace sash::outbox_events
