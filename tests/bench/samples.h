// Samples: the values of the repetitions of one measurement.
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
  // The least value that at least `percent` of all values do not exceed; for the median of an even
  // number of values, the mean of the two middle ones.
  double Percentile(double percent) const;
  // (greatest - least) / median.
  double Spread() const;

 private:
  std::vector<double> values_;
};

// For each repetition the ratio of `over` to `under`. Repetitions of the two alternate, so a
// temporary slowdown of the machine affects both.
Samples Ratios(const Samples& over, const Samples& under);

}  // namespace sash::bench
