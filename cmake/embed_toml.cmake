# rankveil_embed_toml(OUTPUT TEMPLATE FOLDER NAME...): the files FOLDER/NAME.toml as entries
# {"NAME", "text"} of one source of the library, where TEMPLATE has @embedded_entries@.
function(rankveil_embed_toml output template folder)
  set(embedded_entries "")
  foreach(name IN LISTS ARGN)
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${name}.toml)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND embedded_entries "      {\"${name}\", R\"toml(${text})toml\"},\n")
  endforeach()
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/${template} ${output} @ONLY)
endfunction()
