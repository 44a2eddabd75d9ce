#include "tests/daemon/config/random_jobs.h"

#include <iterator>
#include <string>
#include <variant>

#include "daemon/config/parse_item.h"

namespace sash {

std::vector<VertexKey> RandomJobs::Roots(const Config& config) {
  std::vector<VertexKey> roots;
  for (std::uint64_t i = 0; i < 1 + random_.Number(3); ++i) {
    if (config.source.format.keys == KeyKind::kInteger) {
      roots.emplace_back(static_cast<std::int64_t>(random_.Bits() * 0x9e3779b97f4a7c15u));
    } else {
      roots.emplace_back(random_.Text());
    }
  }
  return roots;
}

TraversalDirection RandomJobs::Direction() {
  return random_.Pick(TraversalDirection::kOut, TraversalDirection::kIn, TraversalDirection::kBoth);
}

PageRankParameters RandomJobs::PageRank(const Config& config, double share) {
  PageRankParameters drawn{share, share * 1e-9, static_cast<int>(1 + random_.Number(1000)),
                           random_.Coin(), static_cast<int>(random_.Number(1000))};
  if (drawn.warm_start) return drawn;  // only for ranks without a bias
  drawn.weighted = random_.Coin();
  if (random_.Coin()) drawn.sources = Roots(config);
  drawn.direction = Direction();
  return drawn;
}

PluginParameters RandomJobs::Plugin(double share) {
  PluginParameters drawn;
  drawn.file = random_.Coin() ? "./score.so" : "/usr/lib/sash/it's.so";
  drawn.isolate = random_.Coin();
  if (random_.Coin()) drawn.given.push_back({"share", share});
  if (random_.Coin()) {
    drawn.given.push_back({"whole", static_cast<std::int64_t>(random_.Number(100)) - 50});
  }
  if (random_.Coin()) drawn.given.push_back({"is_on", random_.Coin()});
  if (random_.Coin()) {
    drawn.given.push_back({"word", random_.Coin() ? "true" : random_.Coin() ? "12" : "a: b"});
  }
  return drawn;
}

JobParameters RandomJobs::Parameters(const Config& config) {
  const double share = static_cast<double>(random_.Number(1000)) / 1001.0;
  const JobParameters drawn[] = {
      PageRank(config, share),
      HitsParameters{random_.Pick(HitsRanking::kAuthorities, HitsRanking::kHubs), share * 1e-9,
                     static_cast<int>(1 + random_.Number(1000)), random_.Coin()},
      BfsParameters{Roots(config), Direction(), random_.Coin(), random_.Coin(), random_.Coin(),
                    static_cast<int>(random_.Number(1000))},
      ShapeParameters{},
      WccParameters{},
      SccParameters{},
      SsspParameters{Roots(config), Direction(), share * 1e3},
      TrianglesParameters{},
      LccParameters{},
      CdlpParameters{static_cast<int>(1 + random_.Number(1000))},
      KcoreParameters{},
      DegreeParameters{Direction()},
      StrengthParameters{random_.Pick(StrengthDirection::kOut, StrengthDirection::kIn,
                                      StrengthDirection::kBoth, StrengthDirection::kNet)},
      FanoutParameters{Direction()},
      ReciprocityParameters{},
      NewEdgesParameters{},
      VanishedEdgesParameters{},
      CyclesParameters{static_cast<int>(2 + random_.Number(9)), share * 1e3,
                       random_.Coin() ? Roots(config) : std::vector<VertexKey>(),
                       false,  // it needs a window with `retain`: job_errors_test.cc
                       static_cast<int>(1 + random_.Number(1000))},
      PathsParameters{Roots(config), Roots(config),
                      random_.Pick(PathMeasure::kHops, PathMeasure::kWeight), Direction(),
                      static_cast<int>(1 + random_.Number(100))},
      EdgeFeaturesParameters{static_cast<int>(2 + random_.Number(9)),
                             static_cast<int>(1 + random_.Number(50)),
                             static_cast<int>(1 + random_.Number(1000))},
      ExternalParameters{random_.Pick(ExternalAnswers::kSets, ExternalAnswers::kRows)},
      Plugin(share)};
  static_assert(std::size(drawn) == std::variant_size_v<JobParameters>);
  return drawn[random_.Number(std::size(drawn))];
}

JobSpec RandomJobs::Job(const Config& config, std::uint64_t index) {
  JobSpec job;
  job.name = "j_" + std::to_string(index);
  job.window = config.windows[random_.Number(config.windows.size())].name;
  job.parameters = Parameters(config);
  job.every = static_cast<std::uint32_t>(1 + random_.Number(100));
  job.threads = static_cast<int>(random_.Number(1025));
  if (WhyWithoutSnapshots(job, config.exports)) job.parameters = WccParameters();
  if (IsExternal(job.parameters) || random_.Coin()) job.deadline = random_.Time();
  job.overrun.queue = random_.Number(5);
  if (HasScores(job.parameters) && random_.Coin()) {
    job.baseline = BaselineSpec{.results = static_cast<std::uint32_t>(1 + random_.Number(1000))};
    job.order = random_.Pick(ListOrder::kScore, ListOrder::kSurprise);
  }
  job.top = 1 + random_.Number(1'000'000);
  job.keep_results = 1000 + random_.Number(99'000);
  if (HasVectors(job.parameters)) job.keep_vectors = random_.Number(1001);
  return job;
}

}  // namespace sash
