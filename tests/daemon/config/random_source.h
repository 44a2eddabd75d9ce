// RandomSource: random valid sources of a configuration.
//
// Thread safety: belongs to one thread.
#pragma once

#include "daemon/config/config.h"
#include "tests/daemon/config/random_values.h"

namespace sash {

class RandomSource {
 public:
  explicit RandomSource(RandomValues& random) : random_(random) {}

  KafkaSpec Kafka();
  void MakeFormat(FormatSpec& format, bool replay);
  void MakeTime(TimePolicy& time);
  // Only for a configuration in which all windows are by event time.
  void ReadSlicesInstead(Config& config);

 private:
  CsvColumn Column(bool number);
  template <typename Field>
  KeyParts<Field> Parts(const Field& more, KeyKind keys);
  template <typename Mapping>
  void MakeTexts(Mapping& mapping);
  JsonMapping Json(const FormatSpec& format, bool replay, bool time);
  CsvMapping Csv(const FormatSpec& format, bool replay, bool time);
  void MakeTimeText(FormatSpec& format);

  RandomValues& random_;
};

}  // namespace sash
