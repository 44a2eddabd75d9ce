#include "daemon/pipeline/shard_config.h"

#include <algorithm>
#include <filesystem>

#include "windows/slide/window_spec.h"

namespace sash {

std::string PathOfShard(const std::string& path, const StreamShard& shard) {
  const std::filesystem::path whole(path);
  std::filesystem::path name = whole.stem();
  name += ".shard-" + shard.ToString();
  name += whole.extension();
  return (whole.parent_path() / name).string();
}

void ReduceToShard(Config& config) {
  const StreamShard* const shard = config.source.shard();
  if (shard == nullptr) return;
  config.alone = SlicesAlone{.pane = Duration(PaneOf(config.windows, WindowAxis::kEventTime)),
                             .filters = FiltersOf(config.windows)};
  config.windows.clear();
  config.jobs.clear();
  config.plugins.clear();
  config.sinks.clear();
  config.alerts.clear();
  std::erase_if(config.exports, [](const ExportSpec& each) { return !each.slices; });
  config.source.time.dedupe_within = Duration::zero();
  config.recovery = RecoveryConfig();
  config.memory.spill.clear();
  DeadLetterSpec& letters = config.source.dead_letters;
  letters.path = PathOfShard(letters.path, *shard);
  if (letters.kafka) letters.kafka->outbox.path = PathOfShard(letters.kafka->outbox.path, *shard);
}

}  // namespace sash
