#include "tests/audit/ranking_server.h"

#include <fmt/core.h>
#include <httplib.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <mutex>
#include <thread>

#include "rankveil/attack/targets/awkward_people.h"

namespace rankveil::tests {

namespace {

using attack::testing_support::PeopleRanking;

template <auto free>
struct Free {
  template <typename T>
  void operator()(T* thing) const {
    free(thing);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;

void name_host(X509* certificate, const char* address) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  std::string names = fmt::format("IP:{}", address);
  std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, NID_subject_alt_name, names.c_str()));
  X509_add_ext(certificate, extension.get(), -1);
}

// Signed by itself, good for an hour.
Certificate make_certificate(EVP_PKEY* key) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* name = X509_get_subject_name(certificate.get());
  const auto* text = reinterpret_cast<const unsigned char*>("127.0.0.1");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  name_host(certificate.get(), "127.0.0.1");
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

std::string pem_of(X509* certificate) {
  std::unique_ptr<BIO, Free<BIO_free_all>> memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(memory.get(), certificate);
  char* text = nullptr;
  auto size = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

struct RankingServer::State {
  State(const Table& table, Speaks speaks) : ranking(table) {
    if (speaks == Speaks::Http) {
      server = std::make_unique<httplib::Server>();
    } else {
      key.reset(EVP_EC_gen("P-256"));
      trusted = make_certificate(key.get());
      server = std::make_unique<httplib::SSLServer>(trusted.get(), key.get());
    }
    serve();
    port = server->bind_to_any_port("127.0.0.1");
    thread = std::thread([this] { server->listen_after_bind(); });
    while (!server->is_running()) std::this_thread::yield();
  }
  ~State() {
    server->stop();
    thread.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void serve() {
    server->set_tcp_nodelay(true);
    server->Post("/rank", handler([this](const auto& in, auto& out) { rank(in, out); }));
    server->Post("/people", handler([this](const auto& in, auto& out) { add(in, out); }));
    server->Delete(R"(/people/(.+))",
                   handler([this](const auto& in, auto& out) { remove(in.matches[1], out); }));
  }

  using Handle = std::function<void(const httplib::Request&, httplib::Response&)>;
  httplib::Server::Handler handler(Handle handle) {
    return [this, handle](const httplib::Request& in, httplib::Response& out) {
      std::lock_guard lock(mutex);
      if (before) before(in.path, ranking.size());
      handle(in, out);
    };
  }

  void rank(const httplib::Request& in, httplib::Response& out) {
    auto body = parse_json(in.body);
    auto query = query_from_json(ranking.schema(), *body->find("want"));
    auto k = static_cast<std::size_t>(*body->find("limit")->as_integer());
    Json answer = Json().set("ids", json_texts(ranking.best(*query, k)));
    out.set_content(answer.dump(-1), "application/json");
  }

  void remove(const std::string& id, httplib::Response& out) {
    if (removals == most_removals) {
      out.status = 403;
      return;
    }
    ++removals;
    out.status = ranking.remove(id) ? 204 : 404;
  }

  void add(const httplib::Request& in, httplib::Response& out) {
    auto row = query_from_json(ranking.schema(), *parse_json(in.body));
    std::string id = fmt::format("new-{}", ++added);
    ranking.add(id, *row);
    out.set_content(Json().set("id", id).dump(-1), "application/json");
  }

  Key key;
  Certificate trusted;
  std::unique_ptr<httplib::Server> server;
  std::mutex mutex;
  PeopleRanking ranking;
  std::function<void(const std::string&, std::size_t)> before;
  int added = 0;
  std::size_t removals = 0;
  std::size_t most_removals = SIZE_MAX;
  int port = 0;
  std::thread thread;
};

RankingServer::RankingServer(const Table& table, Speaks speaks)
    : state_(std::make_unique<State>(table, speaks)) {}
RankingServer::~RankingServer() = default;

std::string RankingServer::target_file() const {
  std::string address =
      fmt::format("{}://127.0.0.1:{}", state_->trusted ? "https" : "http", state_->port);
  return fmt::format(
      "kind = \"http\"\n"
      "[query]\nurl = \"{0}/rank\"\nbody = '{{\"want\": ${{query}}, \"limit\": ${{k}}}}'\n"
      "ids = \"/ids\"\n"
      "[insert]\nurl = \"{0}/people\"\nbody = '${{row}}'\nid = \"/id\"\n"
      "[remove]\nurl = \"{0}/people/${{id}}\"\n",
      address);
}

std::string RankingServer::certificate() const {
  return state_->trusted ? pem_of(state_->trusted.get()) : "";
}

std::size_t RankingServer::people() const {
  std::lock_guard lock(state_->mutex);
  return state_->ranking.size();
}

std::size_t RankingServer::removals() const {
  std::lock_guard lock(state_->mutex);
  return state_->removals;
}

void RankingServer::allow_removals(std::size_t most) {
  std::lock_guard lock(state_->mutex);
  state_->removals = 0;
  state_->most_removals = most;
}

void RankingServer::before_each(std::function<void(const std::string&, std::size_t)> act) {
  std::lock_guard lock(state_->mutex);
  state_->before = std::move(act);
}

}  // namespace rankveil::tests
