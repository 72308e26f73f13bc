"""Runs the AWS emulator until the process that started it goes away.

usage: emulator_host.py WORK_DIRECTORY    the directory is deleted in the end

The parent holds the other end of stdin. However it ends, the pipe closes, and the emulator stops in order
(it saves its state); what is left of its process group after the grace period is killed.
"""

import os
import shutil
import signal
import sys
import threading
import time

from ministack.app import main

GRACE_SECONDS = 10


def stop_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.killpg(os.getpgrp(), signal.SIGKILL)


threading.Thread(target=stop_with_parent, daemon=True).start()
[work_directory] = sys.argv[1:]
sys.argv = ["ministack"]
try:
    main()
finally:
    shutil.rmtree(work_directory, ignore_errors=True)
