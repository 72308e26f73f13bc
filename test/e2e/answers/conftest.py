"""Public clients of the responses API, unmodified, against the running stack.

`responses-clients.cloud.test.ts` starts pytest and says by the environment where the stack, its key, a tool server
and a dataset are.
"""

import os

import pytest

BASE_URL = os.environ["ADAPTION_BASE_URL"]
KEY = os.environ["E2E_KEY"]
TOOL_SERVER = os.environ["E2E_TOOL_SERVER"]
DATASET = os.environ["E2E_DATASET"]
UNKNOWN = "resp_" + 32 * "0"
ADD = {
    "type": "function",
    "name": "add",
    "description": "Adds two numbers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
    "strict": True,
}


@pytest.fixture
def server() -> dict:
    """A tool server of the caller's own, whose one tool says its arguments again."""
    return {"type": "mcp", "server_label": "notes", "server_url": TOOL_SERVER, "require_approval": "never"}
