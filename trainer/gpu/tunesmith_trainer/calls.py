"""Tools, calls and results as plain turns, for templates that know none of them.

The format of `local/model/tool-calls.ts`, in which the model server tells tools to a model and reads its calls.
"""

import json
from typing import Any

Json = dict[str, Any]

INSTRUCTIONS = "You are a helpful assistant."
AFTER_RESULTS = "These are the results of the calls. Use them to answer my question."
TOOLS = """# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{signatures}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{{"name": <function-name>, "arguments": <args-json-object>}}
</tool_call>"""


def plain_turns(messages: list[Json], tools: list[Json], *, has_system: bool) -> list[Json]:
    """Messages of texts alone.

    `has_system`: the template takes system messages; else tools stand in front of the first message.
    """
    turns: list[Json] = []
    results: list[str] = []
    for place, message in enumerate(messages):
        if message["role"] != "tool":
            content = with_calls(message) if message["role"] == "assistant" else message["content"]
            turns.append({"role": message["role"], "content": content})
            continue
        results.append(f"<tool_response>\n{message['content']}\n</tool_response>")
        if place + 1 < len(messages) and messages[place + 1]["role"] == "tool":
            continue
        turns.append({"role": "user", "content": "\n".join(results) + "\n\n" + AFTER_RESULTS})
        results = []
    if not tools:
        return turns
    told = TOOLS.format(signatures="\n".join(signature(tool["function"]) for tool in tools))
    first, *rest = turns
    if first["role"] == "system":
        return [{"role": "system", "content": f"{first['content']}\n\n{told}"}, *rest]
    if has_system:
        return [{"role": "system", "content": f"{INSTRUCTIONS}\n\n{told}"}, *turns]
    return [{"role": first["role"], "content": f"{told}\n\n{first['content']}"}, *rest]


def with_calls(message: Json) -> str:
    """The text of a message, with its calls as the model writes them."""
    calls = [
        f'<tool_call>\n{{"name": {compact(call["function"]["name"])}, '
        f'"arguments": {call["function"]["arguments"]}}}\n</tool_call>'
        for call in message.get("tool_calls", ())
    ]
    return "\n".join([message["content"], *calls] if message["content"] else calls)


def with_arguments(message: Json) -> Json:
    """A message whose calls have objects as arguments, as templates expect them."""
    if "tool_calls" not in message:
        return message
    calls = [
        call | {"function": call["function"] | {"arguments": json.loads(call["function"]["arguments"])}}
        for call in message["tool_calls"]
    ]
    return message | {"tool_calls": calls}


def signature(function: Json) -> str:
    """What is told of a function."""
    told = {"name": function["name"]}
    if function.get("description"):
        told["description"] = function["description"]
    parameters = function.get("parameters")
    told["parameters"] = {"type": "object"} if parameters is None else parameters
    return compact({"type": "function", "function": told})


def compact(value: Any) -> str:
    """JSON as `JSON.stringify` writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
