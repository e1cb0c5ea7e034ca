// Against an HTTP service of our own, which can be told to misbehave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include "rankveil/attack/targets/open_target.h"
#include "rankveil/attack/testing/campaign.h"
#include "rankveil/attack/testing/fake_clock.h"

namespace rankveil::attack {
namespace {

using testing::HasSubstr;
using testing_support::Campaign;
using testing_support::FakeClock;
using testing_support::PeopleRanking;

enum class Fault { None, Busy, Broken, BrokenAfter, Dropped, Silent, Garbage, Redirect };

class RankingServer {
 public:
  explicit RankingServer(const Table& table) : ranking_(table) {
    server_.Post("/rank", handler([this](const auto& in, auto& out) { rank_body(in, out); }));
    server_.Get("/search", handler([this](const auto& in, auto& out) { rank_params(in, out); }));
    server_.Post("/people", handler([this](const auto& in, auto& out) { add(in, out); }));
    server_.Put(R"(/people/(.+))", handler([this](const auto& in, auto& out) { put(in, out); }));
    server_.Delete(R"(/people/(.+))", handler([this](const auto& in, auto& out) {
                     out.status = ranking_.remove(in.matches[1]) ? 204 : 404;
                   }));
    server_.set_tcp_nodelay(true);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~RankingServer() {
    server_.stop();
    thread_.join();
  }

  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::size_t people() {
    std::lock_guard lock(mutex_);
    return ranking_.size();
  }
  // The next requests meet these, in order; `every` repeats one at each n-th request.
  void misbehave(std::deque<Fault> faults) {
    std::lock_guard lock(mutex_);
    faults_ = std::move(faults);
  }
  void misbehave_every(int n, std::vector<Fault> faults) {
    std::lock_guard lock(mutex_);
    every_ = n;
    repeated_ = std::move(faults);
  }
  int requests() const { return requests_; }
  std::string last_token() {
    std::lock_guard lock(mutex_);
    return token_;
  }

 private:
  using Handle = std::function<void(const httplib::Request&, httplib::Response&)>;

  httplib::Server::Handler handler(Handle handle) {
    return [this, handle](const httplib::Request& in, httplib::Response& out) {
      std::unique_lock lock(mutex_);
      token_ = in.get_header_value("Authorization");
      Fault fault = next_fault();
      if (fault == Fault::None || fault == Fault::BrokenAfter) handle(in, out);
      lock.unlock();
      act(fault, out);
    };
  }

  Fault next_fault() {
    int number = ++requests_;
    if (!faults_.empty()) {
      Fault fault = faults_.front();
      faults_.pop_front();
      return fault;
    }
    if (every_ == 0 || number % every_ != 0) return Fault::None;
    return repeated_[static_cast<std::size_t>(number / every_) % repeated_.size()];
  }

  static void act(Fault fault, httplib::Response& out) {
    switch (fault) {
      case Fault::None:
        break;
      case Fault::Busy:
        out.status = 429;
        out.set_header("Retry-After", "7");
        break;
      case Fault::Broken:
      case Fault::BrokenAfter:
        out.status = 500;
        out.set_content("out of\nmemory", "text/plain");
        break;
      case Fault::Dropped:
        out.set_content_provider(
            1000, "application/json",
            [](std::size_t, std::size_t, httplib::DataSink&) { return false; });
        break;
      case Fault::Silent:
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        break;
      case Fault::Garbage:
        out.set_content("<html>welcome</html>", "text/html");
        break;
      case Fault::Redirect:
        out.set_redirect("http://elsewhere.example/");
        break;
    }
  }

  void answer(const Query& query, std::size_t k, httplib::Response& out) {
    Json::Array hits;
    for (const std::string& id : ranking_.best(query, k)) {
      // Numbers and texts in turn: both are ids.
      bool is_number =
          id.find_first_not_of("0123456789") == std::string::npos && id.size() % 2 == 1;
      Json hit;
      hit.set("id", is_number ? Json(std::stoi(id)) : Json(id)).set("name", "somebody");
      hits.push_back(std::move(hit));
    }
    Json body;
    body.set("result", Json().set("hits", std::move(hits)));
    out.set_content(body.dump(-1), "application/json");
  }

  void rank_body(const httplib::Request& in, httplib::Response& out) {
    auto body = parse_json(in.body);
    auto query = query_from_json(ranking_.schema(), *body->find("want"));
    answer(*query, static_cast<std::size_t>(*body->find("limit")->as_integer()), out);
  }

  void rank_params(const httplib::Request& in, httplib::Response& out) {
    Query query = empty_query(ranking_.schema());
    for (std::uint32_t i = 0; i < ranking_.schema().size(); ++i) {
      const Attribute& attribute = ranking_.schema().attributes[i];
      std::size_t count = in.get_param_value_count(attribute.name);
      for (std::size_t n = 0; n < count; ++n) {
        auto value = attribute.domain.find(in.get_param_value(attribute.name, n));
        ASSERT_TRUE(value) << in.get_param_value(attribute.name, n);
        query.wanted[i].push_back(*value);
      }
    }
    answer(query, std::stoul(in.get_param_value("k")), out);
  }

  void add(const httplib::Request& in, httplib::Response& out) {
    auto row = query_from_json(ranking_.schema(), *parse_json(in.body));
    std::string id = "person " + std::to_string(++added_);
    ranking_.add(id, *row);
    out.set_content(Json().set("created", Json().set("id", id)).dump(-1), "application/json");
  }

  void put(const httplib::Request& in, httplib::Response& out) {
    ranking_.add(in.matches[1], *query_from_json(ranking_.schema(), *parse_json(in.body)));
    out.status = 201;
  }

  httplib::Server server_;
  PeopleRanking ranking_;
  std::thread thread_;
  std::mutex mutex_;
  int port_ = 0;
  std::atomic<int> requests_ = 0;
  int added_ = 0;
  std::deque<Fault> faults_;
  int every_ = 0;
  std::vector<Fault> repeated_;
  std::string token_;
};

class HttpTarget : public testing::Test {
 protected:
  // As somebody would write it in a file.
  std::string file(std::string_view rest = "") const {
    return "kind = \"http\"\nbackoff = 0.5\ntimeout = 5\n" + std::string(rest) +
           "\n[query]\nurl = \"" + server_.address() +
           "/rank\"\nbody = '{\"want\": ${query}, \"limit\": ${k}}'\nids = \"/result/hits/*/id\"\n";
  }
  std::string insert_section() const {
    return "[insert]\nurl = \"" + server_.address() +
           "/people\"\nbody = '${row}'\nid = \"/created/id\"\n";
  }
  std::string remove_section() const {
    return "[remove]\nurl = \"" + server_.address() + "/people/${id}\"\n";
  }

  Result<std::unique_ptr<LiveTarget>> open(const std::string& text, TargetOptions options = {}) {
    auto config = parse_target(text, "t.toml");
    if (!config) return config.error();
    options.k = campaign_.k;
    options.clock = &clock_;
    return open_target(*config, campaign_.table.schema(), campaign_.table.names(), options);
  }
  std::string refusal(const std::string& text) {
    auto target = open(text);
    EXPECT_FALSE(target);
    return target ? "" : target.error().message;
  }

  Campaign campaign_;
  RankingServer server_{campaign_.table};
  FakeClock clock_;
};

TEST_F(HttpTarget, GivesWhatAnIndexGivesAndRemovesItsRows) {
  auto target = open(file() + insert_section() + remove_section());
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign_, **target);
  EXPECT_EQ(server_.people(), 60U);
  EXPECT_TRUE((*target)->notes().empty());
}

TEST_F(HttpTarget, ValuesInAddressesAreEncoded) {
  std::string url = server_.address() + "/search?k=${k}";
  for (const Attribute& attribute : campaign_.table.schema().attributes) {
    std::string name = attribute.name == "job title" ? "job%20title" : attribute.name;
    url += "$[&" + name + "=${each:" + attribute.name + "}$]";
  }
  auto target = open("kind = \"http\"\nfirst_id = 2000\n[query]\nurl = \"" + url +
                     "\"\nids = \"/result/hits/*/id\"\n[insert]\nmethod = \"PUT\"\nurl = \"" +
                     server_.address() + "/people/${id}\"\nbody = '${row}'\n" + remove_section());
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_TRUE((*target)->takes_sets());
  expect_same_findings(campaign_, **target);
  EXPECT_EQ(server_.people(), 60U);
}

TEST_F(HttpTarget, WithoutAWayToRemoveThemOldRowsAreLeftOut) {
  campaign_.k = 60;  // more than enough for those that stay
  auto target = open(file() + insert_section());
  ASSERT_TRUE(target) << target.error().message;
  auto reports = live_reports(campaign_, **target);
  ASSERT_TRUE(reports) << reports.error().message;
  EXPECT_GT(server_.people(), 60U);
  ASSERT_FALSE((*target)->notes().empty());
  EXPECT_THAT((*target)->notes().back(), HasSubstr("stay in the target"));
}

TEST_F(HttpTarget, ErrorsAndLostConnectionsAreSurvived) {
  server_.misbehave_every(3, {Fault::Busy, Fault::Broken, Fault::Dropped});
  auto target = open(file() + insert_section() + remove_section());
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign_, **target);
  EXPECT_EQ(server_.people(), 60U);
  EXPECT_GT(clock_.slept(), 7) << "Retry-After was kept";
}

TEST_F(HttpTarget, ASilentServerIsATimeOut) {
  server_.misbehave({Fault::Silent});
  std::string quick = file();
  quick.replace(quick.find("timeout = 5"), 11, "timeout = 0.1");
  auto target = open(quick);
  ASSERT_TRUE(target) << target.error().message;
  auto rows = (*target)->query(empty_query(campaign_.table.schema()));
  EXPECT_TRUE(rows) << rows.error().message;
  server_.misbehave({5, Fault::Silent});
  rows = (*target)->query(empty_query(campaign_.table.schema()));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("(asked 4 times): no answer within 0.1 s"));
}

// The server adds the row and then fails: the second try adds another one, and the first turns up
// in answers under an id that nobody told us.
TEST_F(HttpTarget, ARowOfALostAnswerIsLeftOut) {
  auto target = open(file() + insert_section() + remove_section());
  ASSERT_TRUE(target) << target.error().message;
  server_.misbehave({Fault::BrokenAfter});
  std::vector<ValueId> row(5, ValueId{0});
  auto number = (*target)->insert(row);
  ASSERT_TRUE(number) << number.error().message;
  EXPECT_EQ(*number, 60U);
  EXPECT_EQ(server_.people(), 62U);
  Query query = empty_query(campaign_.table.schema());
  for (auto& values : query.wanted) values = {ValueId{0}};
  auto rows = (*target)->query(query);
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->size(), campaign_.k - 1);
  EXPECT_THAT(*rows, testing::Contains(60U));
}

TEST_F(HttpTarget, AnswersThatMakeNoSenseAreErrorsAtOnce) {
  auto target = open(file());
  ASSERT_TRUE(target) << target.error().message;
  Query query = empty_query(campaign_.table.schema());
  query.wanted[1] = {ValueId{1}};
  server_.misbehave({Fault::Garbage});
  auto rows = (*target)->query(query);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("{\"age\":\"30\"}"));
  EXPECT_THAT(rows.error().message, HasSubstr("<html>welcome</html>"));
  server_.misbehave({Fault::Redirect});
  rows = (*target)->query(query);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("redirects are not followed"));
  EXPECT_EQ(server_.requests(), 2);
  server_.misbehave({9, Fault::Broken});
  rows = (*target)->query(query);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("asked 4 times"));
  EXPECT_THAT(rows.error().message, HasSubstr("status 500: out of memory"));
}

TEST_F(HttpTarget, TheRateIsKeptAlsoByRetries) {
  server_.misbehave_every(4, {Fault::Broken});
  auto target = open(file("rate = 5"));
  ASSERT_TRUE(target) << target.error().message;
  std::vector<double> times;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE((*target)->query(empty_query(campaign_.table.schema())));
    times.push_back(clock_.now());
  }
  for (std::size_t i = 5; i < times.size(); ++i) {
    EXPECT_GE(times[i] - times[i - 5], 1 - 1e-9) << "five answers a second";
  }
  EXPECT_GE(clock_.now(), (server_.requests() - 1) / 5.0 - 1e-9);
}

TEST_F(HttpTarget, TheTokenComesFromTheEnvironment) {
  std::string with_token =
      file() + "[headers]\nAuthorization = \"Bearer ${env:RANKVEIL_TEST_TOKEN}\"\n";
  unsetenv("RANKVEIL_TEST_TOKEN");
  EXPECT_THAT(refusal(with_token), HasSubstr("RANKVEIL_TEST_TOKEN, which is not set"));
  setenv("RANKVEIL_TEST_TOKEN", "s3cret\r\nX: y", 1);
  EXPECT_THAT(refusal(with_token), HasSubstr("control character"));
  setenv("RANKVEIL_TEST_TOKEN", "s3cret", 1);
  auto target = open(with_token);
  ASSERT_TRUE(target) << target.error().message;
  ASSERT_TRUE((*target)->query(empty_query(campaign_.table.schema())));
  EXPECT_EQ(server_.last_token(), "Bearer s3cret");
}

TEST_F(HttpTarget, OtherMachinesAreRefusedUnlessAllowed) {
  std::string remote = file();
  remote.replace(remote.find("127.0.0.1"), 9, "ranking.example");
  EXPECT_THAT(refusal(remote), HasSubstr("\"ranking.example\", which is not this machine"));
  EXPECT_TRUE(open(remote, {.allow_remote = true}));
  EXPECT_EQ(server_.requests(), 0);
}

TEST_F(HttpTarget, MistakesAreToldWhenItIsOpened) {
  auto with = [&](const std::string& from, const std::string& to) {
    std::string text = file();
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  EXPECT_THAT(with("${query}", "${one:city}"), HasSubstr("does not name the attribute \"age\""));
  EXPECT_THAT(with("${query}", "${one:citty}"), HasSubstr("did you mean city?"));
  EXPECT_THAT(with("${query}", "${row}"), HasSubstr("${row}, which is not known here"));
  EXPECT_THAT(with("${k}}", "${k}"), HasSubstr("does not make JSON"));
  EXPECT_THAT(with("http://127", "ftp://127"), HasSubstr("http://"));
  EXPECT_THAT(with("http://127.0.0.1", "http://${k}.0.0.1"), HasSubstr("host"));
  EXPECT_THAT(with("\"/result", "\"result"), HasSubstr("/hits/*/id"));
  std::string without_id = insert_section();
  without_id.erase(without_id.find("id ="));
  EXPECT_THAT(refusal(file() + without_id), HasSubstr("does not tell the new row's id"));
}

TEST_F(HttpTarget, NobodyThereIsAClearError) {
  std::string text = file();
  text.replace(text.find(server_.address()), server_.address().size(), "http://127.0.0.1:1");
  auto target = open(text);
  ASSERT_TRUE(target) << target.error().message;
  auto rows = (*target)->query(empty_query(campaign_.table.schema()));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("http://127.0.0.1:1 failed at the query {}"));
  EXPECT_THAT(rows.error().message, HasSubstr("cannot be reached"));
}

TEST_F(HttpTarget, AnIdThatIsNotInTheTableIsAnErrorOrLeftOut) {
  IntegerNames fewer;
  for (int row = 0; row < 59; ++row) fewer.values.push_back(101 + row);
  auto open_with = [&](const std::string& text) {
    return *open_target(*parse_target(text, "t.toml"), campaign_.table.schema(), RowNames(fewer),
                        {.k = campaign_.k});
  };
  Query query = empty_query(campaign_.table.schema());
  auto strict = open_with(file())->query(query);
  ASSERT_FALSE(strict);
  EXPECT_THAT(strict.error().message, HasSubstr("the id \"100\", which is not in the table of 59"));
  auto lenient = open_with(file("unknown_ids = \"skip\""));
  auto rows = lenient->query(query);
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->size(), campaign_.k - 1);
  EXPECT_EQ(rows->front(), 0U);
  ASSERT_EQ(lenient->notes().size(), 1U);
  EXPECT_THAT(lenient->notes()[0], HasSubstr("\"100\""));
}

}  // namespace
}  // namespace rankveil::attack
