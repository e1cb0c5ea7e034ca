# Run by ctest; see CMakeLists.txt beside it.
set(work "${binary_dir}/tests/install/${way} way")  # a space on purpose

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${work}")
if(way STREQUAL "package")
  run(${CMAKE_COMMAND} --install ${binary_dir} --prefix "${work}/prefix")
  # Moved before use: nothing installed may remember where it was.
  file(RENAME "${work}/prefix" "${work}/moved prefix")
  set(how "-DCMAKE_PREFIX_PATH=${work}/moved prefix")
  if(EXISTS "${work}/moved prefix/bin/rankveil")
    run("${work}/moved prefix/bin/rankveil" --version)
    foreach(file man/man1/rankveil.1 man/man1/rankveil-graph-attack.1 zsh/site-functions/_rankveil
            bash-completion/completions/rankveil fish/vendor_completions.d/rankveil.fish)
      if(NOT EXISTS "${work}/moved prefix/share/${file}")
        message(FATAL_ERROR "share/${file} was not installed")
      endif()
    endforeach()
  endif()
else()
  set(how "-DRANKVEIL_SOURCE=${source_dir}" "-DRANKVEIL_DUCKDB_DIR=${duckdb_dir}")
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${source_dir}/tests/install/user -B "${work}/build"
    -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_CXX_FLAGS=-O0 ${how})
run(${CMAKE_COMMAND} --build "${work}/build" --target user)
run("${work}/build/user")
