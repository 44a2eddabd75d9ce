// NameWords: what the name of a field says about its content. A name is split into words
// (nameOrig: name, orig; srcaddr: src, addr), and the words are looked up.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"

namespace sash {

// Each number is a score: the higher it is, the more clearly the name says it. 0: it does not.
struct NameWords {
  std::vector<std::string> words{};  // in lower case
  std::string stem{};                // the words that name no side: equal for src_ip and dst_ip
  int source = 0;
  int target = 0;
  std::string thing{};  // a word for a thing with ids of its own: user, movie; may be empty
  int side = 0;         // 1 or 2, if a word is that number: Person1Id
  int entity = 0;       // a vertex: ip, account, id
  int row = 0;          // the record itself: transaction_id
  int quantity = 0;     // a property, not a vertex: port, status
  int weight = 0;       // less than 0: hardly a weight
  int time = 0;         // less than 0: a time of something else
  bool operation = false;
  Duration step{};  // the time that a number counts: step, hour; 0: it does not say

  // Whether a name with such words may be the name of a column.
  bool IsKnown() const {
    return source > 0 || target > 0 || weight > 0 || time > 0 || entity > 0 || row > 0 ||
           quantity > 0 || operation || step != Duration();
  }
};

NameWords WordsOf(std::string_view name);
// The words of a JSON pointer, whose last part counts most.
NameWords WordsOfPointer(std::string_view pointer);

}  // namespace sash
