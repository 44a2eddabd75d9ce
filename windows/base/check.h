// SASH_CHECK: a programming error ends the process, in release builds too: a wrong answer is worse
// than none.
//
// Thread safety: any thread may use it.
#pragma once

#include <cstdio>
#include <cstdlib>

#define SASH_CHECK(condition)                                                            \
  do {                                                                                   \
    if (!(condition)) [[unlikely]] {                                                     \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)
