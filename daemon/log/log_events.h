// The events that the process logs.
#pragma once

#include "windows/base/event_log.h"

namespace sash::process_events {

// Start and end.
inline constexpr LogEvent kStarts{"process.starts", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kShard{"process.shard", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kStartFailed{"process.start_failed", LogSeverity::kError,
                                       LogPace::kAlways};
inline constexpr LogEvent kKeyWithoutEffect{"config.key_without_effect", LogSeverity::kWarning,
                                            LogPace::kAlways};
inline constexpr LogEvent kListens{"http.listens", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kTokenRefused{"http.token_refused", LogSeverity::kWarning};
inline constexpr LogEvent kEmbeddedBroker{"kafka.embedded.listens", LogSeverity::kInfo,
                                          LogPace::kAlways};
inline constexpr LogEvent kEmbeddedAlone{"kafka.embedded.alone", LogSeverity::kWarning,
                                         LogPace::kAlways};
inline constexpr LogEvent kEndOfSource{"process.end_of_source", LogSeverity::kInfo,
                                       LogPace::kAlways};
inline constexpr LogEvent kStopping{"process.stopping", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kCutShort{"process.cut_short", LogSeverity::kWarning, LogPace::kAlways};
inline constexpr LogEvent kNoDeadline{"process.no_deadline", LogSeverity::kWarning,
                                      LogPace::kAlways};
inline constexpr LogEvent kForced{"process.forced", LogSeverity::kError, LogPace::kAlways};
inline constexpr LogEvent kStopped{"process.stopped", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kSourceFailed{"source.failed", LogSeverity::kError, LogPace::kAlways};
inline constexpr LogEvent kNotifyAddress{"service_manager.address_wrong", LogSeverity::kWarning,
                                         LogPace::kAlways};
inline constexpr LogEvent kNotifyFailed{"service_manager.unreachable", LogSeverity::kWarning,
                                        LogPace::kAlways};

// Requests from a person.
inline constexpr LogEvent kReloadAsked{"reload.asked", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kReloadWrong{"reload.wrong", LogSeverity::kError, LogPace::kAlways};
inline constexpr LogEvent kReloadRefused{"reload.refused", LogSeverity::kError, LogPace::kAlways};
inline constexpr LogEvent kReloadUnchanged{"reload.unchanged", LogSeverity::kInfo,
                                           LogPace::kAlways};
inline constexpr LogEvent kReloadChanged{"reload.changed", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kReloadNeedsRestart{"reload.needs_restart", LogSeverity::kWarning,
                                              LogPace::kAlways};
inline constexpr LogEvent kReopenAsked{"files.reopen_asked", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kApiChanged{"api.changed", LogSeverity::kInfo, LogPace::kAlways};

// Recovery.
inline constexpr LogEvent kNoCheckpoint{"recovery.no_checkpoint", LogSeverity::kInfo,
                                        LogPace::kAlways};
inline constexpr LogEvent kCheckpointUnusable{"recovery.checkpoint_unusable", LogSeverity::kWarning,
                                              LogPace::kAlways};
inline constexpr LogEvent kMappingNotNoted{"recovery.mapping_not_noted", LogSeverity::kWarning,
                                           LogPace::kAlways};
inline constexpr LogEvent kCheckpointFound{"recovery.checkpoint_found", LogSeverity::kInfo,
                                           LogPace::kAlways};
inline constexpr LogEvent kRecoveryProgress{"recovery.progress", LogSeverity::kInfo};
inline constexpr LogEvent kJournalShort{"recovery.journal_short", LogSeverity::kWarning,
                                        LogPace::kAlways};
inline constexpr LogEvent kJournalFound{"recovery.journal_found", LogSeverity::kInfo,
                                        LogPace::kAlways};
inline constexpr LogEvent kJournalUnusable{"recovery.journal_unusable", LogSeverity::kWarning,
                                           LogPace::kAlways};
inline constexpr LogEvent kNoJournal{"recovery.no_journal", LogSeverity::kWarning,
                                     LogPace::kAlways};
inline constexpr LogEvent kRecovered{"recovery.done", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kJournalFailed{"journal.failed", LogSeverity::kWarning};

// Memory.
inline constexpr LogEvent kMemoryLimit{"memory.limit", LogSeverity::kInfo, LogPace::kAlways};
inline constexpr LogEvent kMemoryLimitDoubtful{"memory.limit_doubtful", LogSeverity::kWarning,
                                               LogPace::kAlways};
inline constexpr LogEvent kMemoryNormal{"memory.normal", LogSeverity::kInfo};
inline constexpr LogEvent kMemorySlowed{"memory.slowed", LogSeverity::kWarning};
inline constexpr LogEvent kMemoryFull{"memory.full", LogSeverity::kError};
inline constexpr LogEvent kMemoryStuck{"memory.stuck", LogSeverity::kError, LogPace::kAlways};
inline constexpr LogEvent kSpillFull{"memory.spill_full", LogSeverity::kError, LogPace::kAlways};

// The source.
inline constexpr LogEvent kKeysDoubtful{"source.keys_doubtful", LogSeverity::kWarning,
                                        LogPace::kAlways};

inline constexpr LogEvent kNearlyAllRefused{"source.nearly_all_refused", LogSeverity::kWarning};
inline constexpr LogEvent kAcceptedAgain{"source.accepted_again", LogSeverity::kInfo};
inline constexpr LogEvent kTooManyRefused{"source.too_many_refused", LogSeverity::kError,
                                          LogPace::kAlways};

// Jobs, results, dead letters.
inline constexpr LogEvent kJobDrifted{"job.drifted", LogSeverity::kWarning};
inline constexpr LogEvent kJobCancelled{"job.cancelled", LogSeverity::kWarning};
inline constexpr LogEvent kJobFailed{"job.failed", LogSeverity::kWarning};
inline constexpr LogEvent kJobSkipped{"job.skipped", LogSeverity::kWarning};
inline constexpr LogEvent kResultsFailed{"results.failed", LogSeverity::kError};
inline constexpr LogEvent kResultsResumed{"results.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kPastDelivered{"results.past_delivered", LogSeverity::kInfo,
                                         LogPace::kAlways};
inline constexpr LogEvent kPastFailed{"results.past_failed", LogSeverity::kWarning,
                                      LogPace::kAlways};
inline constexpr LogEvent kSlicesLeftOut{"export.slices_left_out", LogSeverity::kInfo,
                                         LogPace::kAlways};
inline constexpr LogEvent kSlicesNotWritten{"export.slices_not_written", LogSeverity::kError,
                                            LogPace::kAlways};
inline constexpr LogEvent kResultsLost{"results.lost", LogSeverity::kError, LogPace::kAlways};
inline constexpr LogEvent kLettersFailed{"dead_letters.failed", LogSeverity::kError};
inline constexpr LogEvent kLettersResumed{"dead_letters.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kLettersLost{"dead_letters.lost", LogSeverity::kError, LogPace::kAlways};
inline constexpr LogEvent kOutboxLeft{"outbox.left", LogSeverity::kWarning, LogPace::kAlways};
inline constexpr LogEvent kOutboxLost{"outbox.lost", LogSeverity::kError, LogPace::kAlways};

}  // namespace sash::process_events
