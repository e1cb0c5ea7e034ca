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
  # The engine room is nobody's business: a change there breaks no program.
  set(include "${work}/moved prefix/include/rankveil")
  file(GLOB_RECURSE headers RELATIVE "${include}" "${include}/*.h")
  list(LENGTH headers count)
  if(count LESS 100)
    message(FATAL_ERROR "only ${count} headers were installed")
  endif()
  string(CONCAT internal "/testing/|^ranking/(kernels|store|scan)/|^table/toml/|^connect/(relation|duckdb)/|"
    # Of protect/ what api/protect.h speaks in: no program protects by another way.
    "^protect/(task|scheme)[.]h|^protect/(swap|cluster|capped|chance|sets|pvst|esvt|estt)/|"
    "^protect/(groups|ledger|life|release)/|^protect/rows/keyed_order")
  foreach(header IN LISTS headers)
    if(header MATCHES "${internal}")
      message(FATAL_ERROR "${header} was installed, which is internal")
    endif()
  endforeach()
  if(EXISTS "${work}/moved prefix/bin/rankveil")
    run("${work}/moved prefix/bin/rankveil" --version)
    foreach(file man/man1/rankveil.1 man/man1/rankveil-query.1 zsh/site-functions/_rankveil
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
    -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_CXX_FLAGS=-O0 ${how}
    -DEXAMPLES=${source_dir}/examples)
run(${CMAKE_COMMAND} --build "${work}/build" --target user first_ranking)
run("${work}/build/user")
run(${CMAKE_COMMAND} -D "program=${work}/build/first_ranking" -D "source=${source_dir}/examples"
    -D "folder=${work}/folder" -P "${source_dir}/examples/run_twice.cmake")
