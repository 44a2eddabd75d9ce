// The members of a result's JSON that do not list rows.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/run_result.h"

namespace sash {

// The members that results and diffs have of their window: empty, final, past (if it is true), gap,
// accepted (if it is known), edges, vertices. Identities are read from files: what is part of them
// comes before `edges`, or is `cut`.
void WriteWindowCounts(const Provenance& from, JsonText& json, bool is_past = false);

// {topic: {partition: offset}}: how far each partition had been read.
void WriteCut(const std::map<TopicPartition, std::int64_t>& cut, JsonText& json);

// What a result was made from: window, snapshot, times, counts, offsets.
void WriteProvenance(const Provenance& from, JsonText& json, bool is_past = false);

// The parameters of the job. A parameter that belongs to another one is left out if that one is not
// set.
void WriteParameters(const JobParameters& parameters, JsonText& json);

// What a result was compared with: an object, or null and the reason.
void WriteBaseline(const ResultBaseline& baseline, JsonText& json);

// The members of a row that compare it with the baseline.
void WriteComparison(const ComparedRow& row, JsonText& json);

// One member for each figure. `of_run`: those of the run; else those of its content.
void WriteFigures(const std::vector<ResultFigure>& figures, bool of_run, JsonText& json);

}  // namespace sash
