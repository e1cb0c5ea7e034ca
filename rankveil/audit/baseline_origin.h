// Whether a baseline is held against what it was written from.
//
// What ties it is what stays the same while one product is built again and again: the name of the
// target (its file, without folders: CI jobs check out where they like), its kind, its attributes,
// the scheme with its l, and the promise. Rows come and go, so their number and fingerprint only
// make a note.
#pragma once

#include <string>

#include "rankveil/audit/audit_report.h"

namespace rankveil::audit {

// What a baseline keeps of a subject: no folders, and not where table and policy were.
Subject origin_of(Subject subject);

// What differs, "the scheme was pvsv and is swap; l was 2 and is 3"; empty: it fits.
std::string misfit(const Subject& then, const Subject& now);
// A sentence when the rows are others than they were; else empty.
std::string changed_rows(const Subject& then, const Subject& now);

}  // namespace rankveil::audit
