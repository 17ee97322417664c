#include <gtest/gtest.h>

#include <random>

#include "core/error.hpp"
#include "scene/build.hpp"
#include "scene/description.hpp"
#include "tests/scene/file/nifty/nifty_models.hpp"

namespace plica::testing {
namespace {

// One element, line by line.
const std::string mesh_lines =
    "<Nodes DOF=\"3\" NumNodes=\"4\">\n"     // 3
    "0 0 0  0.1 0 0\n"                       // 4
    "0 0.1 0  0 0 0.1\n"                     // 5
    "</Nodes>\n"                             // 6
    "<Elements NumEls=\"1\" Type=\"T4\">\n"  // 7
    "0 1 2 3\n"                              // 8
    "</Elements>\n";                         // 9
const std::string set_lines =
    "<ElementSet Size=\"all\">\n"                                 // 10
    "<Material Type=\"NH\">\n"                                    // 11
    "<ElasticParams NumParams=\"2\">1000 5000</ElasticParams>\n"  // 12
    "</Material>\n"                                               // 13
    "0</ElementSet>\n";                                           // 14
const std::string constraint_lines =
    "<Constraint Type=\"Fix\" DOF=\"all\" NumNodes=\"1\"><Nodes>0</Nodes></Constraint>\n"  // 15
    "<Constraint Type=\"Disp\" DOF=\"0\" LoadShape=\"RAMP\" NumNodes=\"1\">\n"             // 16
    "<Nodes>1</Nodes><Magnitudes Type=\"UNIFORM\">0.01</Magnitudes>\n"                     // 17
    "</Constraint>\n";                                                                     // 18
const std::string system_lines =
    "<SystemParams>\n"                  // 19
    "<TimeStep>1e-3</TimeStep>\n"       // 20
    "<TotalTime>0.1</TotalTime>\n"      // 21
    "<DampingCoeff>5</DampingCoeff>\n"  // 22
    "<Density>1000</Density>\n"         // 23
    "</SystemParams>\n";                // 24

std::string good_model() {
    return model_text(mesh_lines + set_lines + constraint_lines + system_lines);
}

std::string mistakes_of(const std::string& text) {
    try {
        build_scene({"bad", "bad.xml", text, {}}, 1);
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input) << error.what();
        return error.what();
    }
    return "nothing was wrong";
}

std::string replaced(const std::string& what, const std::string& by) {
    std::string text = good_model();
    const std::size_t at = text.find(what);
    EXPECT_NE(at, text.npos) << what;
    return text.replace(at, what.size(), by);
}

// One mistake, on this line, with these words.
void expect_mistake(const std::string& text, int line, const std::vector<std::string>& words) {
    const std::string message = mistakes_of(text);
    EXPECT_EQ(message.rfind(fmt::format("bad.xml:{}: ", line), 0), 0U) << message;
    EXPECT_EQ(message.find('\n'), message.npos) << message;
    for (const std::string& word : words) EXPECT_NE(message.find(word), message.npos) << word << " in " << message;
}

TEST(NiftyMistakes, TheGoodModelIsGood) {
    EXPECT_EQ(mistakes_of(good_model()), "nothing was wrong");
    // An empty constraint is none.
    EXPECT_EQ(mistakes_of(replaced("<Constraint Type=\"Disp\"",
                                   "<Constraint Type=\"Fix\" NumNodes=\"0\"><Nodes></Nodes></Constraint>"
                                   "<Constraint Type=\"Disp\"")),
              "nothing was wrong");
}

TEST(NiftyMistakes, NoXml) {
    expect_mistake(replaced("</Nodes>", "</Noodles>"), 6, {"not XML"});
    expect_mistake("<Model>\n", 1, {"not XML"});
    expect_mistake("<Modell>\n</Modell>", 1, {"Modell", "<Model>"});
    expect_mistake("<", 1, {"not XML"});
    expect_mistake("<Model/>\n<Model></Model>", 2, {"after </Model>"});
}

TEST(NiftyMistakes, Meshes) {
    expect_mistake(replaced("NumNodes=\"4\"", "NumNodes=\"1000000000000\""), 3, {"12 numbers", "1000000000000"});
    expect_mistake(replaced("NumNodes=\"4\"", "NumNodes=\"-4\""), 3, {"-4", "whole number"});
    expect_mistake(replaced("0 0.1 0  0", "0 0.1 0  zero"), 5, {"zero", "numbers"});
    expect_mistake(replaced("0 0.1 0  0", "0 0.1 0  1e999"), 5, {"1e999", "numbers"});
    expect_mistake(replaced("NumEls=\"1\"", "NumEls=\"2\""), 7, {"4 numbers", "2 elements"});
    expect_mistake(replaced("Type=\"T4\"", "Type=\"T10\""), 7, {"T10", "T4, T4ANP or H8"});
    expect_mistake(replaced("0 1 2 3\n", "0 1 2 4\n"), 7, {"node 4", "0 to 3"});
    expect_mistake(replaced("0 1 2 3\n", "0 1 2 2.5\n"), 8, {"2.5", "whole"});
    expect_mistake(replaced("0 1 2 3\n", "0 1 2 2\n"), 7, {"twice"});
    expect_mistake(replaced("0 0.1 0  0 0 0.1", "0 0.1 0  0.1 0.1 0"), 7, {"no volume"});
    expect_mistake(replaced("<Elements NumEls=\"1\" Type=\"T4\">\n0 1 2 3\n</Elements>\n", ""), 2, {"no whole mesh"});
    expect_mistake(model_text("<MSHMesh Type=\"T4\">nowhere.msh</MSHMesh>\n" + set_lines + system_lines), 3,
                   {"nowhere.msh", "no such file"});
}

TEST(NiftyMistakes, Materials) {
    expect_mistake(replaced("1000 5000", "1000"), 12, {"1 numbers", "mu and K"});
    expect_mistake(replaced("1000 5000", "-1000 5000"), 12, {"mu = -1000", "more than 0"});
    expect_mistake(replaced("Type=\"NH\"", "Type=\"NeoHooke\""), 11, {"NeoHooke", "NH, TI, NHV or TIV"});
    expect_mistake(replaced("Size=\"all\"", "Size=\"7\""), 10, {"Size=\"7\""});
    expect_mistake(replaced("0</ElementSet>",
                            "0</ElementSet><ElementSet Size=\"1\"><Material Type=\"NH\"><ElasticParams "
                            "NumParams=\"2\">1 2</ElasticParams></Material>0</ElementSet>"),
                   14, {"element 0", "another set"});
    expect_mistake(replaced("Size=\"all\"", "Size=\"0\""), 2, {"element 0", "no ElementSet"});
}

TEST(NiftyMistakes, Constraints) {
    expect_mistake(replaced("<Nodes>1</Nodes>", "<Nodes>7</Nodes>"), 17, {"node 7", "0 to 3"});
    expect_mistake(replaced("<Nodes>1</Nodes>", "<Nodes>1 2 3</Nodes>"), 17, {"found 3", "NumNodes=\"1\""});
    expect_mistake(replaced("DOF=\"0\"", "DOF=\"3\""), 16, {"DOF=\"3\"", "0, 1, 2 or all"});
    expect_mistake(replaced("Type=\"Disp\"", "Type=\"Displacement\""), 16, {"Displacement", "Disp"});
    expect_mistake(replaced("LoadShape=\"RAMP\"", "LoadShape=\"RMAP\""), 16, {"RMAP"});
    expect_mistake(replaced("LoadShape", "LoadShpae"), 16, {"unknown attribute", "did you mean LoadShape"});
    expect_mistake(replaced("<Magnitudes Type=\"UNIFORM\">0.01</Magnitudes>", ""), 16, {"no Magnitudes"});
    expect_mistake(replaced("\"UNIFORM\">0.01", "\"DIFFORM\">0.01 0.02"), 17, {"2 numbers", "expected 1"});
    expect_mistake(replaced("<Nodes>1</Nodes>", "<Nodes>0</Nodes>"), 16, {"node 0", "along x", "line 15"});
}

TEST(NiftyMistakes, Times) {
    expect_mistake(replaced("<TimeStep>1e-3</TimeStep>", ""), 19, {"no TimeStep"});
    expect_mistake(replaced("1e-3</TimeStep>", "-1e-3</TimeStep>"), 20, {"-0.001"});
    expect_mistake(replaced("1e-3</TimeStep>", "1</TimeStep>"), 20, {"at most TotalTime"});
    expect_mistake(replaced("<DampingCoeff>5</DampingCoeff>", "<DampingCoef>5</DampingCoef>"), 22,
                   {"unknown element", "did you mean DampingCoeff"});
    expect_mistake(replaced("<Density>1000</Density>", ""), 11, {"no Density"});
}

// All that cannot be done is told at once, by name and line.
TEST(NiftyMistakes, UnsupportedThingsAreListed) {
    const std::string text =
        model_text(mesh_lines +
                   "<ElementSet Size=\"all\">\n<Material Type=\"AB\">\n<ElasticParams NumParams=\"2\">1 2"
                   "</ElasticParams>\n</Material>\n0</ElementSet>\n"
                   "<ShellElements Type=\"SURFACE\">0</ShellElements>\n"
                   "<KinematicContact/>\n<ReducedBasis/>\n<ContactSurface/>\n<Constriant/>\n"
                   "<Constraint Type=\"Force\" DOF=\"0\" NumNodes=\"1\" LoadShape=\"HILLY\"><Nodes>0</Nodes>"
                   "<Magnitudes Type=\"UNIFORM\">1</Magnitudes></Constraint>\n"
                   "<SystemParams>\n<TimeStep>1e-3</TimeStep>\n<TotalTime>0.1</TotalTime>\n<Density>1</Density>\n"
                   "<DoSelfCollision>1</DoSelfCollision>\n<DoDeformableCollision>1</DoDeformableCollision>\n"
                   "<ROM>1</ROM>\n</SystemParams>\n");
    const std::string message = mistakes_of(text);
    const std::vector<std::pair<int, std::string>> expected{{11, "AB"},
                                                            {15, "ShellElements"},
                                                            {16, "KinematicContact"},
                                                            {17, "ReducedBasis"},
                                                            {18, "no whole mesh"},
                                                            {19, "Constriant"},
                                                            {20, "HILLY"},
                                                            {27, "ROM"}};
    std::size_t at = 0;
    for (const auto& [line, word] : expected) {
        const std::string start = fmt::format("bad.xml:{}: ", line);
        ASSERT_EQ(message.compare(at, start.size(), start), 0) << start << "\n" << message;
        const std::size_t end = std::min(message.find('\n', at), message.size());
        EXPECT_NE(message.substr(at, end - at).find(word), std::string::npos) << word << "\n" << message;
        at = end + 1;
    }
    EXPECT_EQ(at, message.size() + 1) << message;
}

TEST(NiftyMistakes, ViscosityOfOnePartOnlyIsNotSupported) {
    const std::string text = replaced("</ElasticParams>",
                                      "</ElasticParams><ViscoParams NumIsoTerms=\"1\" "
                                      "NumVolTerms=\"0\">0.5 1</ViscoParams>");
    expect_mistake(text, 11, {"ViscoParams"});
    std::string viscous = text;
    viscous.replace(viscous.find("\"NH\""), 4, "\"NHV\"");
    expect_mistake(viscous, 12, {"not supported", "isochoric"});
}

// A rigid surface behind the others.
const std::string surface_lines =
    "<ContactSurface>\n"                                 // 19
    "<Nodes NumNodes=\"4\">\n"                           // 20
    "-1 -1 0.2  -1 1 0.2  1 1 0.2  1 -1 0.2\n"           // 21
    "</Nodes>\n"                                         // 22
    "<Elements NumEls=\"2\" Type=\"T3\">\n"              // 23
    "0 1 2  0 2 3\n"                                     // 24
    "</Elements>\n"                                      // 25
    "<FrictionCoefficient>0.1</FrictionCoefficient>\n"   // 26
    "<Motion Type=\"Translation\">0 0 -0.05</Motion>\n"  // 27
    "</ContactSurface>\n";                               // 28
const std::string object_lines =
    "<ContactPlate>\n"                                                          // 29
    "<a>-1 -1 0.5</a>\n<b>1 -1 0.5</b>\n<c>-1 1 0.5</c>\n<Disp>0 0 1</Disp>\n"  // 30 to 33
    "</ContactPlate>\n"                                                         // 34
    "<ContactCylinder>\n"                                                       // 35
    "<Origin>0 0 -1</Origin>\n<Axis>1 0 0</Axis>\n"                             // 36, 37
    "<Radius>0.1</Radius>\n<Length>0.5</Length>\n"                              // 38, 39
    "<SlvNodes>0 1</SlvNodes>\n"                                                // 40
    "</ContactCylinder>\n";                                                     // 41

std::string touching_model() {
    return model_text(mesh_lines + set_lines + constraint_lines + surface_lines + object_lines + system_lines);
}

std::string touching(const std::string& what, const std::string& by) {
    std::string text = touching_model();
    const std::size_t at = text.find(what, text.find("<ContactSurface>"));
    EXPECT_NE(at, text.npos) << what;
    return text.replace(at, what.size(), by);
}

TEST(NiftyMistakes, RigidSurfaces) {
    EXPECT_EQ(mistakes_of(touching_model()), "nothing was wrong");
    expect_mistake(touching("NumNodes=\"4\"", "NumNodes=\"1000000000000\""), 20, {"12 numbers", "1000000000000"});
    expect_mistake(touching("Type=\"T3\"", "Type=\"T4\""), 23, {"T4", "T3 or Q4"});
    expect_mistake(touching("0 2 3", "0 2 4"), 23, {"node 4", "0 to 3"});
    expect_mistake(touching("NumEls=\"2\"", "NumEls=\"3\""), 23, {"6 numbers", "3 elements"});
    expect_mistake(touching("0 1 2  0 2 3", "0 1 1  0 2 2"), 23, {"degenerate"});
    expect_mistake(touching("0 1 2  0 2 3", "0 1 2  0 2 x"), 24, {"\"x\"", "whole numbers"});
    expect_mistake(touching("1 1 0.2  1 -1 0.2", "-1 -1 0.2  -1 0 0.2"), 19, {"no normal"});
    expect_mistake(touching(">0.1</Fric", ">-0.1</Fric"), 26, {"-0.1", "at least 0"});
    expect_mistake(touching("\"Translation\"", "\"Shift\""), 27, {"Shift", "Translation or Rotation"});
    expect_mistake(touching("\"Translation\"", "\"Rotation\""), 27, {"3 numbers", "expected 6"});
    expect_mistake(touching("\"Translation\">0 0 -0.05", "\"Rotation\">3 3 3 0 0 0"), 27, {"several axes", "6"});
    expect_mistake(touching("\"Translation\">0 0 -0.05", "\"Rotation\">300 0 0 0 0 0"), 27, {"300 rad", "100"});
    expect_mistake(touching("\"Translation\">", "\"Translation\" LoadShape=\"RAMP\">"), 27, {"LoadShape"});
    expect_mistake(touching("</ContactSurface>", "<Motion Type=\"Translation\">0 0 1</Motion></ContactSurface>"), 28,
                   {"second Motion"});
    expect_mistake(touching("<Nodes NumNodes", "<VTKSurface Type=\"T3\">a.vtk</VTKSurface><Nodes NumNodes"), 19,
                   {"several meshes"});
    expect_mistake(model_text(mesh_lines + set_lines +
                              "<ContactSurface>\n<VTKSurface Type=\"T3\">nowhere.vtk</VTKSurface>"
                              "</ContactSurface>\n" +
                              system_lines),
                   16, {"nowhere.vtk"});
}

TEST(NiftyMistakes, PlatesAndRods) {
    expect_mistake(touching("<c>-1 1 0.5</c>\n", "\n"), 29, {"ContactPlate", "no c"});
    expect_mistake(touching("<c>-1 1 0.5</c>", "<c>3 -1 0.5</c>"), 29, {"one line"});
    expect_mistake(touching("<Disp>0 0 1</Disp>", "<Disp>0 0</Disp>"), 33, {"2 numbers", "expected 3"});
    expect_mistake(touching("<Disp>0 0 1</Disp>", "<Dips>0 0 1</Dips>"), 33, {"did you mean Disp"});
    expect_mistake(touching("<Axis>1 0 0", "<Axis>0 0 0"), 37, {"without length"});
    expect_mistake(touching("<Radius>0.1", "<Radius>0"), 38, {"more than 0"});
    expect_mistake(touching("<Length>0.5</Length>", ""), 35, {"no Length"});
    expect_mistake(touching("0 1</SlvNodes>", "0 one</SlvNodes>"), 40, {"one", "whole numbers"});
    expect_mistake(touching("<SlvNodes>0 1</SlvNodes>", "<RadChange>0.1</RadChange>"), 40,
                   {"RadChange", "not supported"});
    EXPECT_EQ(mistakes_of(touching("<SlvNodes>0 1</SlvNodes>", "<RadChange>0</RadChange>")), "nothing was wrong");
}

TEST(NiftyMistakes, ContactParameters) {
    const auto with = [](const std::string& line) {
        std::string text = good_model();
        return text.insert(text.find("</SystemParams>"), line + "\n");
    };
    EXPECT_EQ(mistakes_of(with("<DoDeformableCollision>1</DoDeformableCollision>")), "nothing was wrong");
    expect_mistake(with("<DoSelfCollision>yes</DoSelfCollision>"), 24, {"yes", "numbers"});
    expect_mistake(with("<ContactSafetyMargin>-1</ContactSafetyMargin>"), 24, {"-1", "at least 0"});
    expect_mistake(with("<DeformableFrictionCoefficient>99</DeformableFrictionCoefficient>"), 24, {"99", "at most 10"});
    expect_mistake(
        model_text("<SubModel>\n" + mesh_lines + set_lines + "<ContactPlate/>\n</SubModel>\n" + system_lines), 16,
        {"ContactPlate", "SubModel", "expected in the Model"});
    // Through each other at the start: no line, but the file and the two.
    const std::string message =
        mistakes_of(touching("-1 -1 0.2  -1 1 0.2  1 1 0.2  1 -1 0.2", "-1 -1 0.05  -1 1 0.05  1 1 0.05  1 -1 0.05"));
    for (const char* word : {"bad.xml: ", "model", "surface1", "through each other"})
        EXPECT_NE(message.find(word), message.npos) << message;
}

// As many mistakes as one likes cost no more than they must.
TEST(NiftyMistakes, ManyMistakesAreToldInPart) {
    std::string many;
    for (int i = 0; i < 20000; ++i) many += fmt::format("<Thing{}/>\n", i);
    const std::string message = mistakes_of(model_text(mesh_lines + set_lines + many + system_lines));
    EXPECT_NE(message.find("and 19900 more"), message.npos) << message.substr(message.size() - 80);
}

TEST(NiftyMistakes, BytesChangedAtRandomNeverCrash) {
    std::mt19937 random(7);
    const std::string models[] = {good_model(), touching_model()};
    const std::string signs = "<>/\"= 0123456789.-+eaNM\n\0\xFF";
    int refused = 0;
    for (int i = 0; i < 1200; ++i) {
        std::string text = models[i % 2];
        for (int k = 0; k <= (i / 2) % 4; ++k) {
            const std::size_t at = random() % text.size();
            const char c = signs[random() % signs.size()];
            switch (random() % 3) {
                case 0:
                    text[at] = c;
                    break;
                case 1:
                    text.erase(at, 1 + random() % 30);
                    break;
                default:
                    text.insert(at, 1, c);
            }
        }
        try {
            build_scene({"fuzz", "fuzz.xml", text, {}}, 1);
        } catch (const Error& error) {
            ++refused;
            EXPECT_NE(std::string(error.what()).find("fuzz.xml"), std::string::npos) << error.what();
        }
    }
    EXPECT_GT(refused, 600);
    EXPECT_LT(refused, 1200);
}

}  // namespace
}  // namespace plica::testing
