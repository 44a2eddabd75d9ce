// Pages of lists: the requested part of a list, and the link to the next part.
//
// All lists are paged in the same way: `limit` and a start. If there is more, the answer has a
// header Link: <...>; rel="next" (RFC 8288) with the request for the next page.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "daemon/http/http_message.h"
#include "windows/base/ids.h"
#include "windows/base/result.h"

namespace sash {

struct Page {
  std::size_t offset = 0;
  std::size_t limit = 0;

  // The bounds of the page in a list of `size`.
  std::size_t begin(std::size_t size) const { return offset < size ? offset : size; }
  std::size_t end(std::size_t size) const {
    return limit < size - begin(size) ? offset + limit : size;
  }
  // An empty page has no next page; otherwise clients would follow the links for ever.
  bool has_next(std::size_t size) const { return limit > 0 && end(size) < size; }
};

struct PageLimits {
  std::uint64_t usual = 0;
  std::uint64_t greatest = 0;
};

// ?limit= and ?offset=. An error is for the client.
Result<Page> RequestedPage(const HttpRequest& request, PageLimits limits);

// The number of rows of a list, unless the request sets it.
inline constexpr std::size_t kUsualRows = 20;

// A page of the results of a job, newest first. The list moves as windows advance, so a page begins
// at a snapshot and not at an offset.
struct SnapshotPage {
  std::size_t limit = 0;
  std::optional<SnapshotId> before;  // only snapshots before this one
  std::size_t top = kUsualRows;      // rows of each list
};

// ?top=, the number of rows of each list; nothing if it is not given. An error is for the client.
Result<std::optional<std::uint64_t>> RequestedTop(const HttpRequest& request);

// ?limit=, ?before= and ?top=. An error is for the client.
Result<SnapshotPage> RequestedSnapshots(const HttpRequest& request);

// The snapshot that the path names. An error is for the client.
Result<SnapshotId> NamedSnapshot(const HttpRequest& request);

// Links `response` to the next page: the same request with parameter `name` set to `value`.
void LinkNext(HttpResponse& response, const HttpRequest& request, const std::string& name,
              std::uint64_t value);
void LinkNext(HttpResponse& response, const HttpRequest& request, const std::string& name,
              const std::string& value);

}  // namespace sash
