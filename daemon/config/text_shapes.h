// Text shapes that keys of several sections share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/value_shape.h"

namespace sash {

inline constexpr auto kNothing = Text::Bare::kNothing;
inline constexpr auto kAnything = Text::Bare::kAnything;

inline constexpr std::string_view kPathPattern = R"(^(?!-$)[\s\S]*[^/]$)";

// Pattern of host:port; `zero` is the pattern part that allows port 0: "0+|" or "".
std::string AddressPattern(std::string_view zero);
std::string BrokersPattern();
std::string ListenPattern();

// RFC 3339, or milliseconds since 1970: what ParsePointInTime() reads.
std::vector<Shape> InstantShapes();

inline const Text kName{R"(^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$)", kAnything,
                        "1 to 100 of A-Z a-z 0-9 _ . -"};
inline const Text kTopic{R"(^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,249}$)", kAnything, "a topic name"};
inline const Text kFile{std::string(kPathPattern), kAnything, "the path of a file"};
inline const Text kFolder{std::string(kPathPattern), kAnything, "the path of a folder"};
inline const Text kAnyText{"", kAnything, "any text but the empty one"};

}  // namespace sash
