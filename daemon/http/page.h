// Pages of lists: which part of a list is asked for, and where the next part is.
//
// Every list is paged in the same way: `limit` and a place to begin; an answer with more behind it
// has a header Link: <...>; rel="next" (RFC 8288), which asks for the next page.
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

  // How far the page reaches into a list of `size`.
  std::size_t begin(std::size_t size) const { return offset < size ? offset : size; }
  std::size_t end(std::size_t size) const {
    return limit < size - begin(size) ? offset + limit : size;
  }
  // An empty page has no next one, or clients would follow it for ever.
  bool has_next(std::size_t size) const { return limit > 0 && end(size) < size; }
};

struct PageLimits {
  std::uint64_t usual = 0;
  std::uint64_t greatest = 0;
};

// ?limit= and ?offset=. An error is for the client.
Result<Page> RequestedPage(const HttpRequest& request, PageLimits limits);

// A part of what a job has of each snapshot, newest first. It moves while windows do, so a page
// begins at a snapshot and not at a place in the list.
struct SnapshotPage {
  std::size_t limit = 0;
  std::optional<SnapshotId> before;  // of snapshots before this one only
};

// How many rows of a list are told, unless the request says otherwise.
inline constexpr std::size_t kUsualRows = 20;

// ?top=, how many rows of each list are wanted; nothing: it is not there. An error is for the
// client.
Result<std::optional<std::uint64_t>> RequestedTop(const HttpRequest& request);

// ?limit= and ?before=. An error is for the client.
Result<SnapshotPage> RequestedSnapshots(const HttpRequest& request);

// The snapshot that the path names. An error is for the client.
Result<SnapshotId> NamedSnapshot(const HttpRequest& request);

// Lets `response` point to the next page: the same request with parameter `name` at `value`.
void LinkNext(HttpResponse& response, const HttpRequest& request, const std::string& name,
              std::uint64_t value);

}  // namespace sash
