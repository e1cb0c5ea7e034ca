// Xapian: a document per row, a term per (attribute, value), an OR query that counts matching
// terms.
#include <fmt/format.h>
#include <xapian.h>

#include "bench/versus/topk/child.h"
#include "bench/versus/topk/peers.h"

namespace rankveil::versus {
namespace {

std::string term(std::size_t attribute, int value) {
  return fmt::format("{}:{}", attribute, value);
}

class XapianPeer : public Contestant {
 public:
  std::string name() const override { return "Xapian"; }
  std::string version() const override { return std::string("Xapian ") + Xapian::version_string(); }
  bool supports(const Case& what) const override {
    return what.kind == Kind::Exact && what.has_unit_weights && !what.is_batch &&
           what.threads == 1 && what.asked == 20;
  }

  // Xapian throws; nothing of it leaves this file.
  Status prepare(const Data& data) override {
    try {
      write(data);
      database_ = Xapian::Database(folder_.path() + "/index");
      return {};
    } catch (const Xapian::Error& error) {
      return io_error("Xapian says: " + error.get_description());
    }
  }

  Status ask(const Task& task) override {
    queries_.clear();
    for (const Question& question : task.questions) {
      std::vector<std::string> terms;
      for (std::size_t a = 0; a < question.wanted.size(); ++a) {
        if (question.wanted[a] != no_wish) terms.push_back(term(a, question.wanted[a]));
      }
      queries_.emplace_back(Xapian::Query::OP_OR, terms.begin(), terms.end());
    }
    return {};
  }

  Status run(std::size_t question, Hits& hits) override {
    try {
      Xapian::Enquire enquire(database_);
      enquire.set_weighting_scheme(Xapian::CoordWeight());
      enquire.set_docid_order(Xapian::Enquire::ASCENDING);
      enquire.set_query(queries_[question]);
      Xapian::MSet found = enquire.get_mset(0, top_k);
      hits.clear();
      for (auto hit = found.begin(); hit != found.end(); ++hit) {
        hits.push_back({*hit - 1, hit.get_weight()});
      }
      return {};
    } catch (const Xapian::Error& error) {
      return io_error("Xapian says: " + error.get_description());
    }
  }

 private:
  void write(const Data& data) {
    Xapian::WritableDatabase database(folder_.path() + "/index", Xapian::DB_CREATE |
                                                                     Xapian::DB_NO_SYNC |
                                                                     Xapian::DB_BACKEND_GLASS);
    for (std::uint32_t row = 0; row < data.table->rows; ++row) {
      Xapian::Document document;
      for (std::uint32_t a = 0; a < data.table->attributes(); ++a) {
        document.add_boolean_term(term(a, data.table->columns[a][row]));
      }
      database.add_document(document);  // documents are numbered from 1 in this order
    }
    database.commit();
  }

  TemporaryFolder folder_;
  Xapian::Database database_;
  std::vector<Xapian::Query> queries_;
};

}  // namespace

std::unique_ptr<Contestant> make_xapian() { return std::make_unique<XapianPeer>(); }

}  // namespace rankveil::versus
