#include "tests/bench/kept_engine.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/event_slides.h"
#include "windows/base/check.h"

namespace sash::bench {
namespace {

// A checkpoint with edges of a topic that the source does not name is not used.
SourceConfig NamedSource() {
  KafkaSpec kafka;
  kafka.topics = {kTopic};
  SourceConfig source;
  source.connector = std::move(kafka);
  return source;
}

}  // namespace

StateFolder::StateFolder()
    : path_((std::filesystem::temp_directory_path() / "sash-bench-XXXXXX").string()) {
  SASH_CHECK(::mkdtemp(path_.data()) != nullptr);
}

StateFolder::~StateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

KeptEngine::KeptEngine(int slides, std::string path)
    : path_(std::move(path)), slides_(slides), source_(NamedSource()) {}

KeptEngine::~KeptEngine() {
  if (checkpoints_) checkpoints_->Stop();
}

Status KeptEngine::Begin() {
  const std::vector<WindowSpec> windows = {WindowOf(slides_, kSlide)};
  std::function<void(ClosedSlice)> on_slice;
  if (!path_.empty()) {
    Result<std::unique_ptr<Recovery>> opened =
        Checkpoints::Open({.kind = RecoveryConfig::Kind::kCheckpoint, .path = path_},
                          {.keys = parts_.keys,
                           .partitions = parts_.partitions,
                           .clock = clock_,
                           .log = log_,
                           .commit = [](const RewindPoint&) {},
                           .committed = [] { return std::vector<RewindPosition>{}; },
                           .make_durable = [] { return Ok{}; },
                           .source = source_});
    if (!opened) return opened.error();
    checkpoints_ = std::move(opened).value();
    on_slice = [this](ClosedSlice slice) { checkpoints_->Add(std::move(slice)); };
  }
  const auto on_advance = [this](AdvancePtr advance) {
    newest_ = std::move(advance);
    if (!checkpoints_) return;
    checkpoints_->BeforeAdvance();
    checkpoints_->Delivered(newest_->number, newest_->rewind);  // there is no sink
  };
  engine_ = std::make_unique<WindowEngine>(windows, InOrder(),
                                           parts_.Around(on_advance, std::move(on_slice)));
  if (checkpoints_) {
    if (Status recovered = checkpoints_->Recover(*engine_, windows); !recovered) return recovered;
  }
  Round(EventSlides::Begin(parts_.partitions));
  return Ok{};
}

void KeptEngine::Round(EventBatch batch) {
  if (checkpoints_) return checkpoints_->Round(std::move(batch));
  engine_->Process(batch);
}

bool KeptEngine::AwaitCheckpoints(std::uint64_t count) const {
  for (;;) {
    const CheckpointCounts now = counts();
    if (now.failures > 0) return false;
    if (now.checkpoints >= count && now.waiting_slices == 0) return true;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

void KeptEngine::Finish() {
  checkpoints_->Stop();
  checkpoints_->Finish();
}

}  // namespace sash::bench
