#include "runtime/trace_encoder.h"

#include <cmath>

#include "runtime/json_writer.h"
#include "runtime/shadow_stack.h"

namespace polyprof {

namespace {

// New numbers for those rows of a table that are needed, in the order of need.
class Renumbering {
 public:
  // The row's new number; UINT32_MAX when there is no memory.
  uint32_t number(uint32_t row) {
    if (row >= numbers_.size() && !numbers_.resize(row + 1, kNone)) return kNone;
    if (numbers_[row] == kNone && rows_.push(row)) numbers_[row] = rows_.size() - 1;
    return numbers_[row];
  }

  [[nodiscard]] bool has(uint32_t row) const { return row < numbers_.size() && numbers_[row] != kNone; }
  [[nodiscard]] uint32_t at(uint32_t row) const { return numbers_[row]; }
  [[nodiscard]] const Column<uint32_t>& rows() const { return rows_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  Column<uint32_t> numbers_;  // by row
  Column<uint32_t> rows_;     // by number
};

// The name of ShadowStack::kGap.
constexpr std::string_view kGapName = "(unknown callers)";

class Encoder {
 public:
  Encoder(const TraceTables& tables, Counters& counters, ByteSink out)
      : tables_(tables), counters_(counters), json_(out) {}

  Status encode(const Session& session, const TickSchedule& schedule) {
    const Column<Sample>& samples = session.buffer().samples();
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
  // Numbers the stack, its callers before it, and what they consist of.
  bool need(StackId stack) {
    path_.truncate(0);
    for (StackId id = stack; !id.is_none() && !stacks_.has(id.value()); id = tables_.stacks.parent(id)) {
      if (!path_.push(id)) return false;
    }
    for (uint32_t i = path_.size(); i-- > 0;) {
      const FrameId frame = tables_.stacks.frame(path_[i]);
      const ResourceId resource = resolved(tables_.frames.frame(frame)).resource;
      if (stacks_.number(path_[i].value()) == UINT32_MAX || frames_.number(frame.value()) == UINT32_MAX ||
          (!resource.is_none() && resources_.number(resource.value()) == UINT32_MAX)) {
        return false;
      }
    }
    return true;
  }

  void write_resources() {
    json_.raw(R"({"resources":[)");
    write_all(resources_, [this](uint32_t row) { json_.string(tables_.strings.text(ResourceId(row))); });
  }

  void write_frames() {
    json_.raw(R"(],"frames":[)");
    write_all(frames_, [this](uint32_t row) {
      const Frame frame = resolved(tables_.frames.frame(FrameId(row)));
      json_.raw(R"({"name":)");
      json_.string(frame.has_function_id() ? name_of_unknown(frame) : tables_.strings.text(frame.name));
      if (!frame.resource.is_none()) member(R"(,"resourceId":)", resources_.at(frame.resource.value()));
      if (frame.has_function_id()) {
        json_.raw("}");
        return;
      }
      if (frame.line > 0) member(R"(,"line":)", frame.line);
      if (frame.column > 0) member(R"(,"column":)", frame.column);
      json_.raw("}");
    });
  }

  // What is known of the frame's function by now. Still with its id when no table knows it.
  [[nodiscard]] Frame resolved(const Frame& frame) const {
    if (!frame.has_function_id()) return frame;
    const auto [script, function] = tables_.scripts.find_function(frame.function_id());
    if (function != nullptr)
      return {function->name, script->url, function->start.line, function->start.column};
    Frame unknown = frame;
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
    write_all(stacks_, [this](uint32_t row) {
      member(R"({"frameId":)", frames_.at(tables_.stacks.frame(StackId(row)).value()));
      const StackId parent = tables_.stacks.parent(StackId(row));
      if (!parent.is_none()) member(R"(,"parentId":)", stacks_.at(parent.value()));
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
          member(R"(,"stackId":)", stacks_.at(sample.stack.value()));
          if (tables_.has_markers) json_.raw(R"(,"marker":"script")");
        }
        json_.raw("}");
      }
    }
    json_.raw("]}");
  }

  template <class Write>
  void write_all(const Renumbering& rows, Write write) {
    for (uint32_t i = 0; i < rows.rows().size(); ++i) {
      if (i > 0) json_.raw(",");
      write(rows.rows()[i]);
    }
  }

  void member(std::string_view name, uint32_t value) {
    json_.raw(name);
    json_.number(value);
  }

  const TraceTables& tables_;
  Counters& counters_;
  JsonWriter json_;
  Renumbering resources_;
  Renumbering frames_;
  Renumbering stacks_;
  Column<StackId> path_;
};

}  // namespace

Status encode_trace(Session& session, const TickSchedule& schedule, const TraceTables& tables,
                    Counters& counters, ByteSink out) {
  session.sort_samples();
  return Encoder(tables, counters, out).encode(session, schedule);
}

}  // namespace polyprof
