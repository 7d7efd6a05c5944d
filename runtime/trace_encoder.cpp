#include "runtime/trace_encoder.h"

#include <cmath>

#include "runtime/json_writer.h"
#include "runtime/shadow_stack.h"

namespace polyprof {

namespace {

// The name of ShadowStack::kGap.
constexpr std::string_view kGapName = "(unknown callers)";

// In place of the ids of all functions that no table knows: nothing tells their frames apart but the script.
constexpr uint32_t kUnknownFunction = 1;

class Encoder {
 public:
  Encoder(const TraceTables& tables, Counters& counters, ByteSink out)
      : tables_(tables), counters_(counters), json_(out) {}

  Status encode(const Session& session, const TickSchedule& schedule) {
    const Column<Sample>& samples = session.buffer().samples();
    if (!shown_.resize(tables_.stacks.size(), {})) return Status::kOutOfMemory;
    for (const Sample& sample : samples) {
      if (!sample.stack.is_none() && !need(sample.stack)) return Status::kOutOfMemory;
    }
    write_resources();
    write_frames();
    write_stacks();
    write_samples(samples, schedule, session.plan());
    return json_.finish() ? Status::kOk : Status::kOutOfMemory;
  }

 private:
  // Puts the stack into the trace, its callers before it, and what they consist of.
  bool need(StackId stack) {
    path_.truncate(0);
    StackId caller;
    for (StackId id = stack; !id.is_none() && caller.is_none(); id = tables_.stacks.parent(id)) {
      caller = shown_[id.value()];
      if (caller.is_none() && !path_.push(id)) return false;
    }
    for (uint32_t i = path_.size(); i-- > 0;) {
      Frame frame = resolved(tables_.frames.frame(tables_.stacks.frame(path_[i])));
      if (!frame.resource.is_none()) {
        frame.resource = resources_.intern(tables_.strings.text(frame.resource));
        if (frame.resource.is_none()) return false;
      }
      const FrameId id = frames_.intern(frame);
      if (id.is_none()) return false;
      caller = stacks_.intern(caller, id);
      if (caller.is_none()) return false;
      shown_[path_[i].value()] = caller;
    }
    return true;
  }

  void write_resources() {
    json_.raw(R"({"resources":[)");
    write_all(resources_.size(), [this](uint32_t i) { json_.string(resources_.text(ResourceId(i))); });
  }

  void write_frames() {
    json_.raw(R"(],"frames":[)");
    write_all(frames_.size(), [this](uint32_t i) {
      const Frame& frame = frames_.frame(FrameId(i));
      json_.raw(R"({"name":)");
      json_.string(frame.has_function_id() ? name_of_unknown(frame) : tables_.strings.text(frame.name));
      if (!frame.resource.is_none()) member(R"(,"resourceId":)", frame.resource.value());
      if (!frame.has_function_id()) {
        if (frame.line > 0) member(R"(,"line":)", frame.line);
        if (frame.column > 0) member(R"(,"column":)", frame.column);
      }
      json_.raw("}");
    });
  }

  // What is known of the frame's function by now. Still with an id when no table knows it.
  [[nodiscard]] Frame resolved(const Frame& frame) const {
    if (!frame.has_function_id() || frame.function_id() == ShadowStack::kGap) return frame;
    const auto [script, function] = tables_.scripts.find_function(frame.function_id());
    if (function != nullptr)
      return {function->name, script->url, function->definition.line, function->definition.column};
    Frame unknown = Frame::of_function(kUnknownFunction);
    if (script != nullptr) unknown.resource = script->url;
    return unknown;
  }

  std::string_view name_of_unknown(const Frame& frame) {
    if (frame.function_id() == ShadowStack::kGap) return kGapName;
    count(counters_.fallback_frames);
    return {};
  }

  void write_stacks() {
    json_.raw(R"(],"stacks":[)");
    write_all(stacks_.size(), [this](uint32_t i) {
      member(R"({"frameId":)", stacks_.frame(StackId(i)).value());
      const StackId parent = stacks_.parent(StackId(i));
      if (!parent.is_none()) member(R"(,"parentId":)", parent.value());
      json_.raw("}");
    });
  }

  void write_samples(const Column<Sample>& samples, const TickSchedule& schedule, const SamplePlan& plan) {
    json_.raw(R"(],"samples":[)");
    bool is_first = true;
    for (const Sample& sample : samples) {
      const uint64_t first = plan.count(sample.first_tick);
      for (uint32_t i = 0; i < sample.weight; ++i) {
        // One that was forced is beside the plan.
        const double time_ms = schedule.time_ms(i == 0 ? sample.first_tick : plan.tick(first + i));
        json_.raw(is_first ? R"({"timestamp":)" : R"(,{"timestamp":)");
        is_first = false;
        json_.milliseconds(std::llround(time_ms * 1000));
        if (!sample.stack.is_none()) {
          member(R"(,"stackId":)", shown_[sample.stack.value()].value());
          if (tables_.has_markers) json_.raw(R"(,"marker":"script")");
        }
        json_.raw("}");
      }
    }
    json_.raw("]}");
  }

  template <class Write>
  void write_all(uint32_t rows, Write write) {
    for (uint32_t i = 0; i < rows; ++i) {
      if (i > 0) json_.raw(",");
      write(i);
    }
  }

  void member(std::string_view name, uint32_t value) {
    json_.raw(name);
    json_.number(value);
  }

  const TraceTables& tables_;
  Counters& counters_;
  JsonWriter json_;
  // Of the trace, by their numbers there. Functions that were known by different ids, as those of a script that was loaded twice, may be
  // one frame.
  StringTable resources_;
  FrameTable frames_;
  StackTrie stacks_;
  Column<StackId> shown_;  // by stack of the page: its number in the trace
  Column<StackId> path_;
};

}  // namespace

Status encode_trace(Session& session, const TickSchedule& schedule, const TraceTables& tables,
                    Counters& counters, ByteSink out) {
  session.sort_samples();
  return Encoder(tables, counters, out).encode(session, schedule);
}

}  // namespace polyprof
