// The sanitizers of this build, as 0 or 1. GCC and Clang have different macros for them.
#pragma once

#if defined(__has_feature)
#define SASH_CLANG_HAS(feature) __has_feature(feature)
#else
#define SASH_CLANG_HAS(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || SASH_CLANG_HAS(address_sanitizer)
#define SASH_ADDRESS_SANITIZER 1
#else
#define SASH_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || SASH_CLANG_HAS(thread_sanitizer)
#define SASH_THREAD_SANITIZER 1
#else
#define SASH_THREAD_SANITIZER 0
#endif

namespace sash {

inline constexpr bool kSanitized = SASH_ADDRESS_SANITIZER || SASH_THREAD_SANITIZER;

}  // namespace sash
