#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polyprof {

// The heap of the module: first fit, free blocks in the order of their addresses. A third of the size of emscripten's smallest, since it
// has no more than the core needs: few blocks, which are large, grow by doubling and mostly last. A block grows in place where it
// can, at the heap's end always: the JSON of a trace may take nearly all of the memory. Not for several threads at once.
class Heap {
 public:
  // Adds so many bytes or more after `end`: their number, 0 if there are none. nullptr as `end`: the first ones.
  using Grow = size_t (*)(size_t bytes);

  // begin: aligned as blocks are. The state before the first call is all zero but for these two.
  constexpr Heap(std::byte* begin, Grow grow) : begin_(begin), grow_(grow) {}

  // nullptr: there is no memory. Aligned to two words.
  void* allocate(size_t bytes) {
    const size_t wanted = block_bytes(bytes);
    if (wanted == 0) return nullptr;
    for (;;) {
      for (Block** link = &free_; *link != nullptr; link = &(*link)->next) {
        if ((*link)->bytes >= wanted) return taken(link, wanted) + 1;
      }
      if (!extend(wanted)) return nullptr;
    }
  }

  // address: from allocate() or resize(), or nullptr.
  void release(void* address) {
    if (address != nullptr) insert(static_cast<Block*>(address) - 1);
  }

  // As realloc: the block with its content, perhaps elsewhere; nullptr, with the block as before, when there is no memory.
  void* resize(void* address, size_t bytes) {
    if (address == nullptr) return allocate(bytes);
    const size_t wanted = block_bytes(bytes);
    if (wanted == 0) return nullptr;
    auto* block = static_cast<Block*>(address) - 1;
    while (block->bytes < wanted) {
      const size_t missing = wanted - block->bytes;
      Block** link = &free_;
      while (*link != nullptr && *link < block) link = &(*link)->next;
      const bool has_room = *link != nullptr && *link == after(block);
      if (has_room && (*link)->bytes >= missing) {
        block->bytes += taken(link, missing)->bytes;
        return address;
      }
      const auto* end = reinterpret_cast<const std::byte*>(has_room ? after(*link) : after(block));
      if (end != begin_ + bytes_ || !extend(missing)) break;
    }
    if (block->bytes >= wanted) return address;
    void* moved = allocate(bytes);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, address, block->bytes - sizeof(Block));
    insert(block);
    return moved;
  }

 private:
  struct Block {
    size_t bytes;  // with this head
    Block* next;   // of a free one
  };

  static Block* after(Block* block) {
    return reinterpret_cast<Block*>(reinterpret_cast<std::byte*>(block) + block->bytes);
  }

  // 0: more than there can be.
  static size_t block_bytes(size_t bytes) {
    return bytes > SIZE_MAX / 2 ? 0 : (bytes + 2 * sizeof(Block) - 1) & ~(sizeof(Block) - 1);
  }

  // The free block, out of the list; what is more than wanted stays there.
  static Block* taken(Block** link, size_t wanted) {
    Block* block = *link;
    if (block->bytes - wanted < sizeof(Block)) {
      *link = block->next;
      return block;
    }
    const size_t rest = block->bytes - wanted;
    Block* next = block->next;
    block->bytes = wanted;
    *link = after(block);
    **link = {rest, next};
    return block;
  }

  // Into the list, joined with its neighbours.
  void insert(Block* block) {
    Block* before = nullptr;
    Block* next = free_;
    while (next != nullptr && next < block) {
      before = next;
      next = next->next;
    }
    if (after(block) == next) {
      block->bytes += next->bytes;
      next = next->next;
    }
    block->next = next;
    if (before == nullptr) {
      free_ = block;
    } else if (after(before) == block) {
      before->bytes += block->bytes;
      before->next = next;
    } else {
      before->next = block;
    }
  }

  // So that a block of that size is at the heap's end.
  bool extend(size_t wanted) {
    Block* last = free_;
    while (last != nullptr && last->next != nullptr) last = last->next;
    auto* end = reinterpret_cast<Block*>(begin_ + bytes_);
    if (last != nullptr && after(last) == end) wanted -= last->bytes;
    const size_t grown = grow_(wanted);
    if (grown == 0) return false;
    bytes_ += grown;
    end->bytes = grown;
    insert(end);
    return true;
  }

  std::byte* begin_;
  Grow grow_;
  size_t bytes_ = 0;
  Block* free_ = nullptr;
};

}  // namespace polyprof
