#include "io/recording/record_world.hpp"

#include <algorithm>

namespace plica {
namespace {

void take_positions(std::span<const float> numbers, Frame& frame) {
    frame.positions.resize(numbers.size() / 3);
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
        frame.positions[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    }
}

void take_fields(const RecordingHeader& header, std::span<const float> values, Frame& frame) {
    if (frame.fields.size() != header.fields.size()) frame.fields = header.fields;
    for (std::size_t i = 0; i < frame.fields.size(); ++i) {
        const std::size_t count = count_values(header.fields[i]);
        frame.fields[i].values.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
        values = values.subspan(count);
    }
}

}  // namespace

RecordingHeader describe_world(const Model& model, const Frame& frame) {
    RecordingHeader header;
    header.nodes = static_cast<std::int32_t>(model.nodes());
    header.tools = static_cast<std::int32_t>(model.tools.size());
    header.dt = model.dt;
    header.fields = frame.fields;
    for (Field& field : header.fields) field.values.clear();
    header.shapes = model;
    header.shapes.surface = without_edges(model.surface);
    return header;
}

void record_step(RecordingWriter& writer, const Inputs& inputs, std::uint64_t hash, const Frame& frame) {
    std::span<const float> values;
    std::vector<float> all;
    if (frame.fields.size() == 1) {
        values = frame.fields[0].values;
    } else {
        for (const Field& field : frame.fields) all.insert(all.end(), field.values.begin(), field.values.end());
        values = all;
    }
    writer.append(inputs, hash, frame.tool_force, frame.tool_torque, frame.positions, values);
}

void fill_frame(const RecordingHeader& header, const RecordedStep& step, std::uint64_t number, Frame& frame) {
    take_positions(step.positions, frame);
    take_fields(header, step.values, frame);
    frame.step = number;
    frame.time = static_cast<double>(number) * header.dt;
    frame.tool_force = step.tool_forces;
    frame.tool_torque = step.tool_torques;
    frame.tools.resize(step.inputs.tools.size());
    for (std::size_t t = 0; t < frame.tools.size(); ++t) {
        const ToolInput& input = step.inputs.tools[t];
        frame.tools[t] = {input.target, input.node, input.present != 0, input.turn};
    }
}

void fill_start(const RecordingHeader& header, std::span<const float> positions, Frame& frame) {
    RecordedStep start;  // with its tools away
    start.positions.assign(positions.begin(), positions.end());
    const auto tools = static_cast<std::size_t>(header.tools);
    start.inputs.tools.resize(tools);
    start.tool_forces.resize(tools);
    start.tool_torques.resize(tools);
    start.values.resize(count_values(header.fields));
    fill_frame(header, start, 0, frame);
}

}  // namespace plica
