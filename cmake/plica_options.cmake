# Flags that every target shares. No contraction and no fast-math: results must not depend on the vector width in use.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(PLICA_CCACHE ccache)
if(PLICA_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PLICA_CCACHE})
endif()

add_library(plica_flags INTERFACE)
target_compile_options(plica_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual $<$<BOOL:${PLICA_WERROR}>:-Werror>)
if(PLICA_SANITIZE)
  # g++ 12 sees uninitialised values in its own library when it instruments.
  add_compile_options(-fsanitize=${PLICA_SANITIZE} -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=${PLICA_SANITIZE})
  if(PLICA_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

# plica_module(NAME DEPENDS...): the static library plica_NAME from every source below src/NAME. A module sees the
# modules it names here and, through them, the ones below; tests/include_direction holds the same order.
function(plica_module name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(plica_${name} STATIC ${sources})
  target_include_directories(plica_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_link_libraries(plica_${name} PUBLIC ${ARGN} PRIVATE $<BUILD_INTERFACE:plica_flags>)
endfunction()
