"""A product under way: its folder, its process, and what to tell those who ask it."""

import json
import os
import pathlib
import shutil
import signal
import socket
import tempfile
import time
import urllib.error
import urllib.request

from harness import people, process, products
from harness.cluster import Cluster

SECONDS_TO_START = 180
ACCOUNTS = (
    {"role": "admin", "password": "Live-password-1"},
    {"role": "user", "password": "Live-password-2"},
    {"role": "other", "password": "Live-password-3"},
)


class StartError(Exception):
  """Why a product does not run, as a sentence."""


class Running:
  """All of it lies in one temporary folder, which `remove` takes away."""

  def __init__(self, product, port=0):
    self._product = product
    self._home = pathlib.Path(tempfile.mkdtemp(prefix="rankveil-live-"))
    self._home.chmod(0o711)
    self._port = port or _free_port()
    self._process = None
    self._cluster = None
    self._tokens = {}

  @property
  def url(self):
    return f"http://127.0.0.1:{self._port}"

  def start(self):
    """Starts the product, the first time with its people, and waits until it answers."""
    if not self._app.exists():
      self._lay_out()
    self._process = process.start(
        self._fill_all(self._settings["start"]), self._home / "log", self._app, self._environment())
    self._wait_until_ready()
    self._tokens = {account["role"]: self._log_in(account) for account in self._accounts()}
    self._write_variables()

  def facts(self):
    """What one must know to ask it: from product.toml. Headers name variables of `environment`."""
    facts = {"url": self.url, "product": self._product.name, "environment": str(self._variables)}
    return facts | {name: self._fill(text) for name, text in self._settings["facts"].items()}

  @property
  def tokens(self):
    """What `environment` holds: LIVE_ADMIN, LIVE_USER and LIVE_OTHER, as the log-in gave them."""
    return {"LIVE_" + name.upper(): token for name, token in self._tokens.items()}

  def count(self):
    """How many rows the product says there are."""
    count = self._settings["count"]
    request = urllib.request.Request(self.url + count["path"], headers=count.get("headers", {}))
    with _opener.open(request, timeout=30) as answer:
      return _at(json.load(answer), count["at"])

  def is_alive(self):
    return self._process.poll() is None

  def crash(self):
    process.send(self._process, signal.SIGKILL)
    self._process.wait()

  def log_tail(self, lines=50):
    log = self._home / "log"
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:]) if log.exists() else ""

  def remove(self):
    if self._process:
      process.end(self._process)
    if self._cluster:
      self._cluster.stop()
    shutil.rmtree(self._home, ignore_errors=True)

  @property
  def _settings(self):
    return self._product.settings

  @property
  def _app(self):
    return self._home / "app"

  @property
  def _variables(self):
    return self._home / "environment"

  def _write_variables(self):
    """For `set -a; . FILE`: only its owner may read it."""
    self._variables.touch(mode=0o600)
    self._variables.write_text("".join(f"{name}='{value}'\n" for name, value in self.tokens.items()))

  def _lay_out(self):
    """A copy of the product's folder, beside the packages that it imports and the people."""
    shutil.copytree(self._product.folder / "app", self._app)
    if self._settings["runtime"] == "node":
      (self._app / "node_modules").symlink_to(self._product.packages / "node_modules")
    (self._app / "people.json").write_text(json.dumps(people.make_people()))
    (self._app / "accounts.json").write_text(json.dumps(self._accounts()))
    if "database" in self._settings:
      self._cluster = Cluster(self._home / "postgres", self._settings["database"])
      self._cluster.start()

  def _accounts(self):
    domain = self._settings["login"].get("domain", "example.test")
    return [{"email": f"{account['role']}@{domain}"} | account for account in ACCOUNTS]

  def _places(self):
    places = {
        "port": str(self._port),
        "url": self.url,
        "variant": self._product.name.partition("-")[2],
        "runtime": str(self._product.runtime),
    }
    return places | ({"database": self._cluster.url} if self._cluster else {})

  def _fill(self, text):
    for name, value in self._places().items():
      text = text.replace("${" + name + "}", value)
    return text

  def _fill_all(self, texts):
    return [self._fill(text) for text in texts]

  def _environment(self):
    """Nothing of ours but where programs are: no proxy, no credentials, no settings of a user."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(self._home), "LANG": "C.UTF-8"}
    wanted = {"PORT": "${port}", "VARIANT": "${variant}"} | self._settings.get("environment", {})
    return environment | {name: self._fill(value) for name, value in wanted.items()}

  def _wait_until_ready(self):
    limit = time.monotonic() + SECONDS_TO_START
    while not self._answers():
      if not self.is_alive():
        raise StartError(f"{self._product.name} ended while starting:\n{self.log_tail()}")
      if {signal.SIGINT, signal.SIGTERM} & signal.sigpending():
        raise StartError(f"{self._product.name} was asked to stop while starting.")
      if time.monotonic() > limit:
        raise StartError(
            f"{self._product.name} did not answer within {SECONDS_TO_START} s:\n{self.log_tail()}")
      time.sleep(0.1)

  def _answers(self):
    ready = self._settings["ready"]
    request = urllib.request.Request(self.url + ready["path"], headers=ready.get("headers", {}))
    try:
      with _opener.open(request, timeout=5) as answer:
        return "at" not in ready or _at(json.load(answer), ready["at"]) is not None
    except (urllib.error.URLError, OSError, LookupError):
      return False

  def _log_in(self, account):
    """The header that says who asks: what the log-in of the product gives for an account."""
    login = self._settings["login"]
    name = {login.get("name", "email"): account["email"], "password": account["password"]}
    body = json.dumps(login.get("body", {}) | name)
    headers = {"Content-Type": "application/json"} | login.get("headers", {})
    request = urllib.request.Request(self.url + login["path"], body.encode(), headers)
    try:
      with _opener.open(request, timeout=30) as answer:
        return _at(json.load(answer), login["token"])
    except urllib.error.HTTPError as error:
      text = error.read().decode(errors="replace")[:300]
      raise StartError(f"{self._product.name} refused {account['email']}: {error} {text}") from error


# Straight to loopback, whatever proxy the environment names.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _at(document, path):
  for key in path.split("."):
    document = document[int(key) if isinstance(document, list) else key]
  return document


def _free_port():
  with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    return probe.getsockname()[1]
