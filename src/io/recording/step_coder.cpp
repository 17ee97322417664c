#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "io/recording/recording_format.hpp"

namespace plica::recording_format {
namespace {

constexpr std::size_t step_words = 9;   // gravity, hash, tuning, full substeps
constexpr std::size_t tool_words = 13;  // target, turn, node and presence, force, torque
constexpr std::size_t body_words = 2;   // factors of stiffness and damping

// Float bits to integers in the order of the floats, so that a small motion is a small difference; and back.
std::uint32_t ordered(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
}

float unordered(std::uint32_t rank) {
    const std::uint32_t bits = (rank >> 31) != 0 ? rank & 0x7FFFFFFFU : ~rank;
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// A signed difference with its sign in the lowest bit, so that small ones of either sign have zeros in front; and back.
std::uint32_t fold(std::uint32_t difference) {
    return (difference << 1) ^ (0U - (difference >> 31));
}

std::uint32_t unfold(std::uint32_t folded) {
    return (folded >> 1) ^ (0U - (folded & 1U));
}

std::uint64_t width(std::uint32_t value) {
    return static_cast<std::uint64_t>(32 - std::countl_zero(value));
}

template <class Word>
char* put_planes(char* bytes, const std::vector<Word>& words) {
    for (std::size_t shift = 0; shift < 8 * sizeof(Word); shift += 8) {
        for (const Word word : words) *bytes++ = static_cast<char>((word >> shift) & 0xFF);
    }
    return bytes;
}

template <class Word>
const char* get_planes(const char* bytes, std::vector<Word>& words) {
    std::fill(words.begin(), words.end(), Word{0});
    for (std::size_t shift = 0; shift < 8 * sizeof(Word); shift += 8) {
        for (Word& word : words) word |= static_cast<Word>(Word{static_cast<unsigned char>(*bytes++)} << shift);
    }
    return bytes;
}

std::uint64_t* put(std::uint64_t* words, const Vec3& v) {
    for (const double value : {v.x, v.y, v.z}) std::memcpy(words++, &value, sizeof value);
    return words;
}

const std::uint64_t* get(const std::uint64_t* words, Vec3& v) {
    for (double* value : {&v.x, &v.y, &v.z}) std::memcpy(value, words++, sizeof *value);
    return words;
}

std::uint64_t* put(std::uint64_t* words, const Tuning& tuning) {
    words = put(words, Vec3{tuning.stiffness, tuning.damping, tuning.friction});
    *words++ = static_cast<std::uint32_t>(tuning.detector);
    return words;
}

const std::uint64_t* get(const std::uint64_t* words, Tuning& tuning) {
    Vec3 numbers;
    words = get(words, numbers);
    tuning.stiffness = numbers.x;
    tuning.damping = numbers.y;
    tuning.friction = numbers.z;
    tuning.detector = static_cast<std::int32_t>(static_cast<std::uint32_t>(*words++ & 0xFFFFFFFFU));
    return words;
}

std::uint64_t tool_state(const ToolInput& tool) {
    return static_cast<std::uint32_t>(tool.node) |
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(tool.present)) << 32);
}

void put_factors(std::uint64_t* words, std::size_t bodies, std::span<const BodyFactors> factors) {
    constexpr double one = 1.0;
    for (std::size_t i = 0; i < body_words * bodies; ++i) std::memcpy(words + i, &one, sizeof one);
    for (const BodyFactors& each : factors) {
        std::uint64_t* const own = words + body_words * static_cast<std::size_t>(each.body);
        std::memcpy(own, &each.stiffness, sizeof each.stiffness);
        std::memcpy(own + 1, &each.damping, sizeof each.damping);
    }
}

void get_words(const std::uint64_t* words, std::size_t tools, std::size_t bodies, RecordedStep& step) {
    step.inputs.tools.resize(tools);
    step.tool_forces.resize(tools);
    step.tool_torques.resize(tools);
    words = get(words, step.inputs.gravity);
    step.hash = *words++;
    words = get(words, step.inputs.tuning);
    step.inputs.full_substeps = static_cast<std::int32_t>(static_cast<std::uint32_t>(*words++ & 0xFFFFFFFFU));
    for (std::size_t i = 0; i < tools; ++i) {
        ToolInput& tool = step.inputs.tools[i];
        words = get(words, tool.target);
        words = get(words, tool.turn);
        tool.node = static_cast<std::int32_t>(static_cast<std::uint32_t>(*words & 0xFFFFFFFFU));
        tool.present = static_cast<std::int32_t>(static_cast<std::uint32_t>(*words++ >> 32));
        words = get(words, step.tool_forces[i]);
        words = get(words, step.tool_torques[i]);
    }
    step.inputs.tuning.bodies.clear();
    for (std::size_t i = 0; i < bodies; ++i) {
        BodyFactors each{static_cast<std::int32_t>(i)};
        std::memcpy(&each.stiffness, words++, sizeof each.stiffness);
        std::memcpy(&each.damping, words++, sizeof each.damping);
        if (each.stiffness != 1.0 || each.damping != 1.0) step.inputs.tuning.bodies.push_back(each);
    }
}

}  // namespace

StepCoder::StepCoder(const RecordingHeader& header)
    : m_coordinates(3 * static_cast<std::size_t>(header.nodes)),
      m_numbers(m_coordinates + count_values(header.fields)),
      m_tools(static_cast<std::size_t>(header.tools)),
      m_bodies(header.shapes.bodies.size()),
      m_words(step_words + tool_words * m_tools + body_words * m_bodies),
      m_words_before(m_words.size()),
      m_now(m_numbers),
      m_residuals(m_numbers),
      m_bytes(step_size(), '\0') {
    for (auto& past : m_past) past.resize(m_numbers);
}

std::size_t StepCoder::step_size() const noexcept {
    return 1 + 8 * m_words.size() + 4 * m_numbers;
}

std::uint32_t StepCoder::predicted(int order, std::size_t i) const noexcept {
    if (order == 0) return 0;
    if (order == 1) return m_past[0][i];
    if (order == 2) return 2 * m_past[0][i] - m_past[1][i];
    return 3 * (m_past[0][i] - m_past[1][i]) + m_past[2][i];
}

// The one whose residuals have the fewest bits. Vibration is best taken as it was, motion extrapolated. (Not the least
// sum: the few coordinates near 0, whose float bits change fast, would decide alone.)
int StepCoder::best_order() const noexcept {
    int best = 0;
    std::uint64_t least = 0;
    for (int order = std::min(m_known, 1); order <= m_known; ++order) {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < m_numbers; ++i) bits += width(fold(m_now[i] - predicted(order, i)));
        if (order <= 1 || bits < least) {
            best = order;
            least = bits;
        }
    }
    return best;
}

void StepCoder::advance() noexcept {
    for (std::size_t k = max_order - 1; k > 0; --k) m_past[k].swap(m_past[k - 1]);
    m_past[0].swap(m_now);
    m_words.swap(m_words_before);
    m_known = std::min(m_known + 1, max_order);
}

std::string_view StepCoder::encode(const Inputs& inputs, std::uint64_t hash, std::span<const Vec3> tool_forces,
                                   std::span<const Vec3> tool_torques, std::span<const Vec3> positions,
                                   std::span<const float> values) {
    std::uint64_t* words = put(m_words.data(), inputs.gravity);
    *words++ = hash;
    words = put(words, inputs.tuning);
    *words++ = static_cast<std::uint32_t>(inputs.full_substeps);
    for (std::size_t i = 0; i < m_tools; ++i) {
        words = put(words, inputs.tools[i].target);
        words = put(words, inputs.tools[i].turn);
        *words++ = tool_state(inputs.tools[i]);
        words = put(words, tool_forces[i]);
        words = put(words, tool_torques[i]);
    }
    put_factors(words, m_bodies, inputs.tuning.bodies);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        m_now[3 * i] = ordered(static_cast<float>(positions[i].x));
        m_now[3 * i + 1] = ordered(static_cast<float>(positions[i].y));
        m_now[3 * i + 2] = ordered(static_cast<float>(positions[i].z));
    }
    for (std::size_t i = 0; i < values.size(); ++i) m_now[m_coordinates + i] = ordered(values[i]);
    if (m_known == 0) std::fill(m_words_before.begin(), m_words_before.end(), std::uint64_t{0});
    for (std::size_t i = 0; i < m_words.size(); ++i) m_words_before[i] ^= m_words[i];
    const int order = best_order();
    for (std::size_t i = 0; i < m_numbers; ++i) m_residuals[i] = fold(m_now[i] - predicted(order, i));
    m_bytes[0] = static_cast<char>(order);
    put_planes(put_planes(m_bytes.data() + 1, m_words_before), m_residuals);
    advance();
    return m_bytes;
}

bool StepCoder::decode(std::string_view bytes, RecordedStep& step) {
    const int order = static_cast<unsigned char>(bytes[0]);
    if (order > m_known || (order == 0 && m_known > 0)) return false;
    get_planes(get_planes(bytes.data() + 1, m_words), m_residuals);
    for (std::size_t i = 0; i < m_words.size() && m_known > 0; ++i) m_words[i] ^= m_words_before[i];
    get_words(m_words.data(), m_tools, m_bodies, step);
    step.positions.resize(m_coordinates);
    step.values.resize(m_numbers - m_coordinates);
    for (std::size_t i = 0; i < m_numbers; ++i) {
        m_now[i] = predicted(order, i) + unfold(m_residuals[i]);
        float& number = i < m_coordinates ? step.positions[i] : step.values[i - m_coordinates];
        number = unordered(m_now[i]);
    }
    advance();
    return true;
}

}  // namespace plica::recording_format
