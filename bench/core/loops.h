#pragma once

#include <cstddef>
#include <cstdint>

// The core's hot loops, and plain alternatives to them, for Google Benchmark natively and for the same code in wasm. Each prepares a
// workload once and then goes through it; what it returns keeps the compiler from leaving it out.
extern "C" {

// Stacks of so many frames, of which so many per cent have been there before. Returns how many frames one round interns.
uint32_t prepare_stacks(uint32_t depth, uint32_t hit_percent);
uint32_t intern_stacks();         // StackTrie
uint32_t intern_stacks_in_map();  // std::unordered_map from (parent, frame)

// Bytes of the trie's rows, with its hash table, per stack of the last round.
double bytes_per_node();
uint32_t bytes_per_sample();

// A text of Error.stack as V8 writes it. Returns its length.
uint32_t prepare_text(uint32_t depth);
uint32_t parse_text();
}
