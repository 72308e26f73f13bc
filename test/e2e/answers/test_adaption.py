import asyncio

import pytest
from adaption import (
    Adaption,
    AsyncAdaption,
    AuthenticationError,
    BadRequestError,
    NotFoundError,
    PermissionDeniedError,
)

from conftest import ADD, BASE_URL, KEY, UNKNOWN


@pytest.fixture(scope="module")
def client() -> Adaption:
    """A client that refuses answers against its own schema, and asks only once."""
    return Adaption(base_url=BASE_URL, api_key=KEY, max_retries=0, _strict_response_validation=True)


def said(response: dict) -> str:
    parts = [part for item in response["output"] if item["type"] == "message" for part in item["content"]]
    return "".join(part["text"] for part in parts)


def of_type(response: dict, type: str) -> list[dict]:
    return [item for item in response["output"] if item["type"] == type]


def test_an_answer_is_created_read_listed_gone_on_from_and_deleted(client) -> None:
    first = client.responses.create(
        model="scripted", input="one", instructions="Be kind.", store=True, temperature=0.5, max_output_tokens=500
    )
    assert first["object"] == "response" and first["status"] == "completed"
    assert said(first) == "Heard: Be kind. / one"
    assert client.responses.retrieve(first["id"]) == first

    second = client.responses.create(
        model="scripted",
        input=[{"role": "user", "content": f"note {n}"} for n in range(5)],
        previous_response_id=first["id"],
        store=True,
    )
    assert said(second).endswith("one / Heard: Be kind. / one / note 0 / note 1 / note 2 / note 3 / note 4")
    items = list(client.responses.input_items.list(second["id"], limit=2, order="asc"))
    before = ["one", "Heard: Be kind. / one"]
    assert [item["content"][0]["text"] for item in items] == before + [f"note {n}" for n in range(5)]
    newest = client.responses.input_items.list(second["id"], limit=1)
    assert newest.has_more and newest.data[0]["content"][0]["text"] == "note 4"

    deleted = client.responses.delete(first["id"])
    assert (deleted.id, deleted.object, deleted.deleted) == (first["id"], "response.deleted", True)
    with pytest.raises(NotFoundError):
        client.responses.retrieve(first["id"])
    assert client.responses.retrieve(second["id"])["id"] == second["id"]


def test_a_stream_is_the_events_of_the_answer(client) -> None:
    events = list(client.responses.create(model="scripted", input="count 30", stream=True))
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert events[0]["type"] == "response.created" and events[-1]["type"] == "response.completed"
    words = [event["delta"] for event in events if event["type"] == "response.output_text.delta"]
    assert len(words) == 30 and "".join(words) == said(events[-1]["response"])


def test_a_function_goes_there_and_back(client) -> None:
    question = {"role": "user", "content": 'call add {"a":1,"b":2}'}
    first = client.responses.create(model="scripted", input=[question], tools=[ADD])
    [call] = of_type(first, "function_call")
    assert call["arguments"] == '{"a":1,"b":2}'
    answer = {"type": "function_call_output", "call_id": call["call_id"], "output": "3"}
    second = client.responses.create(model="scripted", input=[question, *first["output"], answer], tools=[ADD])
    assert said(second) == "Tools said: 3"
    demanded = client.responses.create(
        model="scripted", input="anything", tools=[ADD], tool_choice={"type": "function", "name": "add"}
    )
    assert [call["name"] for call in of_type(demanded, "function_call")] == ["add"]


def test_a_tool_server_is_called_and_asks_before_it_where_it_is_told_to(client, server) -> None:
    question = 'call echo {"message":"hi"}'
    done = client.responses.create(model="scripted", input=question, tools=[server])
    assert [call["output"] for call in of_type(done, "mcp_call")] == ['{"message":"hi"}']
    asking = {**server, "require_approval": {"never": {"tool_names": ["other"]}}}
    first = client.responses.create(model="scripted", input=question, tools=[asking], store=True)
    [request] = of_type(first, "mcp_approval_request")
    approval = {"type": "mcp_approval_response", "approval_request_id": request["id"], "approve": True}
    second = client.responses.create(
        model="scripted", input=[approval], previous_response_id=first["id"], tools=[asking]
    )
    assert said(second) == 'Tools said: {"message":"hi"}'


def test_models_and_tools_are_listed(client) -> None:
    for models in (client.models.list(), client.models.list(type="hosted")):
        assert "scripted" in [model.id for model in models.data]
    tools = client.tools.list()
    assert tools.object == "list" and "team-notes" in [tool.server_label for tool in tools.data]


def test_errors_are_the_clients_own(client) -> None:
    with pytest.raises(NotFoundError):
        client.responses.create(model="nobody", input="Hi")
    with pytest.raises(NotFoundError):
        client.responses.create(model="scripted", input="Hi", previous_response_id=UNKNOWN, stream=True)
    with pytest.raises(NotFoundError):
        client.responses.input_items.list(UNKNOWN)
    with pytest.raises(BadRequestError):
        client.responses.create(model="scripted", input="Hi", background=True)
    with pytest.raises(PermissionDeniedError):
        client.responses.create(
            model="scripted", input="Hi", x_organization_id="00000000-0000-4000-8000-000000000000"
        )
    with pytest.raises(AuthenticationError):
        Adaption(base_url=BASE_URL, api_key="pt_live_nothing", max_retries=0).responses.retrieve(UNKNOWN)


def test_the_async_client_does_the_same() -> None:
    async def go() -> None:
        async with AsyncAdaption(
            base_url=BASE_URL, api_key=KEY, max_retries=0, _strict_response_validation=True
        ) as client:
            first = await client.responses.create(model="scripted", input="one", store=True)
            assert await client.responses.retrieve(first["id"]) == first
            stream = await client.responses.create(
                model="scripted", input="count 20", previous_response_id=first["id"], stream=True
            )
            events = [event async for event in stream]
            assert [event["sequence_number"] for event in events] == list(range(len(events)))
            assert len([event for event in events if event["type"] == "response.output_text.delta"]) == 20
            items = [item async for item in client.responses.input_items.list(first["id"], limit=1)]
            assert [item["content"][0]["text"] for item in items] == ["one"]
            assert (await client.responses.delete(first["id"])).deleted
            with pytest.raises(NotFoundError):
                await client.responses.retrieve(first["id"])

    asyncio.run(go())
