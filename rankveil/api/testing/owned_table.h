// A table on disk and its owner, for tests of what happens to it from one build to the next.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rankveil/api/population.h"
#include "rankveil/api/protect.h"
#include "rankveil/base/file.h"
#include "rankveil/base/keys/key_file.h"
#include "rankveil/base/random.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api::testing_support {

struct OwnedRow {
  std::string id;
  std::string city, age;          // public
  std::string religion, illness;  // private
};

class OwnedTable {
 public:
  explicit OwnedTable(const std::string& scheme = "swap") : scheme_(scheme) {
    EXPECT_TRUE(write_key_file(SecretKey::from_seed(1), path("people.key")));
  }

  OwnedRow person(Rng& rng) {
    return {fmt::format("p{}", next_id_++), fmt::format("city{}", rng.below(3)),
            fmt::format("{}", 20 + rng.below(5)), fmt::format("r{}", rng.below(4)),
            fmt::format("i{}", rng.below(3))};
  }
  void add(Rng& rng, int count) {
    for (int i = 0; i < count; ++i) rows.push_back(person(rng));
  }

  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string ledger() const { return path("people.key.default.ledger"); }

  // What `protect` is asked; public columns that are not served are left out of the policy.
  ProtectRequest request(const std::string& output = "people.rankveil",
                         const std::vector<std::string>& publics = {"city", "age"}) const {
    write(publics);
    ProtectRequest asked;
    asked.input.source.path = path("people.csv");
    asked.input.policy_path = path("people.toml");
    asked.input.threads = 1;
    asked.key_path = path("people.key");
    asked.output = path(output);
    asked.today = today;
    return asked;
  }

  Result<ProtectResult> build(const std::string& output = "people.rankveil") const {
    return protect(request(output));
  }

  // By id, private column and value.
  using Shown = std::map<std::string, std::map<std::string, double>>;
  Shown shown(const std::string& output = "people.rankveil") const {
    auto index = open_index(path(output));
    EXPECT_TRUE(index) << index.error().message;
    Shown all;
    const Schema& schema = index->schema();
    for (std::uint32_t row = 0; row < index->rows(); ++row) {
      auto& own = all[index->name(RowId{row})];
      for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
        const Attribute& attribute = schema.attributes[schema.public_count() + j];
        for (std::uint32_t v = 0; v < attribute.domain.size(); ++v) {
          ValueId value{static_cast<std::uint16_t>(v)};
          own[attribute.name + "=" + attribute.domain.text(value)] =
              index->match(RowId{row}, PrivateId{j}, value);
        }
      }
    }
    return all;
  }

  // The values that rows show, by id; of rows that show their base alone nothing.
  std::map<std::string, std::set<std::string>> signals(const std::string& output) const {
    auto index = open_index(path(output));
    EXPECT_TRUE(index) << index.error().message;
    Profiles profiles = index->profiles();
    const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds());
    const LevelProfiles& strengths =
        grouped == nullptr ? std::get<LevelProfiles>(profiles.kinds()) : grouped->signals;
    const Schema& schema = index->schema();
    std::map<std::string, std::set<std::string>> all;
    for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
      const Attribute& attribute = schema.attributes[schema.public_count() + j];
      strengths.for_each_bit(PrivateId{j}, [&](RowId row, ValueId value, std::uint32_t) {
        all[index->name(row)].insert(attribute.name + "=" + attribute.domain.text(value));
      });
    }
    return all;
  }

  // Every file there is with what it holds, but for the table and its policy.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::string name = entry.path().filename().string();
      if (name == "people.csv" || name == "people.toml") continue;
      all[name] = *read_text(entry.path().string());
    }
    return all;
  }

  std::vector<OwnedRow> rows;
  std::string keys;      // at the head of the policy
  std::string sections;  // at its end
  std::uint32_t l = 3;
  std::uint32_t today = 20'000;

 private:
  void write(const std::vector<std::string>& publics) const {
    std::string csv = "id,city,age,religion,illness\n";
    for (const OwnedRow& row : rows) {
      csv += fmt::format("{},{},{},{},{}\n", row.id, row.city, row.age, row.religion, row.illness);
    }
    EXPECT_TRUE(write_text(path("people.csv"), csv));
    std::string policy = fmt::format("{}\nl = {}\nscheme = \"{}\"\n", keys, l, scheme_);
    policy += "[column.id]\nrole = \"id\"\n[column.religion]\nrole = \"private\"\n";
    policy += "[column.illness]\nrole = \"private\"\n";
    for (const char* column : {"city", "age"}) {
      bool served = std::ranges::find(publics, column) != publics.end();
      policy += fmt::format("[column.{}]\nrole = \"{}\"\n", column, served ? "public" : "ignored");
    }
    EXPECT_TRUE(write_text(path("people.toml"), policy + sections));
  }

  std::string scheme_;
  int next_id_ = 0;
  TemporaryFolder folder_{"rankveil-life"};
};

}  // namespace rankveil::api::testing_support
