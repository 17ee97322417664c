#pragma once
#include <string>

namespace plica::app {

// Whether a file is boxes of MP4 from its first byte to its last, among them the table of contents and the pictures.
bool is_whole_mp4(const std::string& path);

}  // namespace plica::app
