#include "apps/desktop/window.hpp"

#include <epoxy/gl.h>
// After epoxy, which has the declarations of OpenGL.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace plica::desktop {
namespace {

[[noreturn]] void fail() {
    const char* reason = nullptr;
    glfwGetError(&reason);
    const std::string why = reason != nullptr ? std::string(" (") + reason + ")" : "";
    throw Error("plica: there is no display to open a window on" + why +
                    "; set DISPLAY, or draw into a file: plica render SCENE -o film.mp4",
                Status::environment);
}

// GLFW itself: ended last, whatever else was made.
struct Library {
    Library() {
        if (glfwInit() != GLFW_TRUE) fail();
    }
    ~Library() { glfwTerminate(); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    Library(Library&&) = delete;
    Library& operator=(Library&&) = delete;
};

GLFWwindow* open(const std::string& title, int width, int height) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (window == nullptr) fail();
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    return window;
}

}  // namespace

bool has_display() {
    if (glfwInit() != GLFW_TRUE) return false;
    glfwTerminate();
    return true;
}

struct Window::Parts {
    Parts(const std::string& title, int width, int height) : window(open(title, width, height)) {
        glfwSetWindowUserPointer(window, this);
        glfwSetCharCallback(window, [](GLFWwindow* from, unsigned character) {
            static_cast<Parts*>(glfwGetWindowUserPointer(from))->typed.push_back(character);
        });
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;  // nothing is left behind in the folder
        float scale = 1.0F;
        glfwGetWindowContentScale(window, &scale, nullptr);
        io.FontGlobalScale = scale;
        ImGui::StyleColorsDark();
        ImGui::GetStyle().WindowRounding = 4.0F;
        ImGui_ImplGlfw_InitForOpenGL(window, true);  // keeps our callback and calls it
        ImGui_ImplOpenGL3_Init("#version 330 core");
    }
    ~Parts() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
        glfwDestroyWindow(window);
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    Parts(Parts&&) = delete;
    Parts& operator=(Parts&&) = delete;

    Library library;
    GLFWwindow* window;
    std::vector<char32_t> typed;
};

Window::Window(const std::string& title, int width, int height)
    : m_parts(std::make_unique<Parts>(title, width, height)) {}

Window::~Window() = default;

bool Window::is_open() const {
    return glfwWindowShouldClose(m_parts->window) == GLFW_FALSE;
}

int Window::width() const {
    int width = 0;
    glfwGetFramebufferSize(m_parts->window, &width, nullptr);
    return std::max(1, width);
}

int Window::height() const {
    int height = 0;
    glfwGetFramebufferSize(m_parts->window, nullptr, &height);
    return std::max(1, height);
}

void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(m_parts->window, title.c_str());
}

void Window::wait_until(double due) {
    glfwPollEvents();
    for (double left = due - wall_seconds(); left > 0.0; left = due - wall_seconds()) glfwWaitEventsTimeout(left);
}

std::vector<char32_t> Window::take_typed() {
    std::vector<char32_t> typed;
    typed.swap(m_parts->typed);
    if (ImGui::GetIO().WantTextInput) typed.clear();
    return typed;
}

Pointer Window::pointer() const {
    const ImGuiIO& io = ImGui::GetIO();
    Pointer pointer;
    pointer.x = static_cast<double>(io.MousePos.x) / std::max(1.0F, io.DisplaySize.x);
    pointer.y = static_cast<double>(io.MousePos.y) / std::max(1.0F, io.DisplaySize.y);
    pointer.left = io.MouseDown[0];
    pointer.right = io.MouseDown[1];
    pointer.middle = io.MouseDown[2];
    pointer.shift = io.KeyShift;
    pointer.wheel = static_cast<double>(io.MouseWheel);
    pointer.free = !io.WantCaptureMouse && ImGui::IsMousePosValid();
    return pointer;
}

void Window::begin_panels() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

void Window::draw_panels() {
    ImGui::Render();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::finish() {
    glFinish();
}

void Window::show() {
    glfwSwapBuffers(m_parts->window);
}

void Window::read(render::Picture& picture) {
    picture.width = width();
    picture.height = height();
    const std::size_t row = 3 * static_cast<std::size_t>(picture.width);
    std::vector<std::uint8_t> rows(row * static_cast<std::size_t>(picture.height));  // from the bottom
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, picture.width, picture.height, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
    picture.rgb.clear();
    for (auto from = rows.end(); from != rows.begin(); from -= static_cast<std::ptrdiff_t>(row)) {
        picture.rgb.insert(picture.rgb.end(), from - static_cast<std::ptrdiff_t>(row), from);
    }
}

}  // namespace plica::desktop
