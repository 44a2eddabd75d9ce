// Splits the target of a request ("/api/v1/windows/w/vertices/a%2Fb?limit=5") into path and query.
//
// Splitting comes before decoding, so that an encoded slash stays inside its segment. Decoding is
// strict: a "%" without two hexadecimal digits, and text that is not UTF-8, are errors. A "+" in
// the query is a space, as HTML forms and most libraries write it; in the path it is a plus sign.
//
// Thread safety: pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"

namespace sash {

struct RequestTarget {
  std::vector<std::string> path;
  std::map<std::string, std::string> query;  // a name given twice is an error
};

// Origin form ("/path?query") or absolute form ("http://host/path?query").
Result<RequestTarget> ParseTarget(std::string_view target);

}  // namespace sash
