#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/apps/commands.hpp"

namespace plica::testing {
namespace {

// Help and wrong use.

TEST_F(Command, HelpOfEveryCommandHasAnExample) {
    for (const char* command : {"scenes", "check", "run", "replay", "export", "audit", "bench", "reproduce"}) {
        const Outcome outcome = run({command, "--help"});
        EXPECT_EQ(outcome.status, 0) << command;
        EXPECT_EQ(outcome.err, "") << command;
        const std::size_t example = outcome.out.find("Example");
        ASSERT_NE(example, std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find(std::string("plica ") + command, example), std::string::npos) << outcome.out;
        EXPECT_TRUE(contains(outcome.out, "--json")) << outcome.out;
    }
    const Outcome all = run({"--help"});
    EXPECT_EQ(all.status, 0);
    for (const char* command :
         {"scenes", "check", "run", "replay", "export", "audit", "bench", "reproduce", "Exit status"}) {
        EXPECT_TRUE(contains(all.out, command)) << all.out;
    }
}

TEST_F(Command, Version) {
    const Outcome outcome = run({"--version"});
    EXPECT_EQ(outcome.status, 0);
    std::array<int, 3> number{-1, -1, -1};
    char end = 0;
    EXPECT_EQ(std::sscanf(outcome.out.c_str(), "plica %d.%d.%d%c", &number[0], &number[1], &number[2], &end), 4)
        << outcome.out;
    EXPECT_EQ(end, '\n');
    EXPECT_EQ(lines_of(outcome.out).size(), 1U);
    EXPECT_EQ(outcome.err, "");
}

// Status 2, nothing on standard output, and a short message that names what is wrong.
void expect_wrong_use(const Texts& arguments, const std::string& named) {
    SCOPED_TRACE(quoted(arguments));
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, named)) << outcome.err << "lacks " << named;
    const Texts lines = lines_of(outcome.err);
    ASSERT_GE(lines.size(), 1U);
    EXPECT_LE(lines.size(), 2U) << outcome.err;
    EXPECT_TRUE(lines.size() != 2 || contains(lines[1], "--help")) << outcome.err;
    for (const char* noise : {"exception", "terminate", "std::", "Sanitizer"})
        EXPECT_FALSE(contains(outcome.err, noise)) << outcome.err;
}

TEST_F(Command, WrongUse) {
    expect_wrong_use({}, "required");
    expect_wrong_use({"run"}, "scene");
    expect_wrong_use({"check"}, "scene");
    expect_wrong_use({"replay"}, "recording");
    expect_wrong_use({"run", "chain", "--frobnicate"}, "--frobnicate");
    expect_wrong_use({"run", "chain", "another"}, "another");
    expect_wrong_use({"run", "chain", "--seconds", "1", "--steps", "1"}, "--steps");
    expect_wrong_use({"run", "chain", "--audit", "maybe"}, "--audit");
    expect_wrong_use({"run", "chain", "--record"}, "--record");
    expect_wrong_use({"export", "x"}, "--to");
    expect_wrong_use({"export", "x", "--to", "npy"}, "-o");
    expect_wrong_use({"export", "x", "--to", "stl", "-o", "y"}, "stl");
    expect_wrong_use({"scenes", "extra"}, "extra");
}

TEST_F(Command, AnUnknownCommandIsNamed) {
    expect_wrong_use({"frobnicate"}, "frobnicate");
    expect_wrong_use({"--frobnicate"}, "--frobnicate");
}

TEST_F(Command, BadNumbers) {
    for (const char* value : {"-1", "0", "inf", "1e300", "ten", "", "1s"}) {
        expect_wrong_use({"run", "chain", "--seconds", value}, "--seconds");
    }
    for (const char* value : {"-1", "0", "1.5", "many", "99999999999999999999"}) {
        expect_wrong_use({"run", "chain", "--steps", value}, "--steps");
    }
    for (const char* value : {"-1", "0", "1.5", "1000000", "two"}) {
        expect_wrong_use({"run", "chain", "--threads", value}, "--threads");
        expect_wrong_use({"replay", "x", "--threads", value}, "--threads");
    }
    for (const char* value : {"1.5", "one"}) {
        expect_wrong_use({"run", "chain", "--seed", value}, "--seed");
    }
}

TEST_F(Command, NotANumberIsNoTime) {
    expect_wrong_use({"run", "chain", "--seconds", "nan"}, "--seconds");
}

TEST_F(Command, SeedsThatDoNotFitAreRefused) {
    for (const char* value : {"-1", "18446744073709551616", ""}) {
        expect_wrong_use({"run", "chain", "--steps", "1", "--seed", value}, "--seed");
    }
}

TEST_F(Command, ATimeStepTooSmallForTheTimeIsRefused) {
    const Outcome outcome = run({"run", "chain", "--seconds", "1", "--set", "solver.dt=1e-300"});
    EXPECT_EQ(outcome.status, 2) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace plica::testing
