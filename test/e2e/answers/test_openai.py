import asyncio

import pytest
from openai import (
    AsyncOpenAI,
    AuthenticationError,
    BadRequestError,
    NotFoundError,
    OpenAI,
    PermissionDeniedError,
)
from pydantic import BaseModel

from conftest import ADD, BASE_URL, KEY, UNKNOWN


@pytest.fixture(scope="module")
def client() -> OpenAI:
    """A client that refuses answers against its own schema, and asks only once."""
    return OpenAI(
        base_url=f"{BASE_URL}/api/v1", api_key=KEY, max_retries=0, _strict_response_validation=True
    )


def of_type(response, type: str) -> list:
    return [item for item in response.output if item.type == type]


def test_an_answer_is_created_read_listed_gone_on_from_and_deleted(client) -> None:
    first = client.responses.create(
        model="scripted", input="one", instructions="Be kind.", store=True, metadata={"place": "here"}
    )
    assert (first.object, first.status, first.metadata) == ("response", "completed", {"place": "here"})
    assert first.output_text == "Heard: Be kind. / one"
    assert client.responses.retrieve(first.id) == first

    second = client.responses.create(
        model="scripted",
        input=[{"role": "user", "content": f"note {n}"} for n in range(5)],
        previous_response_id=first.id,
        store=True,
    )
    assert second.output_text.endswith("note 3 / note 4")
    items = list(
        client.responses.input_items.list(
            second.id, limit=2, order="asc", include=["message.input_image.image_url", "reasoning.encrypted_content"]
        )
    )
    before = ["one", "Heard: Be kind. / one"]
    assert [item.content[0].text for item in items] == before + [f"note {n}" for n in range(5)]
    again = client.responses.retrieve(first.id, include=["file_search_call.results", "reasoning.encrypted_content"])
    assert again == first
    with pytest.raises(BadRequestError, match="query.stream"):
        client.responses.retrieve(first.id, stream=True, starting_after=3)

    client.responses.delete(first.id)
    with pytest.raises(NotFoundError):
        client.responses.retrieve(first.id)


def test_a_stream_ends_in_the_answer_that_its_events_make(client) -> None:
    with client.responses.stream(model="scripted", input="count 30") as stream:
        events = list(stream)
        final = stream.get_final_response()
    assert [event.sequence_number for event in events] == list(range(len(events)))
    words = [event.delta for event in events if event.type == "response.output_text.delta"]
    assert len(words) == 30 and final.output_text == "".join(words)


def test_a_function_goes_there_and_back_also_in_a_stream(client) -> None:
    question = {"role": "user", "content": 'call add {"a":1,"b":2}'}
    with client.responses.stream(model="scripted", input=[question], tools=[ADD]) as stream:
        for _ in stream:
            pass
        first = stream.get_final_response()
    [call] = of_type(first, "function_call")
    assert (call.name, call.arguments) == ("add", '{"a":1,"b":2}')
    answer = {"type": "function_call_output", "call_id": call.call_id, "output": "3"}
    second = client.responses.create(
        model="scripted",
        input=[question, *(item.to_dict() for item in first.output), answer],
        tools=[ADD],
    )
    assert second.output_text == "Tools said: 3"


def test_a_tool_server_is_called_and_asks_before_it_where_it_is_told_to(client, server) -> None:
    question = 'call echo {"message":"hi"}'
    done = client.responses.create(model="scripted", input=question, tools=[server])
    assert [call.output for call in of_type(done, "mcp_call")] == ['{"message":"hi"}']
    asking = {**server, "require_approval": "always"}
    events = list(client.responses.create(model="scripted", input=question, tools=[asking], store=True, stream=True))
    first = events[-1].response
    [request] = of_type(first, "mcp_approval_request")
    approval = {"type": "mcp_approval_response", "approval_request_id": request.id, "approve": True}
    second = client.responses.create(
        model="scripted", input=[approval], previous_response_id=first.id, tools=[asking]
    )
    assert second.output_text == 'Tools said: {"message":"hi"}'


def test_models_are_listed(client) -> None:
    assert "scripted" in [model.id for model in client.models.list()]


def test_errors_are_the_clients_own_and_say_the_field(client) -> None:
    with pytest.raises(NotFoundError) as refused:
        client.responses.create(model="scripted", input="Hi", previous_response_id=UNKNOWN)
    assert (refused.value.code, refused.value.param) == ("response_not_found", "previous_response_id")
    with pytest.raises(NotFoundError) as refused:
        client.responses.create(model="nobody", input="Hi", stream=True)
    assert refused.value.code == "model_not_found"
    with pytest.raises(BadRequestError) as refused:
        client.responses.create(model="scripted", input="Hi", temperature=7)
    assert (refused.value.type, refused.value.param) == ("invalid_request_error", "temperature")
    with pytest.raises(PermissionDeniedError):
        client.responses.create(
            model="scripted", input="Hi", extra_headers={"X-Organization-Id": "00000000-0000-4000-8000-000000000000"}
        )
    with pytest.raises(AuthenticationError):
        OpenAI(base_url=f"{BASE_URL}/api/v1", api_key="pt_live_nothing", max_retries=0).models.list()


class Sum(BaseModel):
    total: int


def test_a_parsed_answer_is_asked_for_by_its_schema(client) -> None:
    response = client.responses.parse(
        model="scripted", input='call add {"a":1,"b":2}', tools=[ADD], text_format=Sum
    )
    assert response.text.format.type == "json_schema"
    assert response.text.format.schema_["properties"]["total"]["type"] == "integer"


def test_the_async_client_does_the_same() -> None:
    async def go() -> None:
        async with AsyncOpenAI(
            base_url=f"{BASE_URL}/api/v1", api_key=KEY, max_retries=0, _strict_response_validation=True
        ) as client:
            first = await client.responses.create(model="scripted", input="one", store=True)
            assert await client.responses.retrieve(first.id) == first
            async with client.responses.stream(
                model="scripted", input="count 20", previous_response_id=first.id
            ) as stream:
                words = [event.delta async for event in stream if event.type == "response.output_text.delta"]
            assert len(words) == 20
            items = [item async for item in client.responses.input_items.list(first.id, limit=1)]
            assert [item.content[0].text for item in items] == ["one"]
            await client.responses.delete(first.id)
            with pytest.raises(NotFoundError):
                await client.responses.retrieve(first.id)

    asyncio.run(go())
