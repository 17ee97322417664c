#pragma once
#include <string>

#include "tests/apps/commands.hpp"

namespace plica::testing {

// A cube of tetrahedra in TetGen's pair of files, m.
inline void write_cube(const std::string& stem, double side) {
    const std::string s = std::to_string(side);
    std::string nodes = "8 3 0 0\n";
    for (int i = 0; i < 8; ++i) {
        nodes += std::to_string(i);
        for (const int bit : {1, 2, 4}) nodes += (i & bit) != 0 ? " " + s : " 0";
        nodes += "\n";
    }
    spill(stem + ".node", nodes);
    spill(stem + ".ele", "6 4 0\n0 0 1 3 7\n1 0 3 2 7\n2 0 2 6 7\n3 0 6 4 7\n4 0 4 5 7\n5 0 5 1 7\n");
}

class Carried : public Command {
protected:
    // A solid from a mesh file, held at one side, 6 steps.
    [[nodiscard]] std::string record_cube() const {
        fs::create_directories(path("models"));
        write_cube(path("models/cube"), 0.1);
        const std::string scene = write("models/cube.toml",
                                        "plica = 1\n[[body]]\nname = \"cube\"\ntissue = \"tled\"\nmesh = \"cube\"\n"
                                        "fixed = [{ side = \"-x\" }]\n");
        return record({scene, "--steps", "6"});
    }
};

}  // namespace plica::testing
