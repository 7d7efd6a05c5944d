#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/function_table.h"

namespace polyprof {

// One frame of an Error.stack text. The views are into that text.
struct TextFrame {
  enum class Kind {
    kScript,         // name, url and position are there
    kNoScript,       // a built-in, WebAssembly, or code from eval: nothing that has a place in a script
    kAsyncBoundary,  // this frame and those after it wait for a promise: they are not on the stack
    kUnparsed,
  };
  Kind kind;
  std::string_view name;  // as the engine decorates it
  std::string_view url;
  Position position;  // of the call; in V8, of the function's first character
};

// Walks the text of Error.stack as SpiderMonkey and JSC write it, without copying: lines of "name@url:line:column". What V8 has is
// put into the same words in JavaScript (polyfill/capture/stack_text.js).
class StackText {
 public:
  explicit StackText(std::string_view text) : rest_(text) {}

  // False at the end of the text.
  bool next(TextFrame& frame);

 private:
  std::string_view next_line();

  std::string_view rest_;
};

// The function's name without what engines add: receiver ("Object.f"), "new ", " [as g]", SpiderMonkey's "outer/f<", JSC's
// "global code".
std::string_view clean_name(std::string_view decorated);

}  // namespace polyprof
