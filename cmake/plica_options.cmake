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
target_compile_options(plica_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:PLICA_SHARES_NAMES>>>:-Wshadow> -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual $<$<BOOL:${PLICA_WERROR}>:-Werror>)
if(PLICA_SANITIZE)
  # g++ 12 sees uninitialised values in its own library when it instruments.
  add_compile_options(-fsanitize=${PLICA_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PLICA_SANITIZE})
  if(PLICA_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

# plica_module(NAME DEPENDS...): the static library plica_NAME from every source below src/NAME. A module sees the
# modules it names here and, through them, the ones below; tests/include_direction holds the same order.
function(plica_module name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT PLICA_THREADS)
    list(FILTER sources EXCLUDE REGEX "/simulation/live/")  # a scene on a thread of its own
  endif()
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "_kernel\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_kernel\\.cpp$")
  add_library(plica_${name} STATIC ${sources})
  target_include_directories(plica_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_link_libraries(plica_${name} PUBLIC ${ARGN} PRIVATE $<BUILD_INTERFACE:plica_flags>)
  target_compile_definitions(plica_${name} PUBLIC $<$<BOOL:${PLICA_X86}>:PLICA_X86_KERNELS>)
  plica_unity(plica_${name})
  if(kernels)
    plica_kernels(${name} ${kernels})
  endif()
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(PLICA_X86 ON)
endif()
set(PLICA_KERNELS_FROM "" CACHE PATH "another build's folder, whose kernels are linked instead of compiled once more")

# No sanitizer looks into kernels, so the sanitizers' builds may take them from the release build: they are a third of
# what there is to compile.
function(plica_take_kernels name variants)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_BINARY_DIR BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE folder)
  foreach(isa ${variants})
    foreach(file ${ARGN})
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE source)
      set(object ${PLICA_KERNELS_FROM}/${folder}/CMakeFiles/plica_${name}_${isa}.dir/${source}.o)
      set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON)
      target_sources(plica_${name} PRIVATE ${object})
    endforeach()
  endforeach()
endfunction()

# plica_kernels(NAME FILES...): files that end in _kernel.cpp are compiled once per instruction set, each time into a
# namespace of its own; which one runs is decided when the program starts. They are always optimised: unoptimised, the
# helpers of core/wide.hpp are a hundred times slower.
function(plica_kernels name)
  set(variants base)
  if(PLICA_X86)
    list(APPEND variants avx2 avx512)
  endif()
  if(PLICA_KERNELS_FROM)
    plica_take_kernels(${name} "${variants}" ${ARGN})
    return()
  endif()
  set(flags_base)
  set(flags_avx2 -mavx2)
  set(flags_avx512 -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)
  foreach(isa ${variants})
    set(target plica_${name}_${isa})
    add_library(${target} OBJECT ${ARGN})
    get_target_property(on_request plica_${name} EXCLUDE_FROM_ALL)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ${on_request})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE plica_flags)
    target_compile_definitions(${target} PRIVATE PLICA_ISA=${isa} $<$<BOOL:${PLICA_X86}>:PLICA_X86_KERNELS>)
    target_compile_options(${target} PRIVATE ${flags_${isa}} -O3 -fno-math-errno -Wno-psabi
      -Wno-uninitialized -Wno-maybe-uninitialized)  # g++ 12 sees some in its own intrinsics
    if(PLICA_SANITIZE)
      # Instrumented, one kernel takes the compiler minutes and a gigabyte.
      target_compile_options(${target} PRIVATE -fno-sanitize=all)
    endif()
    target_sources(plica_${name} PRIVATE $<TARGET_OBJECTS:${target}>)
  endforeach()
endfunction()

set(PLICA_LAB_FROM "" CACHE PATH "another build's folder, whose experiments and benchmarks are linked instead of compiled once more")

# plica_take_library(NAME DEPENDS...): plica_NAME as that build made it. They read no files of others and are a quarter of
# what there is to compile; `./plica test --all` looks into them too.
function(plica_take_library name)
  add_library(plica_${name} STATIC IMPORTED GLOBAL)
  set_target_properties(plica_${name} PROPERTIES IMPORTED_LOCATION ${PLICA_LAB_FROM}/${name}/libplica_${name}.a)
  target_include_directories(plica_${name} INTERFACE ${PROJECT_SOURCE_DIR})
  target_link_libraries(plica_${name} INTERFACE ${ARGN})
endfunction()
