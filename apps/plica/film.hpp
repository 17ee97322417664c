#pragma once
#include <cstdio>
#include <string>

#include "render/picture.hpp"

namespace plica::app {

// Pictures one after the other: an MP4 made by the program ffmpeg, or, where that is missing, numbered PNG files in a
// folder beside it.
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
    [[nodiscard]] bool is_folder() const { return m_pipe == nullptr && !m_folder.empty(); }

private:
    std::string m_path, m_partial, m_folder;
    std::FILE* m_pipe = nullptr;
    int m_frames = 0;
};

}  // namespace plica::app
