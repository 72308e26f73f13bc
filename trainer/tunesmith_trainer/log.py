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
        """A log whose lines carry these fields too."""
        return Log(**{**self._fields, **fields})

    def info(self, event: str, **fields: Any) -> None:
        """Says that something happened as it should."""
        self._write("info", event, fields)

    def warn(self, event: str, **fields: Any) -> None:
        """Says that something is amiss which the trainer copes with."""
        self._write("warn", event, fields)

    def error(self, event: str, cause: BaseException | None = None, **fields: Any) -> None:
        """Says that something failed. Of its cause, the type and where it was raised: its message may quote a row."""
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
    """This moment in ISO 8601, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
