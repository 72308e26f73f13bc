"""A tool server made with the Python package of the protocol; its port is the only argument."""

import sys

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("arithmetic")


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def divide(a: float, b: float) -> float:
    """Divide a number by another."""
    return a / b


server.run("streamable-http", port=int(sys.argv[1]))
