// What reading and writing tell their caller: how far they are, and which source went wrong.
#pragma once

#include <string>
#include <utility>

#include "rankveil/base/error.h"
#include "rankveil/base/progress.h"
#include "rankveil/connect/source.h"

namespace rankveil::connect {

// The error with its source in front, unless the message names it already.
Error in_source(const Source& source, const Error& error);

// A source that names columns and holds nothing below them.
Error no_rows();

// Passes on progress that moves by half a percent or more, and only forward.
class Teller {
 public:
  Teller(const Progress& progress, std::string what)
      : progress_(progress), what_(std::move(what)) {}

  void operator()(double done);
  void finish() { report(progress_, what_, 1); }

 private:
  const Progress& progress_;
  std::string what_;
  double told_ = -1;
};

}  // namespace rankveil::connect
