"""What can be started: a folder of tests/live with a product.toml each."""

import dataclasses
import pathlib
import tomllib

LIVE = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = LIVE.parent.parent / ".deps" / "live"


@dataclasses.dataclass(frozen=True)
class Product:
  """One version of a product, or one way to set it up: what product.toml says of it."""

  name: str  # "payload-3.87.1", and its folder in .deps/live
  folder: pathlib.Path
  settings: dict  # the tables and keys of product.toml

  @property
  def packages(self):
    return PACKAGES / self.settings.get("packages", self.name)

  @property
  def runtime(self):
    """The program that runs it: the Node of .deps/live, or the Python of its own packages."""
    if self.settings["runtime"] == "python":
      return self.packages / "bin" / "python"
    return next((PACKAGES / "node" / "node_modules").glob("node-linux-*/bin/node"))

  def missing(self):
    """What has to be installed first, or None."""
    runtimes = [PACKAGES / "node"] if self.settings["runtime"] == "node" else []
    for needed in (*runtimes, self.packages):
      if not (needed / "installed").is_file():
        return f".deps/live/{needed.name}"
    return None


def _variants(path):
  settings = tomllib.loads(path.read_text(encoding="utf-8"))
  for variant in settings.pop("variants"):
    name = f"{path.parent.name}-{variant}"
    yield name, Product(name, path.parent, settings)


def _all():
  found = {}
  for path in sorted(LIVE.glob("*/product.toml")):
    found.update(_variants(path))
  return found


def names():
  return list(_all())


def find(name):
  return _all().get(name)
