"""Logs as lines of JSON on stdout: ids, counts and codes, never text of rows, task tokens or credentials."""

import json
import sys
import traceback
from datetime import UTC, datetime
from typing import Any


class Log:
    """Writes lines that all carry the same fields."""

    def __init__(self, **fields: Any) -> None:
        self._fields = fields

    def bind(self, **fields: Any) -> "Log":
        """Returns a log whose lines also have these fields."""
        return Log(**{**self._fields, **fields})

    def info(self, event: str, **fields: Any) -> None:
        """Logs a normal event."""
        self._write("info", event, fields)

    def warn(self, event: str, **fields: Any) -> None:
        """Logs a problem that the trainer handles."""
        self._write("warn", event, fields)

    def error(self, event: str, cause: BaseException | None = None, **fields: Any) -> None:
        """Logs a failure. Only the type and location of its cause are logged: its message may quote a row."""
        if cause is not None:
            frames = traceback.extract_tb(cause.__traceback__)
            fields["error"] = type(cause).__name__
            fields["at_line"] = [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}" for frame in frames[-8:]]
        self._write("error", event, fields)

    def _write(self, level: str, event: str, fields: dict[str, Any]) -> None:
        line = {"at": now(), "level": level, "event": event, **self._fields, **fields}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def now() -> str:
    """The current time in ISO 8601, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
