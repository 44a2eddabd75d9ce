#include "connectors/sinks/json_pieces.h"

#include <algorithm>
#include <utility>

namespace sash {

void JsonPieces::Add(std::string text) {
  if (!text.empty()) parts_.push_back({.text = std::move(text)});
}

void JsonPieces::AddList(std::size_t rows, WriteRow write, TextAfter after) {
  parts_.push_back(
      {.text = {}, .rows = rows, .write = std::move(write), .after = std::move(after)});
}

void JsonPieces::AddLast(LastText last) { parts_.push_back({.last = std::move(last)}); }

bool JsonPieces::Append(std::string& to, std::size_t bytes) {
  const std::size_t begin = to.size();
  const auto made = [&] { return to.size() - begin; };
  while (!parts_.empty() && made() < bytes) {
    Part& part = parts_.front();
    const std::size_t before = to.size();
    if (part.write) {
      const std::size_t left = most_bytes_ - std::min(most_bytes_, made_);
      const std::size_t room = std::min(left, bytes - made());
      JsonText rows;
      if (part.written > 0 && part.written < part.rows && room > 0) to += ',';
      for (; part.written < part.rows && rows.text().size() < room; ++part.written) {
        part.write(part.written, rows);
      }
      to += rows.text();
      lost_numbers_ += rows.lost_numbers();
      made_ += to.size() - before;
      if (part.written < part.rows && made_ < most_bytes_) continue;
      if (part.after) to += part.after(part.written);
    } else {
      to += part.last ? part.last(lost_numbers_) : part.text;
      made_ += to.size() - before;
    }
    parts_.pop_front();
  }
  return !parts_.empty();
}

std::string JsonPieces::Take() && {
  std::string text;
  while (Append(text)) {
  }
  return text;
}

}  // namespace sash
