// CallDetached: calls a function of librdkafka that may return long after its timeout, or never
// (2.0.2). The call has a thread of its own, which no other thread waits for.
//
// Thread safety: any thread may call it.
#pragma once

#include <future>
#include <thread>
#include <type_traits>
#include <utility>

namespace sash {

// The future has the function's result. Its destructor does not wait. The function goes on when
// nothing waits for it any more, so it owns what it uses.
template <typename Function>
std::future<std::invoke_result_t<Function&>> CallDetached(Function function) {
  std::packaged_task<std::invoke_result_t<Function&>()> call(std::move(function));
  std::future<std::invoke_result_t<Function&>> result = call.get_future();
  std::thread(std::move(call)).detach();
  return result;
}

}  // namespace sash
