// Samples: what repetitions of one measurement came to.
//
// Thread safety: a value.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sash::bench {

class Samples {
 public:
  Samples() = default;
  explicit Samples(std::vector<double> values) : values_(std::move(values)) {}

  void Add(double value) { values_.push_back(value); }
  std::size_t size() const { return values_.size(); }
  const std::vector<double>& values() const { return values_; }

  // All of these need at least one value.
  double Mean() const;
  double Median() const { return Percentile(50); }
  double Least() const;
  double Greatest() const;
  // The least value that at least `percent` of all values do not exceed; between the two middle
  // ones for the median of an even number.
  double Percentile(double percent) const;
  // (greatest - least) / median.
  double Spread() const;

 private:
  std::vector<double> values_;
};

// The ratio of each repetition of `over` to the same repetition of `under`. Repetitions of the two
// alternate, so what slows the machine for a while slows both.
Samples Ratios(const Samples& over, const Samples& under);

}  // namespace sash::bench
