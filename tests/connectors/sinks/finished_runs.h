// Finished runs as input for sinks: real jobs on real windows.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/run_job.h"
#include "windows/store/csr_graph.h"

namespace sash::testing {

struct NamedEdge {
  VertexKey source;
  VertexKey target;
  Weight weight;
  std::string type{};
};

inline EventTime At(std::int64_t seconds) { return EventTime(std::chrono::seconds(seconds)); }

inline constexpr std::int64_t kNewYear2026 = 1'767'225'600;

class FinishedRuns {
 public:
  explicit FinishedRuns(KeyKind kind = KeyKind::kString) : keys_(kind) {}

  const VertexDictionary& keys() const { return keys_; }

  // An advance of window "last-5m" that ends at `end`, with these edges.
  std::shared_ptr<Advance> MakeAdvance(const std::vector<NamedEdge>& edges, EventTime end) {
    struct Row {
      std::pair<VertexId, VertexId> ends;
      Weight weight;
      TypeNumber type = kNoType;
    };
    std::vector<Row> rows;
    {
      VertexDictionary::Writer writer(keys_);
      for (const NamedEdge& edge : edges) {
        const VertexId source = Intern(writer, edge.source);
        rows.push_back({{source, Intern(writer, edge.target)},
                        edge.weight,
                        keys_.types().Intern(edge.type).value_or(kNoType)});
      }
    }
    std::ranges::stable_sort(rows, {}, &Row::ends);
    EdgeList list;
    list.weights = WeightColumn(rows.size(), WeightColumn::Kind::kMixed);
    list.types = TypeColumn(rows.size(), TypeWidth::kOne);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      list.sources.push_back(rows[i].ends.first);
      list.targets.push_back(rows[i].ends.second);
      list.weights.Set(i, rows[i].weight);
      list.types.Set(i, rows[i].type);
    }
    auto graph = std::make_shared<const CsrGraph>(list, static_cast<VertexId>(keys_.size()));
    auto advance = std::make_shared<Advance>();
    Provenance& from = advance->provenance;
    from.window = "last-5m";
    from.snapshot = SnapshotId{17};
    from.window_start = end - std::chrono::minutes(5);
    from.window_end = end;
    from.empty = edges.empty();
    from.edges = graph->edge_count();
    from.vertices = graph->vertices().size();
    advance->view = std::move(graph);
    advance->seconds = 0.0031;
    return advance;
  }

  CompletedRun Run(const JobSpec& job, const AdvancePtr& advance,
                   const AdvancePtr& previous = nullptr) const {
    const SystemClock clock;
    const CompletedRun before{nullptr, nullptr, previous};
    return *RunJob(job, advance, keys_, clock, {}, previous ? &before : nullptr, false,
                   CountedPlaces(*advance));
  }

  static JobSpec Job(std::string name, JobParameters parameters, std::size_t top = 50) {
    JobSpec job;
    job.name = std::move(name);
    job.window = "last-5m";
    job.parameters = std::move(parameters);
    job.top = top;
    return job;
  }

 private:
  // The answer to an external job: the vertices in the order of keys score 1, 2, ...; or
  // two rows of the first two of them.
  static AnswerSource CountedPlaces(const Advance& advance) {
    return [&advance](const KernelProgress&) -> std::optional<ExternalAnswer> {
      ExternalAnswer answer;
      for (std::uint64_t i = 0; i < advance.provenance.vertices; ++i) {
        answer.scores.push_back(static_cast<double>(i + 1));
        answer.sets.push_back(static_cast<std::uint32_t>(i));
      }
      if (answer.scores.size() > 1) answer.rows = {.pairs = {{0, 1}, {1, 0}}, .scores = {-1, 2.5}};
      return answer;
    };
  }

  static VertexId Intern(VertexDictionary::Writer& writer, const VertexKey& key) {
    const auto* text = std::get_if<std::string>(&key);
    return text != nullptr ? writer.Intern(*text) : writer.Intern(std::get<std::int64_t>(key));
  }

  VertexDictionary keys_;
};

}  // namespace sash::testing
