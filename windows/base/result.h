// Error, Status and Result<T>: how a function says that it failed, and why.
//
// Thread safety: values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "windows/base/check.h"

namespace sash {

// What the caller can do about a failure. Add a code only when some caller must branch on it;
// everything else belongs in the message.
enum class ErrorCode { kInvalidArgument, kNotFound, kUnavailable, kCorruption, kOverloaded };

constexpr std::string_view Name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kCorruption:
      return "corruption";
    case ErrorCode::kOverloaded:
      return "overloaded";
  }
  return "unknown";
}

struct [[nodiscard]] Error {
  ErrorCode code;
  std::string message;  // "<what was attempted>: <why it failed>"

  std::string ToString() const { return std::string(Name(code)) + ": " + message; }

  // Adds the outer operation in front of the message and keeps the code.
  Error Within(std::string_view what) && { return {code, std::string(what) + ": " + message}; }
};

// Either a T or an Error. Cheap to move, never silently dropped.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    SASH_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    SASH_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    SASH_CHECK(ok());
    return std::move(*std::get_if<0>(&state_));
  }

  const Error& error() const& {
    SASH_CHECK(!ok());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    SASH_CHECK(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

// Result<> of an operation that returns nothing.
struct Ok {};
using Status = Result<Ok>;

}  // namespace sash
