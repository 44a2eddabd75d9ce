// One reader per section of the configuration. Each takes the section that holds its key, reports
// to that section's ErrorList, and returns what could be read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/kafka/kafka_options.h"
#include "daemon/config/config.h"
#include "daemon/config/yaml_section.h"

namespace sash {

SourceConfig ReadSource(const Section& root);
KafkaSpec ReadKafka(const Section& kafka);

// `options` of a source or sink, for librdkafka; `why_owned`: why one cannot be set there.
void ReadKafkaOptions(const Section& kafka, WhyOwned why_owned,
                      std::map<std::string, std::string>& options,
                      std::map<std::string, std::string>& references);

// Files, folders and topics in use, with what uses them: by normal path, by "brokers//topic".
using Uses = std::map<std::string, std::string>;

// A topic to write to, with its outbox: `brokers`, `topic`, `outbox`, `options` of the section. The
// brokers are those of the source, and the options to reach them, unless given.
void ReadDestination(const Section& section, std::string_view outbox_keys, const KafkaSpec* source,
                     Uses& uses, KafkaDestination& to);

struct ReadFormatResult {
  FormatSpec spec;
  std::optional<bool> maps_time;  // none: unknown, since the format is wrong
};
ReadFormatResult ReadFormat(const Section& source);

// `removals`: some events may remove edges, for which stores keep more.
std::vector<WindowSpec> ReadWindows(const Section& root, bool removals);
std::vector<JobSpec> ReadJobs(const Section& root, KeyKind keys);
// One item of a list; `names` are those of the items before it.
WindowSpec ReadWindow(const Section& window, bool removals, std::vector<std::string>& names);
JobSpec ReadJob(const Section& job, KeyKind keys, const std::vector<std::string>& windows,
                std::vector<std::string>& names);
// The kernel of a job, and its parameters.
Result<std::string> ParseKernel(std::string_view text);
std::string KernelNames();
JobParameters ReadParameters(const Section& job, const std::string& kernel, KeyKind keys);
std::vector<SinkSpec> ReadSinks(const Section& root, const SourceConfig& source,
                                const std::vector<JobSpec>& jobs);
HttpConfig ReadHttp(const Section& root);
LogConfig ReadLog(const Section& root);
MemoryConfig ReadMemory(const Section& root);
// recovery and state.
RecoveryConfig ReadRecovery(const Section& root, bool is_replay);

// One spelling for all paths that lead to the same place without following links.
std::string NormalPath(const std::string& path);

// The names that the items of `key` ("windows", "jobs") carry, right or wrong: a reference to one
// of them is not reported on top of what is wrong with the name itself.
std::vector<std::string> WrittenNames(const Section& root, std::string_view key);

// Reads the name of one item, which must be new among `taken`; adds it there.
void ReadDistinctName(const Section& item, std::vector<std::string>& taken, std::string& name);

}  // namespace sash
