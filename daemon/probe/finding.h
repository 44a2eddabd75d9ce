// Finding: one finding of a probe, as a line for a person.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace sash {

enum class Grade : std::uint8_t { kOk, kWarning, kError };

struct Finding {
  Grade grade = Grade::kOk;
  std::string where;   // a key of the configuration: "source.kafka.brokers"
  std::string what;    // never holds a secret
  std::string remedy;  // empty: there is none

  // "warning  http.tls.certificate: CN=x expires in 3 days; have it renewed"
  std::string ToString() const;
};

// Passes findings on as they are made, and counts the errors.
//
// Thread safety: none.
class Findings {
 public:
  explicit Findings(std::function<void(const Finding&)> tell) : tell_(std::move(tell)) {}

  void Add(Finding finding) {
    if (finding.grade == Grade::kError) ++errors_;
    tell_(finding);
  }
  void Ok(std::string where, std::string what) {
    Add({.grade = Grade::kOk, .where = std::move(where), .what = std::move(what), .remedy = {}});
  }
  void Warn(std::string where, std::string what, std::string remedy) {
    Add({Grade::kWarning, std::move(where), std::move(what), std::move(remedy)});
  }
  void Fail(std::string where, std::string what, std::string remedy) {
    Add({Grade::kError, std::move(where), std::move(what), std::move(remedy)});
  }

  std::size_t errors() const { return errors_; }

 private:
  const std::function<void(const Finding&)> tell_;
  std::size_t errors_ = 0;
};

}  // namespace sash
