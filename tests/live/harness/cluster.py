"""A private PostgreSQL that hears on a port of loopback and lies in a temporary folder."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from harness import process


class Cluster:
  """`start` makes it, with one empty database `live` and the extensions named."""

  def __init__(self, folder, extensions=()):
    self._folder = pathlib.Path(folder)
    self._extensions = extensions
    self._programs = _newest_programs()
    self._user = "postgres" if os.geteuid() == 0 else None
    self._port = _free_port()
    self._process = None

  @property
  def url(self):
    return f"postgres://live@127.0.0.1:{self._port}/live"

  def start(self):
    self._folder.mkdir(mode=0o700)
    if self._user:
      shutil.chown(self._folder, self._user, self._user)
    self._run("initdb", "-D", str(self._folder / "data"), "-U", "live", "-A", "trust",
              "-E", "UTF8", "--locale=C.UTF-8", "-N")
    self._process = process.start(
        [str(self._programs / "postgres"), "-D", str(self._folder / "data"),
         "-p", str(self._port), "-c", "listen_addresses=127.0.0.1",
         "-c", f"unix_socket_directories={self._folder}", "-c", "fsync=off"],
        self._folder.parent / "postgres.log", self._folder, _environment(),
        as_user=self._user, last_signal=signal.SIGQUIT)
    self._wait_until_ready()
    self._run("createdb", *self._where, "live")
    for extension in self._extensions:
      self._run("psql", *self._where, "-qc", f'CREATE EXTENSION "{extension}"', "live")

  def stop(self):
    if self._process:
      process.end(self._process, signal.SIGINT)

  @property
  def _where(self):
    return ("-h", "127.0.0.1", "-p", str(self._port), "-U", "live")

  def _run(self, program, *arguments):
    subprocess.run([str(self._programs / program), *arguments], check=True, cwd=self._folder,
                   env=_environment(), user=self._user, group=self._user,
                   stdout=subprocess.DEVNULL)

  def _wait_until_ready(self):
    for _ in range(600):
      ready = subprocess.run([str(self._programs / "pg_isready"), "-q", *self._where], check=False)
      if ready.returncode == 0:
        return
      if self._process.poll() is not None:
        break
      time.sleep(0.05)
    raise RuntimeError((self._folder.parent / "postgres.log").read_text(errors="replace"))


def _environment():
  return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def _newest_programs():
  folders = pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres")
  return max(folders, key=lambda path: int(path.parent.parent.name)).parent


def _free_port():
  with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    return probe.getsockname()[1]
