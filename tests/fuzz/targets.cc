#include "tests/fuzz/targets.h"

#include <array>

namespace sash::fuzz {

std::span<const Target> Targets() {
  static constexpr std::array kTargets = {
      Target{"decode_record", DecodeRecord},
      Target{"expand_stream", ExpandStream},
      Target{"http_requests", HttpRequests},
      Target{"judge_expression", JudgeExpression},
      Target{"map_record", MapRecord},
      Target{"parse_configuration", ParseConfiguration},
      Target{"read_avro", ReadAvro},
      Target{"read_checkpoint", ReadCheckpoint, true},
      Target{"read_letter", ReadLetter},
      Target{"read_parquet", ReadParquet},
      Target{"registry_answers", RegistryAnswers},
      Target{"replay_journal", ReplayJournal, true},
      Target{"split_rows", SplitRows},
  };
  return kTargets;
}

}  // namespace sash::fuzz
