#include "connectors/export/parquet/parquet_text.h"

#include <fmt/format.h>

#include <string_view>

#include "connectors/export/snapshot_members.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/result_members.h"

namespace sash {
namespace {

void WriteJobs(const std::vector<JobSpec>& jobs, JsonText& json) {
  json.Key("jobs").BeginArray();
  for (const JobSpec& job : jobs) {
    json.BeginObject().Key("name").Text(job.name).Key("kernel").Text(KernelOf(job.parameters));
    json.Key("every").Unsigned(job.every).Key("top").Unsigned(job.top);
    WriteParameters(job.parameters, json.Key("parameters").BeginObject());
    json.EndObject().EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string ParquetSnapshotText(const SnapshotTask& task, const std::vector<WrittenTable>& tables) {
  const WindowOutline& outline = task.outline;
  JsonText json;
  json.BeginObject().Key("parquet").Integer(kParquetFormat);
  WriteProvenance(task.advance.provenance, json);
  WritePolicy(task.context.policy, json);
  WriteMoment(task.now(), json);
  json.Key("keys").BeginObject().Key("kind");
  json.Text(outline.kind == KeyKind::kInteger ? "integer" : "string");
  json.Key("count").Unsigned(outline.vertices()).EndObject();
  json.Key("weights").Text(outline.has_reals ? "float64" : "int64");
  json.Key("types").Bool(outline.has_types());
  WriteJobs(task.context.jobs, json);
  json.Key("files").BeginObject();
  for (const WrittenTable& table : tables) {
    json.Key(table.name).BeginObject().Key("rows").Unsigned(table.rows);
    json.Key("bytes").Unsigned(table.bytes);
    json.Key("crc32c").Text(fmt::format("{:08x}", table.checksum)).EndObject();
  }
  json.EndObject().EndObject();
  return std::move(json).Take() + "\n";
}

}  // namespace sash
