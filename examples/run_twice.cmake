# Run by ctest; see CMakeLists.txt beside it. Also by tests/install.
file(REMOVE_RECURSE "${folder}")
file(MAKE_DIRECTORY "${folder}")
set(said "")
foreach(run RANGE 1 2)
  execute_process(COMMAND "${program}" "${source}/people.csv" "${source}/people.toml" "${folder}"
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  string(CONCAT form "^a gain of at most 0.333 [^\n]*, for [0-9]+ of 200 rows\n"
    "[a-z0-9]+ scores 0.[67][0-9]+\n[a-z0-9]+ scores 0.[67][0-9]+\n[a-z0-9]+ scores 0.[67][0-9]+\n$")
  if(NOT output MATCHES "${form}")
    message(FATAL_ERROR "run ${run} printed:\n${output}")
  endif()
  list(APPEND said "${output}")
endforeach()
list(REMOVE_DUPLICATES said)
list(LENGTH said different)
if(different GREATER 1)
  message(FATAL_ERROR "the second run printed something else:\n${said}")
endif()
