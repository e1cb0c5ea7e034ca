"""Programs that are started in a group of their own and do not outlive this one."""

import ctypes
import os
import signal
import subprocess

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


def _prepare(signal_when_parent_dies):
  def prepare():
    _libc.prctl(_PR_SET_PDEATHSIG, signal_when_parent_dies)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
  return prepare


def start(command, log, folder, environment, as_user=None, last_signal=signal.SIGKILL):
  """Starts a program; what it prints goes to the file `log`."""
  with open(log, "ab") as output:
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
        stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=_prepare(last_signal),
        user=as_user, group=as_user, extra_groups=[] if as_user else None)


def send(process, number):
  """Sends a signal to a program and to all that it started."""
  try:
    os.killpg(process.pid, number)
  except ProcessLookupError:
    pass


def end(process, asking=signal.SIGTERM, patience=10):
  """Asks a program to end; kills it and all that it started when it does not."""
  process.send_signal(asking)
  try:
    process.wait(patience)
  except subprocess.TimeoutExpired:
    pass
  send(process, signal.SIGKILL)
  process.wait()
