#pragma once
#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

#include "render/picture.hpp"

namespace plica::app {

// Pictures one after the other: an MP4 made by the program ffmpeg, or, where that is missing, numbered PNG files in a
// folder beside it. The film takes its name when it is whole; one that cannot be finished is removed.
class Film {
public:
    Film(std::string path, int width, int height, double frames_per_second);
    ~Film();  // without close() an unfinished film is removed
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;
    Film(Film&&) = delete;
    Film& operator=(Film&&) = delete;

    void add(const render::Picture& picture);
    // Throws Error with Status::environment when the film could not be made.
    void close();
    // Where it is: the film, or the folder with its pictures.
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] bool is_folder() const { return !m_folder.empty(); }

private:
    bool start_encoder(const std::vector<std::string>& arguments);
    int stop_encoder();
    void use_folder();
    [[noreturn]] void fail(const std::string& why);

    std::string m_path, m_partial, m_folder;
    std::FILE* m_pipe = nullptr;      // pictures go in here
    std::FILE* m_messages = nullptr;  // what the encoder says
    pid_t m_encoder = -1;
    int m_frames = 0;
};

}  // namespace plica::app
