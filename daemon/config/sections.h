// The sections of the configuration: their rows (key_row.h), and readers for sections that depend
// on each other. A reader takes the section that contains its key, reports errors to that section's
// ErrorList, and returns the values that it could read.
//
// Thread safety: used within one parse; the rows never change.
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

// key_table.cc joins these.
std::vector<SectionSpec> RootSections();
std::vector<SectionSpec> SourceSections();
std::vector<SectionSpec> KafkaSections();
std::vector<SectionSpec> FormatSections();
std::vector<SectionSpec> WindowSections();
std::vector<SectionSpec> JobSections();
std::vector<SectionSpec> KernelSections();  // the parameters of each kernel
std::vector<SectionSpec> SinkSections();
std::vector<SectionSpec> ExportSections();
std::vector<SectionSpec> AlertSections();
std::vector<SectionSpec> HttpSections();
std::vector<SectionSpec> ProcessSections();  // log, memory, state

// Rows that other files walk over.
const KeyRows<KafkaSpec>& KafkaRows();
const KeyRows<FormatSpec>& FormatRows();
const KeyRows<SinkSpec>& SinkRows();
const KeyRows<ExportSpec>& ExportRows();
const KeyRows<LogConfig>& LogRows();
const KeyRows<MemoryConfig>& MemoryRows();
const KeyRows<RecoveryConfig>& StateRows();

Config ReadRoot(const Section& root);
SourceConfig ReadSource(const Section& root);
void PrintSource(YamlPrinter& out, int depth, const SourceConfig& config);
bool SameSource(const SourceConfig& a, const SourceConfig& b);

// Files, folders and topics in use, with the key that uses each: by normal path, or by
// "brokers//topic".
using Uses = std::map<std::string, std::string>;

// Reads a topic to write to, with its outbox: keys `brokers`, `topic`, `outbox` and `options` of
// the section. Without `brokers`, the brokers and connection options of the source are used.
void ReadDestination(const Section& section, std::string_view outbox_keys, const KafkaSpec* source,
                     Uses& uses, KafkaDestination& to);

struct ReadFormatResult {
  FormatSpec spec;
  std::optional<bool> maps_time;  // none: unknown, the format is invalid
  bool says_how = false;          // how times are written, in place of source.time
  std::vector<bool> say_how{};    // the same, of each of several mappings
};
// `replay`: the records are those of files.
ReadFormatResult ReadFormat(const Section& source, bool replay);
// Reads source.mappings. `config`: its connector has been read.
ReadFormatResult ReadMappings(const Section& source, bool replay, const SourceConfig& config);
void PrintMappings(YamlPrinter& out, int depth, const FormatSpec& format);
bool SameMappings(const FormatSpec& a, const FormatSpec& b);
std::vector<SectionSpec> MappingSections();

// `removals`: events may remove edges; stores then keep more state. `source`: filters of windows
// read its records.
std::vector<WindowSpec> ReadWindows(const Section& root, bool removals, const SourceConfig& source);
std::vector<JobSpec> ReadJobs(const Section& root, KeyKind keys);
// One item of a list; `names` are the names of the earlier items.
WindowSpec ReadWindow(const Section& window, bool removals, const SourceConfig& source,
                      std::vector<std::string>& names);
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
// The parameters that a configuration must give, in one line: "{roots: [v]}".
std::string ShortestParameters(std::string_view kernel);
std::vector<SinkSpec> ReadSinks(const Section& root, const SourceConfig& source,
                                const std::vector<JobSpec>& jobs);
std::vector<ExportSpec> ReadExports(const Section& root);
// `config`: its jobs and sinks have been read.
std::vector<AlertSpec> ReadAlerts(const Section& root, const Config& config);
// `names`: of the alerts before, to which its name is added. The jobs of `config` are valid.
AlertSpec ReadAlert(const Section& alert, const Config& config, std::vector<std::string>& names);
void PrintAlert(YamlPrinter& out, int depth, const AlertSpec& alert);
HttpConfig ReadHttp(const Section& root);
void PrintHttp(YamlPrinter& out, int depth, const HttpConfig& config);
bool SameHttp(const HttpConfig& a, const HttpConfig& b);

}  // namespace sash
