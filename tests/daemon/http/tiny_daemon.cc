#include "tests/daemon/http/tiny_daemon.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "daemon/http/api_routes.h"

namespace sash {
namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000;

std::vector<WindowSpec> Windows(Duration retain) {
  return {{.name = "now",
           .length = 10 * kOneSecond,
           .slide = 10 * kOneSecond,
           .retain = retain.count(),
           .live = true},
          {.name = "sums",
           .length = 10 * kOneSecond,
           .slide = 5 * kOneSecond,
           .duplicates = DuplicatesPolicy::kWeigh,
           .implementation = StoreKind::kRebuild}};
}

std::vector<JobSpec> Jobs(const std::vector<VertexKey>& roots,
                          const std::vector<JobParameters>& more) {
  const auto job = [](std::string_view name, JobParameters parameters) {
    JobSpec spec;
    spec.name = name;
    spec.window = "now";
    spec.parameters = std::move(parameters);
    spec.overrun.queue = 8;
    if (IsExternal(spec.parameters)) spec.deadline = std::chrono::seconds(60);
    return spec;
  };
  std::vector<JobSpec> jobs = {job("ranks", PageRankParameters()),
                               job("reach", BfsParameters{.roots = roots}),
                               job("split", BfsParameters{.roots = roots, .separate = true}),
                               job("shape", ShapeParameters())};
  for (const JobParameters& parameters : more) {
    jobs.push_back(
        job(std::visit([](const auto& p) { return p.kKernel; }, parameters), parameters));
  }
  return jobs;
}

TimePolicy Policy() {
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  return policy;
}

// The part of a result that identifies it. Tests of the sinks check whole results.
JsonPieces ResultText(const CompletedRun& run, const Listing& listing) {
  nlohmann::ordered_json json = {{"job", run.result->job},
                                 {"snapshot", run.result->provenance.snapshot.value},
                                 {"whole", run.whole != nullptr},
                                 {"top", nullptr}};
  if (listing.top) json["top"] = *listing.top;
  JsonPieces pieces;
  pieces.Add(json.dump());
  return pieces;
}

}  // namespace

TinyDaemon::TinyDaemon(KeyKind kind, std::vector<VertexKey> roots,
                       const std::vector<JobParameters>& more, Duration retain)
    : keys(kind),
      jobs(Jobs(roots, more)),
      history(jobs),
      events("e",
             [](const EventFeed::ResultPtr& result, std::size_t) {
               return ResultText({result, nullptr, nullptr}, {}).Take();
             }),
      tap(kind, clock),
      scheduler(
          jobs, keys, clock, history, *this, true,
          [](const std::string&, const JobParameters&) { return false; }, 1, &desk),
      engine(Windows(retain), Policy(),
             {.keys = keys,
              .partitions = partitions,
              .clock = clock,
              .refusals = *this,
              .stats = stats,
              .progress = progress,
              .listener = *this}),
      partition_(partitions.Index("interactions", 0)) {
  batch_.start = StreamStart{{partition_}, {}};
  scheduler.Start();
}

void TinyDaemon::OnAdvance(AdvancePtr advance) {
  if (on_advance) on_advance(advance);
  events.Add("advance", AdvanceText(*advance));
  scheduler.Submit(std::move(advance));
}

TinyDaemon::~TinyDaemon() { scheduler.Stop(); }

KeyRef TinyDaemon::Store(const VertexKey& key) {
  if (const auto* integer = std::get_if<std::int64_t>(&key)) return KeyRef::Integer(*integer);
  return KeyRef::Text(batch_.Store(std::get<std::string>(key)));
}

void TinyDaemon::Add(const VertexKey& source, const VertexKey& target, double seconds,
                     Weight weight) {
  EdgeEvent event;
  event.time = kStart + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  event.offset = offset_++;
  event.source = Store(source);
  event.target = Store(target);
  event.weight = weight;
  event.partition = partition_;
  batch_.Add(event);
}

void TinyDaemon::Process() {
  EventBatch batch;
  std::swap(batch, batch_);
  tap.Pass(&batch);
  engine.Process(batch);
  scheduler.Drain();
}

void TinyDaemon::EndSource() {
  batch_.end_of_source = true;
  Process();
}

ApiSurroundings TinyDaemon::surroundings() {
  return {.engine = engine,
          .jobs = scheduler,
          .history = history,
          .keys = keys,
          .events = events,
          .tap = tap,
          .version = "1.2.3",
          .source = [this] { return source_status; },
          .not_ready = [this] { return not_ready; },
          .metrics = [] { return std::string("sash_build_info 1\n"); },
          .result = ResultText,
          .work = &desk,
          .waiters = &waiters};
}

}  // namespace sash
