# rankveil_module(NAME  SOURCES a.cc ...  DEPENDS table ...  PRIVATE TBB::tbb ...  TESTS a_test.cc ...
#                 SECONDS 30)
#
# One folder, one static library `rankveil_NAME`, and its unit tests beside the code. DEPENDS names
# modules below it; PRIVATE names other people's libraries, which users of the module do not see.
# SECONDS: about how long the tests take, if long. Long ones start first, or one core waits for them
# in the end.
function(rankveil_module name)
  cmake_parse_arguments(arg "" "SECONDS" "SOURCES;DEPENDS;PRIVATE;TESTS" ${ARGN})
  set(target rankveil_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(rankveil::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${rankveil_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PUBLIC rankveil_${dependency})
  endforeach()
  rankveil_private_libraries(${target} fmt::fmt ${arg_PRIVATE})
  rankveil_warnings(${target})
  set_property(GLOBAL APPEND PROPERTY rankveil_modules ${target})
  if(RANKVEIL_DEVELOP AND arg_TESTS)
    rankveil_test(${name}_test SOURCES ${arg_TESTS} LIBRARIES ${target} SECONDS ${arg_SECONDS})
  endif()
endfunction()

# A static library passes what it links on to its users, even when private. Header-only libraries
# are included and not linked, so that users of an installed rankveil need not have them. The
# packages of the others are remembered: rankveilConfig.cmake finds them again.
function(rankveil_private_libraries target)
  foreach(library IN LISTS ARGN)
    set(type "")
    if(TARGET ${library})
      get_target_property(type ${library} TYPE)
    endif()
    if(type STREQUAL "INTERFACE_LIBRARY")
      target_include_directories(${target} SYSTEM PRIVATE
        $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
      target_compile_definitions(${target} PRIVATE
        $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
    else()
      target_link_libraries(${target} PRIVATE ${library})
      if(library MATCHES "^([A-Za-z0-9_]+)::")
        set_property(GLOBAL APPEND PROPERTY rankveil_packages ${CMAKE_MATCH_1})
      endif()
    endif()
  endforeach()
endfunction()

# rankveil_test(NAME  SOURCES a_test.cc ...  LIBRARIES target ...  SECONDS 30)
#
# What tests spend their time in is the library; their own code is compiled more often than it runs.
function(rankveil_test name)
  cmake_parse_arguments(arg "" "SECONDS" "SOURCES;LIBRARIES" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} fmt::fmt GTest::gtest GTest::gmock GTest::gtest_main)
  rankveil_warnings(${name})
  if(RANKVEIL_CHECKED)
    target_compile_options(${name} PRIVATE -O0)
  else()
    target_compile_options(${name} PRIVATE -O1)
  endif()
  if(CMAKE_CXX_CLANG_TIDY)  # the macros of GoogleTest cost the analyzer half a minute a file
    set_target_properties(${name} PROPERTIES
      CXX_CLANG_TIDY "${CMAKE_CXX_CLANG_TIDY};--checks=-clang-analyzer-*,-performance-*")
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
  if(arg_SECONDS)
    set_tests_properties(${name} PROPERTIES COST ${arg_SECONDS})
  endif()
endfunction()

# rankveil_fuzzer(NAME  SOURCES fuzz_name.cc  LIBRARIES target ...  CORPUS folder)
#
# The sources define LLVMFuzzerTestOneInput. With RANKVEIL_FUZZ the program fuzzes (libFuzzer); it
# is always a quick test that runs every file of the corpus once.
function(rankveil_fuzzer name)
  cmake_parse_arguments(arg "" "CORPUS" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} fmt::fmt)
  rankveil_warnings(${name})
  if(RANKVEIL_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${name} COMMAND ${name} -runs=0 ${arg_CORPUS})
  else()
    target_sources(${name} PRIVATE ${rankveil_SOURCE_DIR}/tests/fuzz/replay_main.cc)
    add_test(NAME ${name} COMMAND ${name} ${arg_CORPUS})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS fuzz)
endfunction()

# GCC 12 sees overlap in strings joined with + where there is none (its bug 105651). Where sources
# are compiled as one, a local name may be that of another source's constant, and GCC takes a class
# that is defined in a source for one of a header: no warnings for either.
function(rankveil_warnings target)
  get_target_property(together ${target} UNITY_BUILD)
  set(shadow -Wshadow)
  if(together)
    set(shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
        $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra ${shadow} -Wconversion
    -Wno-sign-conversion
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    $<$<BOOL:${RANKVEIL_WERROR}>:-Werror>)
endfunction()
