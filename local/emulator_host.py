"""Runs the AWS emulator until the process that started it goes away.

usage: emulator_host.py WORK_DIRECTORY    the directory is deleted in the end

The parent holds the other end of stdin. However it ends, the pipe closes, and the emulator stops in order
(it saves its state); what is left of its process group after the grace period is killed.
"""

import hashlib
import os
import shutil
import signal
import sys
import threading
import time
import types
import zipfile

from ministack.app import main
from ministack.core import lambda_runtime
from ministack.services import sts

GRACE_SECONDS = 10
# Layers are larger than this when they are unpacked, the code of a function is smaller.
SHARED_BYTES_MIN = 20_000_000


def stop_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def share_layers(directory: str) -> None:
    """The emulator unpacks a layer for each process of a function; here all of them link to one copy of its files."""
    lock = threading.Lock()

    class SharedZip(zipfile.ZipFile):
        def extractall(self, path=None, members=None, pwd=None) -> None:
            contents = [(each.filename, each.CRC, each.file_size) for each in self.infolist()]
            if sum(size for _, _, size in contents) < SHARED_BYTES_MIN:
                return super().extractall(path, members, pwd)
            key = hashlib.sha256(repr(contents).encode()).hexdigest()[:16]
            shared = os.path.join(directory, "layers", key)
            with lock:
                if not os.path.exists(shared):
                    super().extractall(f"{shared}.partial")
                    os.rename(f"{shared}.partial", shared)
            for name in os.listdir(shared):
                os.symlink(os.path.join(shared, name), os.path.join(path, name))

    lambda_runtime.zipfile = types.SimpleNamespace(**{**vars(zipfile), "ZipFile": SharedZip})


def guard_sessions() -> None:
    """The emulator looks through all sessions as it adds one, which fails where processes are started at once."""
    lock = threading.Lock()
    register = sts.register_session

    def register_alone(access_key: str, session: dict) -> None:
        with lock:
            register(access_key, session)

    sts.register_session = register_alone


def name_lost_starts() -> None:
    """Lambda gives a process that ends as it starts the name of one that ends at work, and a new one is started for the
    next call. The emulator raises a Python exception, whose name no state machine repeats, and kills all other
    processes of the function."""
    invoke = lambda_runtime.Worker.invoke

    def invoke_named(self, *args, **kwargs) -> dict:
        try:
            return invoke(self, *args, **kwargs)
        except (RuntimeError, OSError) as error:
            return {"status": "error", "error": str(error)}

    lambda_runtime.Worker.invoke = invoke_named


threading.Thread(target=stop_with_parent, daemon=True).start()
[work_directory] = sys.argv[1:]
share_layers(work_directory)
guard_sessions()
name_lost_starts()
sys.argv = ["ministack"]
try:
    main()
finally:
    shutil.rmtree(work_directory, ignore_errors=True)
