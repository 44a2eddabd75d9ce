// The sections of the configuration: their rows (key_row.h), and a reader where one section depends
// on another. A reader takes the section that holds its key, reports to that section's ErrorList,
// and returns what could be read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/config/key_row.h"
#include "daemon/config/yaml_section.h"

namespace sash {

// What key_table.cc joins.
std::vector<SectionSpec> RootSections();
std::vector<SectionSpec> SourceSections();
std::vector<SectionSpec> KafkaSections();
std::vector<SectionSpec> FormatSections();
std::vector<SectionSpec> WindowSections();
std::vector<SectionSpec> JobSections();
std::vector<SectionSpec> SinkSections();
std::vector<SectionSpec> HttpSections();
std::vector<SectionSpec> ProcessSections();  // log, memory, state

// Rows that another file walks over.
const KeyRows<KafkaSpec>& KafkaRows();
const KeyRows<FormatSpec>& FormatRows();
const KeyRows<SinkSpec>& SinkRows();
const KeyRows<LogConfig>& LogRows();
const KeyRows<MemoryConfig>& MemoryRows();
const KeyRows<RecoveryConfig>& StateRows();

Config ReadRoot(const Section& root);
SourceConfig ReadSource(const Section& root);
void PrintSource(YamlPrinter& out, int depth, const SourceConfig& config);
bool SameSource(const SourceConfig& a, const SourceConfig& b);

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
void PrintWindow(YamlPrinter& out, int depth, const WindowSpec& window);
void PrintJob(YamlPrinter& out, int depth, const JobSpec& job);
bool SameJob(const JobSpec& a, const JobSpec& b);
// The kernel of a job, and its parameters.
Result<std::string> ParseKernel(std::string_view text);
std::string KernelNames();
JobParameters ReadParameters(const Section& job, const std::string& kernel, KeyKind keys);
void PrintKernel(YamlPrinter& out,
                 const JobParameters& parameters);  // at the depth of a job's keys
std::vector<SinkSpec> ReadSinks(const Section& root, const SourceConfig& source,
                                const std::vector<JobSpec>& jobs);
HttpConfig ReadHttp(const Section& root);
void PrintHttp(YamlPrinter& out, int depth, const HttpConfig& config);
bool SameHttp(const HttpConfig& a, const HttpConfig& b);

// One spelling for all paths that lead to the same place without following links.
std::string NormalPath(const std::string& path);

// The names that the items of `key` ("windows", "jobs") carry, right or wrong: a reference to one
// of them is not reported on top of what is wrong with the name itself.
std::vector<std::string> WrittenNames(const Section& root, std::string_view key);

// Reads the name of one item, which must be new among `taken`; adds it there.
void ReadDistinctName(const Section& item, std::vector<std::string>& taken, std::string& name);

}  // namespace sash
