#include "daemon/config/key_table.h"

#include <algorithm>
#include <string>

#include "daemon/config/config.h"

namespace sash {
namespace {

constexpr auto kOptional = Presence::kOptional;
constexpr auto kRequired = Presence::kRequired;
constexpr auto kLive = Change::kLive;
constexpr auto kNothing = Text::Bare::kNothing;
constexpr auto kAnything = Text::Bare::kAnything;

constexpr std::string_view kNamePattern = R"(^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$)";
constexpr std::string_view kTopicPattern = R"(^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,249}$)";
constexpr std::string_view kPathPattern = R"(^(?!-$)[\s\S]*[^/]$)";
constexpr std::string_view kPointerPattern = R"(^(/([^~]|~[01])*)?$)";
constexpr std::string_view kDelimiterPattern =
    R"(^([\u0001-\u0009\u000b\u000c\u000e-!#-\u007f]|tab)$)";
constexpr std::string_view kInstantPattern =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
    "([Zz]|[+-][0-9]{2}:[0-9]{2})$";

std::string AddressPattern(std::string_view least_port) {
  return R"((\[[0-9A-Fa-f:.]+(%[^\]]*)?\]|[A-Za-z0-9._-]+):)" + std::string(least_port);
}

std::string PortPattern(std::string_view zero) {
  return "(" + std::string(zero) +
         "0*(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})"
         ")";
}

std::string BrokersPattern() {
  const std::string broker = " *" + AddressPattern(PortPattern("")) + " *";
  return "^(embedded|" + broker + "(," + broker + ")*)$";
}

std::string ListenPattern() { return "^" + AddressPattern(PortPattern("0+|")) + "$"; }

const Text kName{std::string(kNamePattern), kAnything, "1 to 100 of A-Z a-z 0-9 _ . -"};
const Text kTopic{std::string(kTopicPattern), kAnything, "a topic name"};
const Text kFile{std::string(kPathPattern), kAnything, "the path of a file"};
const Text kPointer{std::string(kPointerPattern), kNothing, "a JSON pointer such as /from"};
const Text kToken{R"(^[!-~]{16,256}$)", kNothing, "16 to 256 visible characters"};
const Text kAnyText{"", kAnything, "any text but the empty one"};
const Text kColumnName{"", Text::Bare::kTruth, "a column by name"};
const WholeNumber kColumnNumber{1, 1'000'000};
const WholeNumber kIterations{1, 1'000'000};
const Words kDirections{{"out", "in", "both"}};

std::vector<SectionSpec> SourceSections() {
  const std::vector<Shape> column = {kColumnName, kColumnNumber};
  return {
      {"source",
       {{"kafka", {SectionShape{"source.kafka"}}, "Topics of Apache Kafka"},
        {"replay", {SectionShape{"source.replay"}}, "A file, for tests, tools and history"},
        {"format",
         {SectionShape{"source.format"}},
         "How a record maps to an edge: exactly one of json and csv",
         kRequired},
        {"time", {SectionShape{"source.time"}}, "How time is understood"},
        {"dead_letters",
         {SectionShape{"source.dead_letters"}},
         "Records that could not be used: to a file, one JSON object a line, and to a topic"}},
       {"kafka", "replay"}},
      {"source.kafka",
       {{"brokers",
         {Text{BrokersPattern(), kNothing, "embedded or host:port,host:port"}},
         "Addresses to start from, separated by commas; `embedded` starts a broker inside the "
         "process, for trials"},
        {"topics", {Items{kTopic, true}}, "Topics to read, each once", kRequired},
        {"group", {kAnyText}, "The consumer group under which offsets are stored"},
        {"start",
         {Words{{"committed", "earliest", "latest"}}, SectionShape{"source.kafka.start"}},
         "Where reading begins"},
        {"stall_after",
         {TimeSpan{.zero = false}},
         "When a partition has brought nothing for so long although it has more, reading starts "
         "again there, and /readyz says so"},
        {"decode_threads",
         {WholeNumber{1, 64}, Words{{"auto"}}},
         "How many threads decode records; auto: a quarter of the cores, from 1 to 8"},
        {"options",
         {FreeMapping{FreeMapping::Kind::kOptions}},
         "Options of librdkafka, passed on as they are"}},
       {}},
      {"source.kafka.start",
       {{"timestamp",
         {Text{std::string(kInstantPattern), kNothing, "a time such as 2026-01-01T00:00:00Z"},
          WholeNumber{0, std::numeric_limits<std::int64_t>::max() / 1'000'000}},
         "At the first record not before it: RFC 3339, or milliseconds since 1970"},
        {"explicit",
         {FreeMapping{FreeMapping::Kind::kOffsets}},
         "At these offsets, {topic: {partition: offset}}, at the earliest elsewhere"}},
       {"timestamp", "explicit"}},
      {"source.replay",
       {{"path", {kAnyText}, "The path of the file; \"-\" is standard input", kRequired},
        {"pace",
         {Words{{"full", "event_time"}}},
         "As fast as possible, or as fast as the events happened"},
        {"refuse_at_most",
         {Text{R"(^(100(\.0{1,4})?|0?[0-9]{1,2}(\.[0-9]{1,4})?) ?%$)", kNothing,
               "a percentage such as 50%"}},
         "When more of the records are refused, the process ends with code 1; late ones do not "
         "count"}},
       {}},
      {"source.format",
       {{"json",
         {SectionShape{"source.format.json"}},
         "Fields of a JSON object, as JSON pointers (RFC 6901)"},
        {"csv",
         {SectionShape{"source.format.csv"}},
         "Columns of CSV (RFC 4180), all by name (the first row is the header) or all by number "
         "from 1 (there is none)"},
        {"keys", {Words{{"string", "integer"}}}, "Whether vertex keys are text or 64-bit integers"},
        {"tombstone",
         {Words{{"ignore", "remove", "dead_letter"}}},
         "What a record without a value does: nothing, remove the edge that its key names, or go "
         "to dead letters"}},
       {"json", "csv"}},
      {"source.format.json",
       {{"source", {kPointer}, "Where the source vertex is", kRequired},
        {"target", {kPointer}, "Where the target vertex is", kRequired},
        {"weight", {kPointer}, "Where the weight is; without it every edge weighs 1"},
        {"time", {kPointer}, "Where the event time is"},
        {"operation",
         {kPointer},
         "Where add, remove or remove_vertex is; without it every event is an add"}},
       {}},
      {"source.format.csv",
       {{"source", column, "The column of the source vertex", kRequired},
        {"target", column, "The column of the target vertex", kRequired},
        {"weight", column, "The column of the weight; without it every edge weighs 1"},
        {"time", column, "The column of the event time"},
        {"operation", column,
         "The column of add, remove or remove_vertex; without it every event is an add"},
        {"delimiter",
         {Text{std::string(kDelimiterPattern), kNothing,
               "one ASCII character other than a quote or a line break, or the word tab"},
          WholeNumber{0, 9}},
         "What separates fields"},
        {"multiline",
         {Flag{}},
         "Of a file: whether mapped columns may hold line breaks, and quoted fields lines that are "
         "rows by themselves; if not, a stray quote costs one row"}},
       {}},
      {"source.time",
       {{"from",
         {Words{{"field", "kafka", "clock"}}},
         "Where event time comes from; without this key: field when the format maps a time, else "
         "kafka, or clock in a replay"},
        {"unit",
         {Words{{"s", "ms", "us", "ns", "rfc3339"}}},
         "The unit of the field that is mapped as time, counted from 1970"},
        {"disorder",
         {TimeSpan{}},
         "How far events of a partition may be out of order before they are late"},
        {"idle_after",
         {TimeSpan{.zero = false}},
         "Silence after which a partition that is read to its end no longer holds the watermark"},
        {"on_silence",
         {Words{{"hold", "clock"}}},
         "When all partitions are idle: the watermark holds, or follows the clock"},
        {"ahead_limit",
         {TimeSpan{}, Words{{"auto"}}},
         "Events further ahead of the wall clock, in a replay of the events around them, go to "
         "dead "
         "letters; auto: the shortest slide of event time, disorder or 1m, the greatest of them"},
        {"late", {Words{{"drop", "dead_letter", "next_slice"}}}, "What happens to late events"},
        {"max_drift",
         {TimeSpan{.zero = false}},
         "Partitions that are further ahead of the slowest one in event time are paused"}},
       {}},
      {"source.dead_letters",
       {{"path", {kFile}, "The file, which nothing else here uses"},
        {"limit", {ByteSize{4096}}, "At this size the older half is dropped"},
        {"topic",
         {kTopic},
         "A topic to which each record goes as well, as it came, with headers that say why"},
        {"brokers",
         {Text{BrokersPattern(), kNothing, "host:port,host:port"}},
         "Addresses to start from, separated by commas; those of the source when it is Kafka"},
        {"outbox",
         {SectionShape{"source.dead_letters.outbox"}},
         "Where letters wait on disk until brokers have them"},
        {"options",
         {FreeMapping{FreeMapping::Kind::kOptions}},
         "Options of librdkafka's producer, passed on as they are"}},
       {}},
      {"source.dead_letters.outbox",
       {{"path",
         {Text{std::string(kPathPattern), kAnything, "the path of a folder"}},
         "The folder"},
        {"limit",
         {ByteSize{1 << 20}},
         "How much may wait; at the limit letters are lost to the topic, and counted"}},
       {}},
  };
}

std::vector<SectionSpec> WindowSections() {
  return {
      {"windows[]",
       {{"name", {kName}, "Unique among windows; part of URLs and metric labels", kRequired, kLive},
        {"by",
         {Words{{"event_time", "processing_time", "events"}}},
         "What length and slide count: event time, the time of arrival, or accepted edge events"},
        {"length",
         {Extent{.forever = true}},
         "A multiple of slide; equal to it for a tumbling window; `forever` for one that nothing "
         "leaves",
         kRequired,
         kLive},
        {"slide",
         {Extent{}},
         "The window advances by this much; a running one takes multiples of the pane",
         kRequired,
         kLive},
        {"duplicates",
         {Words{{"keep", "drop", "weigh"}}},
         "Edges with the same source and target: all of them, the newest, or one with the sum of "
         "the weights",
         kOptional,
         kLive},
        {"implementation",
         {Words{{"multiversioned", "rebuild"}}},
         "How it is kept; results are the same. An advance costs what enters and leaves, or the "
         "whole window",
         kOptional,
         kLive},
        {"empty_windows",
         {Words{{"once", "skip"}}},
         "Whether a silence gives one empty result or none",
         kOptional,
         kLive}},
       {}},
  };
}

void AddKernelsWithoutParameters(std::vector<SectionSpec>& sections) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const std::string_view kernel : kKernels) {
      all.push_back("jobs[].parameters<" + std::string(kernel) + ">");
    }
    return all;
  }();
  for (const std::string& name : names) {
    if (std::ranges::find(sections, name, &SectionSpec::section) == sections.end()) {
      sections.push_back({name, {}, {}});
    }
  }
}

std::vector<SectionSpec> JobSections() {
  const KeySpec roots = {
      "roots", {Items{kAnyText, true}}, "Where it starts: keys of vertices", kRequired, kLive};
  const KeySpec direction = {
      "direction", {kDirections}, "Along out-edges, in-edges or both", kOptional, kLive};
  const KeySpec check_every = {"check_every",
                               {WholeNumber{0, 1'000'000}},
                               "Warm runs after which one is held against a full run; 0: never",
                               kOptional,
                               kLive};
  std::vector<SectionSpec> sections = {
      {"jobs[]",
       {{"name", {kName}, "Unique among jobs; part of URLs and metric labels", kRequired, kLive},
        {"kernel",
         {Words{{kKernels.begin(), kKernels.end()}}},
         "What it computes",
         kRequired,
         kLive},
        {"window", {kName}, "The name of the window it runs on", kRequired, kLive},
        {"parameters", {KernelParameters{}}, "What the kernel is told"},
        {"every",
         {WholeNumber{1, std::numeric_limits<std::uint32_t>::max()}},
         "Runs when window end / slide is a multiple of this",
         kOptional,
         kLive},
        {"threads",
         {WholeNumber{1, 1024}, Words{{"all"}}},
         "How many threads a run takes; all: the cores of the machine",
         kOptional,
         kLive},
        {"deadline",
         {TimeSpan{.zero = false}, Words{{"none"}}},
         "A run that takes longer is cancelled",
         kOptional,
         kLive},
        {"overrun",
         {Words{{"skip"}}, SectionShape{"jobs[].overrun"}},
         "When the job is busy at an advance: the newest window waits and displaces what waited, "
         "or up to n windows wait and then the stream",
         kOptional,
         kLive},
        {"top",
         {WholeNumber{1, 1'000'000}},
         "How many vertices (sets, edges) a result lists",
         kOptional,
         kLive},
        {"keep_results",
         {WholeNumber{1, 100'000}},
         "How many results are kept in memory for the API",
         kOptional,
         kLive}},
       {}},
      {"jobs[].parameters<pagerank>",
       {{"damping",
         {RealNumber{RealNumber::Range::kFromZeroToBelowOne}},
         "The share of rank that follows edges",
         kOptional,
         kLive},
        {"tolerance",
         {RealNumber{RealNumber::Range::kFromZero}},
         "Stops when one iteration changes the ranks by at most this in sum",
         kOptional,
         kLive},
        {"max_iterations", {kIterations}, "Stops after so many iterations", kOptional, kLive},
        {"warm_start",
         {Flag{}},
         "Starts from the ranks of the job's result before, which saves iterations where windows "
         "overlap; where little has changed, reads no more than that. Keeps some 4 bytes an edge",
         kOptional,
         kLive},
        check_every,
        {"weighted",
         {Flag{}},
         "Shares a vertex' rank by the weights of its out-edges instead of in equal parts",
         kOptional,
         kLive},
        {"sources",
         {Items{kAnyText, true}, Words{{"all"}}},
         "Keys of the vertices to which the rank goes that follows no edge, or all",
         kOptional,
         kLive}},
       {}},
      {"jobs[].parameters<bfs>",
       {roots,
        {"separate",
         {Flag{}},
         "One traversal for each root instead of one from all together",
         kOptional,
         kLive},
        direction,
        {"parents",
         {Flag{}},
         "Tells of each vertex that is listed a neighbour one step nearer",
         kOptional,
         kLive},
        {"warm_start",
         {Flag{}},
         "Starts from the depths of the job's result before where little has changed since: reads "
         "what that brings about, and finds the same",
         kOptional,
         kLive},
        check_every},
       {}},
      {"jobs[].parameters<sssp>",
       {roots,
        direction,
        {"delta",
         {RealNumber{RealNumber::Range::kAboveZero}, Words{{"auto"}}},
         "How far apart the vertices may be that are settled together, in units of weight: it "
         "changes how long a run takes, not the distances",
         kOptional,
         kLive}},
       {}},
      {"jobs[].parameters<cdlp>",
       {{"max_iterations",
         {kIterations},
         "It ends earlier when no label changes any more",
         kOptional,
         kLive}},
       {}},
      {"jobs[].parameters<degree>", {direction}, {}},
      {"jobs[].parameters<fanout>", {direction}, {}},
      {"jobs[].overrun",
       {{"queue", {WholeNumber{1, 1'000'000}}, "How many advances may wait", kRequired, kLive}},
       {}},
  };
  AddKernelsWithoutParameters(sections);
  return sections;
}

std::vector<SectionSpec> ProcessSections() {
  return {
      {"",
       {{"source",
         {SectionShape{"source"}},
         "Where edges come from: exactly one of kafka and replay",
         kRequired},
        {"include",
         {Items{Text{"", kAnything, "the path of a file"}}},
         "Further files of this configuration, relative to this one, as if what they hold stood at "
         "its end"},
        {"windows", {Items{SectionShape{"windows[]"}, true}}, "At least one window", kRequired},
        {"jobs", {Items{SectionShape{"jobs[]"}}}, "What runs on the windows"},
        {"sinks", {Items{SectionShape{"sinks[]"}}}, "Where results go"},
        {"http", {SectionShape{"http"}, Words{{"off", "false"}}}, "The HTTP API"},
        {"log", {SectionShape{"log"}}, "The log, on standard error"},
        {"memory", {SectionShape{"memory"}}, "How much memory the process may use"},
        {"recovery",
         {Words{{"replay", "checkpoint"}}},
         "How windows are there again after a restart: read again from the topic, or from a "
         "checkpoint on disk"},
        {"state", {SectionShape{"state"}}, "Where checkpoints are kept, and how often"},
        {"shutdown_deadline",
         {TimeSpan{.zero = false}},
         "How long a stop may take before what is left is abandoned",
         kOptional,
         kLive}},
       {}},
      {"sinks[]",
       {{"file", {SectionShape{"sinks[].file"}}, "One JSON object a line"},
        {"terminal", {SectionShape{"sinks[].terminal"}}, "One readable line for each advance"},
        {"kafka",
         {SectionShape{"sinks[].kafka"}},
         "One message a result, under a key by which a replay overwrites itself, or in "
         "transactions"}},
       {"file", "terminal", "kafka"}},
      {"sinks[].file",
       {{"path", {kFile}, "The file, which nothing else here uses", kRequired},
        {"jobs", {Items{kAnyText, true}, Words{{"all"}}}, "Names of jobs, or all"},
        {"vertices", {Words{{"top", "all"}}}, "The top of each result, or every vertex"},
        {"content",
         {Words{{"results", "diffs"}}},
         "Whole results, or what differs from the one before"},
        {"checksum", {Flag{}}, "Whether each line ends with the checksum of what is before"}},
       {}},
      {"sinks[].terminal", {}, {}},
      {"sinks[].kafka",
       {{"brokers",
         {Text{BrokersPattern(), kNothing, "host:port,host:port"}},
         "Addresses to start from, separated by commas; those of the source when it is Kafka"},
        {"topic", {kTopic}, "The topic, which nothing else here reads or writes", kRequired},
        {"jobs", {Items{kAnyText, true}, Words{{"all"}}}, "Names of jobs, or all"},
        {"vertices", {Words{{"top", "all"}}}, "The top of each result, or every vertex"},
        {"content",
         {Words{{"results", "diffs"}}},
         "Whole results, or what differs from the one before"},
        {"transactional",
         {Flag{}},
         "Whether readers of what is committed see each result once, and an advance whole or not"},
        {"transactional_id",
         {kAnyText},
         "Under which name; whoever takes it last sends. sash-, the group and the topic, unless "
         "given"},
        {"outbox",
         {SectionShape{"sinks[].kafka.outbox"}},
         "Where results wait on disk until brokers have them"},
        {"options",
         {FreeMapping{FreeMapping::Kind::kOptions}},
         "Options of librdkafka's producer, passed on as they are"}},
       {}},
      {"sinks[].kafka.outbox",
       {{"path",
         {Text{std::string(kPathPattern), kAnything, "the path of a folder"}},
         "The folder"},
        {"limit",
         {ByteSize{1 << 20}},
         "How much may wait; at the limit nothing more is committed"}},
       {}},
      {"http",
       {{"listen",
         {Text{ListenPattern(), kNothing, "host:port, such as 127.0.0.1:9640"},
          Words{{"off", "false"}}},
         "An address and a port (0 takes a free one), or off; beyond this machine only with tls "
         "and tokens"},
        {"tls", {SectionShape{"http.tls"}}, "Encrypts the API"},
        {"tokens",
         {SectionShape{"http.tokens"}},
         "What a client has to show: Authorization: Bearer <token>"},
        {"metrics_listen",
         {Text{ListenPattern(), kNothing, "host:port, such as 0.0.0.0:9641"},
          Words{{"off", "false"}}},
         "Another address, where /metrics, /healthz and /readyz are open to everybody, or off"},
        {"connections_per_address",
         {WholeNumber{1, 1'000'000}},
         "How many connections without a right token are open to one address; beyond it the one "
         "that "
         "has waited longest is closed"}},
       {}},
      {"http.tls",
       {{"certificate",
         {kAnyText},
         "A PEM file: the certificate, then those that vouch for it",
         kRequired},
        {"key", {kAnyText}, "A PEM file: the private key", kRequired}},
       {}},
      {"http.tokens",
       {{"read", {kToken}, "For everything that changes nothing", kRequired},
        {"admin", {kToken}, "For everything", kRequired}},
       {}},
      {"log",
       {{"format", {Words{{"text", "json"}}}, "Lines for people or JSON objects"},
        {"level",
         {Words{{"trace", "debug", "info", "warn", "error"}}},
         "The least severity that is written",
         kOptional,
         kLive},
        {"rate_limit",
         {SectionShape{"log.rate_limit"}},
         "How many lines of one kind of event are written"}},
       {}},
      {"log.rate_limit",
       {{"burst", {WholeNumber{1, LogRate::kMostBurst}}, "Lines at once", kOptional, kLive},
        {"every",
         {TimeSpan{.zero = false}},
         "After them one line each; the others are counted",
         kOptional,
         kLive}},
       {}},
      {"memory",
       {{"limit",
         {ByteSize{MemoryConfig::kLeastLimit}, Words{{"auto", "none"}}},
         "auto: 80 % of what the surroundings allow; none: no limit"},
        {"spill",
         {Text{std::string(kPathPattern), kAnything, "the path of a folder"}},
         "Where a file is made that the edges of windows lie in, so that they may be more than "
         "memory; on graphs with hubs jobs are much slower (83 times in two thirds of the "
         "memory)"}},
       {}},
      {"state",
       {{"path",
         {Text{std::string(kPathPattern), kAnything, "the path of a folder"}},
         "The folder, which no other process uses"},
        {"interval", {TimeSpan{.zero = false}}, "From one checkpoint to the next"},
        {"mapping_changed",
         {Words{{"refuse", "rebuild"}}},
         "What becomes of a checkpoint whose edges were made in another way: the start is refused, "
         "or "
         "windows are read again"}},
       {}},
  };
}

std::vector<SectionSpec> AllSections() {
  std::vector<SectionSpec> all;
  for (auto part : {ProcessSections(), SourceSections(), WindowSections(), JobSections()}) {
    for (SectionSpec& section : part) all.push_back(std::move(section));
  }
  return all;
}

}  // namespace

const std::vector<SectionSpec>& KeyTable() {
  static const std::vector<SectionSpec> table = AllSections();
  return table;
}

}  // namespace sash
