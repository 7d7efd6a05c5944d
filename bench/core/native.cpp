#include <benchmark/benchmark.h>

#include "bench/core/loops.h"

namespace {

template <uint32_t (*loop)()>
void stacks(benchmark::State& state) {
  const auto frames =
      prepare_stacks(static_cast<uint32_t>(state.range(0)), static_cast<uint32_t>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(loop());
  state.SetItemsProcessed(state.iterations() * frames);
}

void stack_text(benchmark::State& state) {
  const auto bytes = prepare_text(static_cast<uint32_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(parse_text());
  state.SetBytesProcessed(state.iterations() * bytes);
}

const std::vector<std::vector<int64_t>> kStacks = {{20, 50, 200}, {0, 90, 99}};

}  // namespace

BENCHMARK(stacks<intern_stacks>)->Name("trie")->ArgsProduct(kStacks);
BENCHMARK(stacks<intern_stacks_in_map>)->Name("unordered_map")->ArgsProduct(kStacks);
BENCHMARK(stack_text)->Name("text")->Arg(20)->Arg(50)->Arg(200);
BENCHMARK_MAIN();
