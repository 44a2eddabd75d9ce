// Why a result has no answer, or not the whole one: what its member `error` says.
//
// Thread safety: pure functions.
//
// Invariants
//   (1) A number of a result is finite, or the result has an error that says how many are not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "windows/jobs/run_result.h"

namespace sash {

// Empty: nothing is wrong with it.
std::string ErrorOf(const KernelOutput& output);

// "3 edges weigh more than a double can hold", with `one` and `many` as subject and verb.
std::string OverflowText(std::uint64_t count, std::string_view one, std::string_view many);

// Of edges whose weights are too large, with what is missing for it.
std::string OverflowedEdgesText(std::uint64_t edges, std::string_view consequence);

}  // namespace sash
