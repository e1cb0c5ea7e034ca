"""Non-interference in its plainest form: an own row with a, with b, with a again, asked each time.

It knows nothing that `rankveil probe` knows but the requests of a ways.toml, and tells what the real
software does; the verdicts of the command are held against it.
"""

import json
import random
import string
import urllib.error
import urllib.parse
import urllib.request

PUBLIC = {"name": "Probe Row", "city": "Ghent", "age_band": "30-39"}
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Answer:
  def __init__(self, status, document):
    self.status = status
    self.document = document

  @property
  def is_refusal(self):
    if isinstance(self.document, dict) and self.document.get("errors") and self.status == 200:
      return True  # GraphQL
    return 400 <= self.status < 500


def fill(shape, places):
  """A copy of texts, lists and tables with {place} filled; a text that is one place keeps its type."""
  if isinstance(shape, dict):
    return {fill(key, places): fill(value, places) for key, value in shape.items()}
  if isinstance(shape, list):
    return [fill(value, places) for value in shape]
  if not isinstance(shape, str):
    return shape
  if shape.startswith("{") and shape[1:-1] in places and shape.endswith("}"):
    return places[shape[1:-1]]
  for name, value in places.items():
    shape = shape.replace("${" + name + "}", str(value)).replace("{" + name + "}", str(value))
  return shape


def without(document, names):
  """A document without the members that change with every write."""
  if isinstance(document, dict):
    return {key: without(value, names) for key, value in document.items() if key not in names}
  if isinstance(document, list):
    return [without(value, names) for value in document]
  return document


def at(document, path):
  for key in path.split("."):
    document = document[int(key) if isinstance(document, list) else key]
  return document


class PlainProbe:
  def __init__(self, url, ways, environment, seed):
    self._url = url
    self._ways = ways
    self._environment = environment
    self._chance = random.Random(seed)
    self.own_rows = []  # removals that are still to be done

  def verdict(self, way, field):
    """LEAK, REFUSED or INERT, by an own row that is made for this and removed."""
    first, second = self._values(field)
    places = self._make_row(field, first)
    try:
      if "related" in way:
        self._relate(self._ways["related"][way["related"]], places)
      answers = []
      for value in (first, second, first):
        self._write(field, value, places)
        answers.append(self._ask(way, field, first, places))
      return self._judge(way, answers)
    finally:
      self.clean()

  def clean(self):
    while self.own_rows:
      self._owner(self.own_rows.pop())

  def _judge(self, way, answers):
    if any(answer.is_refusal for answer in answers):
      return "REFUSED"
    if any(answer.status != 200 for answer in answers):
      return f"status {[answer.status for answer in answers]}"
    names = self._ways.get("volatile", [])
    a, b, again = (json.dumps(without(answer.document, names)) for answer in answers)
    if a != again:
      return "UNSTABLE"
    return "LEAK" if a != b else "INERT"

  def _values(self, field):
    """Two rare values, at both ends of the order."""
    if field.rpartition(".")[2] == "income":
      return 90_000_000 + self._chance.randrange(1_000_000), -self._chance.randrange(1, 1_000_000)
    word = "".join(self._chance.choices(string.ascii_lowercase, k=8))
    return "zzzz" + word, "AAAA" + word

  def _make_row(self, field, value):
    own = self._ways["own"]
    handle = "probe-" + "".join(self._chance.choices(string.ascii_lowercase, k=8))
    row = PUBLIC | {"handle": handle, "religion": "none", "income": 1, "note": "probe"}
    body = own.get("row", row)
    body = self._with_field(fill(body, row), field, value)
    answer = self._owner(own["create"], self._wrapped(body))
    places = row | {"id": at(answer.document, own["id"])}
    self.own_rows.append(fill(own["remove"], places))
    return places

  def _with_field(self, row, field, value):
    outer, dot, inner = field.partition(".")
    if not dot:
      return row | {field: value}
    return row | {outer: {**row.get(outer, {}), inner: value}}

  def _write(self, field, value, places):
    own = self._ways["own"]
    self._owner(fill(own["update"], places), self._wrapped(self._with_field({}, field, value)))
    shown = self._owner(fill(own["read"], places)).document
    if json.dumps(value) not in json.dumps(shown):
      raise AssertionError(f"the owner does not see {value} in {field}: {json.dumps(shown)[:300]}")

  def _wrapped(self, row):
    wrap = self._ways["own"].get("wrap")
    return {wrap: row} if wrap else row

  def _relate(self, related, places):
    answer = self._owner(related["create"], fill(related["body"], places))
    self.own_rows.append(fill(related["remove"], {"id": at(answer.document, related["id"])}))

  def _owner(self, line, body=None):
    headers = fill(self._ways["own"]["headers"], self._environment)
    answer = self._send(line, headers, body)
    if answer.status not in (200, 201, 204):
      raise AssertionError(f"{line} with {body}: {answer.status} {answer.document}")
    return answer

  def _ask(self, way, field, value, places):
    quoted = {"field": field, "value": value, "json": json.dumps(value),
              "handle": places["handle"], "city": places["city"]}
    headers = fill(self._ways.get("headers", {}) | way.get("headers", {}), self._environment)
    if "form" in way:
      headers = headers | {"Content-Type": "application/x-www-form-urlencoded"}
      return self._send(way["ask"], headers, fill(way["form"], quoted).encode())
    return self._send(fill(way["ask"], quoted), headers, fill(way.get("body"), quoted))

  def _send(self, line, headers, body=None):
    method, path = line.split(" ", 1)
    if body is not None and not isinstance(body, bytes):
      headers = headers | {"Content-Type": "application/json"}
      body = json.dumps(body).encode()
    url = self._url + urllib.parse.quote(path, safe="/?&=[]:,$+-_.~()*!;@'")
    request = urllib.request.Request(url, body, headers, method=method)
    try:
      with _opener.open(request, timeout=30) as answer:
        return Answer(answer.status, _parse(answer.read()))
    except urllib.error.HTTPError as error:
      return Answer(error.code, _parse(error.read()))


def _parse(text):
  try:
    return json.loads(text) if text else None
  except ValueError:
    return text.decode(errors="replace")
