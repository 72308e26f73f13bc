"""Models, chat completions and files by OpenAI's Python client, unmodified and strict."""

import inspect
import json
from types import SimpleNamespace

import pytest
from openai import APIStatusError, BadRequestError, NotFoundError, OpenAI
from openai.resources import Files, Models
from openai.resources.chat import Completions
from pydantic import BaseModel

from conftest import ADD, BASE_URL, KEY

TOOL = {"type": "function", "function": {name: ADD[name] for name in ("name", "description", "parameters", "strict")}}
NONE = SimpleNamespace(content=[])
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

# Operations that are called below, and the reasons why others are not.
CALLED = {
    Models: {"list", "retrieve"},
    Completions: {"create", "parse", "stream"},
    Files: {"create", "list", "retrieve", "content", "delete", "wait_for_processing"},
}
NOT_OFFERED = {
    "Models.delete": "models go with the file that they were trained on",
    "Completions.retrieve": "chat completions are not stored; responses are",
    "Completions.update": "chat completions are not stored; responses are",
    "Completions.list": "chat completions are not stored; responses are",
    "Completions.delete": "chat completions are not stored; responses are",
    "Completions.messages": "chat completions are not stored; responses are",
    "Files.retrieve_content": "the older name of content, which the client itself warns of",
}


@pytest.fixture(scope="module")
def client() -> OpenAI:
    return OpenAI(base_url=f"{BASE_URL}/api/v1", api_key=KEY, max_retries=0, _strict_response_validation=True)


def chat(client: OpenAI, content, **fields):
    return client.chat.completions.create(
        model="scripted", messages=[{"role": "user", "content": content}], **fields
    )


@pytest.mark.parametrize("resource", CALLED, ids=lambda resource: resource.__name__)
def test_every_operation_of_the_client_is_called_here_or_has_a_reason(resource) -> None:
    operations = {
        name
        for name, member in inspect.getmembers(resource)
        if not name.startswith("_") and name not in ("with_raw_response", "with_streaming_response")
    }
    reasons = {name for name in operations if f"{resource.__name__}.{name}" in NOT_OFFERED}
    assert operations - reasons == CALLED[resource]


def test_models_are_listed_and_found(client) -> None:
    listed = {model.id: model for model in client.models.list()}
    assert client.models.retrieve("scripted") == listed["scripted"]
    for unknown in ("nobody", "ft:none:a:b:c"):
        with pytest.raises(NotFoundError) as refused:
            client.models.retrieve(unknown)
        assert (refused.value.code, refused.value.param) == ("model_not_found", "model")


def test_a_chat_is_answered(client) -> None:
    said = client.chat.completions.create(
        model="scripted",
        messages=[
            {"role": "system", "content": "Be kind."},
            {"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "See "},
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                ],
            },
        ],
        max_completion_tokens=50,
        temperature=0.5,
        top_p=0.9,
        seed=4,
        stop=["END"],
        n=1,
        user="u",
        metadata={"a": "b"},
    )
    (choice,) = said.choices
    assert (said.object, said.model, choice.finish_reason) == ("chat.completion", "scripted", "stop")
    assert "Be kind." in choice.message.content and choice.message.content.endswith("See <image>")
    assert said.usage.total_tokens == said.usage.prompt_tokens + said.usage.completion_tokens > 0


def test_a_chat_is_streamed_with_its_usage(client) -> None:
    chunks = list(chat(client, "count 30", stream=True, stream_options={"include_usage": True}))
    texts = [choice.delta.content for chunk in chunks for choice in chunk.choices if choice.delta.content]
    assert len(texts) == 30
    assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens > 0
    assert {chunk.id for chunk in chunks} == {chunks[0].id}
    assert [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason] == ["stop"]
    assert all(chunk.usage is None for chunk in chat(client, "count 3", stream=True))


def test_an_answer_that_is_cut_says_so(client) -> None:
    assert chat(client, "count 30", max_tokens=5).choices[0].finish_reason == "length"


@pytest.mark.parametrize("streamed", [False, True])
def test_parallel_calls_are_made_answered_and_gone_on_from(client, streamed) -> None:
    question = {"role": "user", "content": 'call add {"a":1,"b":2}\ncall add {"a":3,"b":4}'}
    asked = {"model": "scripted", "messages": [question], "tools": [TOOL]}
    if streamed:
        with client.chat.completions.stream(**asked) as stream:
            stream.until_done()
            message = stream.get_final_completion().choices[0].message
    else:
        choice = client.chat.completions.create(**asked).choices[0]
        assert choice.finish_reason == "tool_calls"
        message = choice.message
    assert message.content in (None, "")
    assert [json.loads(call.function.arguments) for call in message.tool_calls] == [{"a": 1, "b": 2}, {"a": 3, "b": 4}]

    replayed = {key: value for key, value in message.to_dict().items() if key != "parsed"}
    for call in replayed["tool_calls"]:
        call.pop("index", None)
        call["function"].pop("parsed_arguments", None)
    results = [{"role": "tool", "tool_call_id": call.id, "content": str(n)} for n, call in enumerate(message.tool_calls)]
    said = client.chat.completions.create(**{**asked, "messages": [question, replayed, *results]})
    assert said.choices[0].message.content == "Tools said: 0 | 1"


class Sum(BaseModel):
    total: int


def test_a_parsed_answer_is_asked_for_by_its_schema(client) -> None:
    said = client.chat.completions.parse(
        model="scripted",
        messages=[{"role": "user", "content": 'call add {"a":1,"b":2}'}],
        tools=[TOOL],
        response_format=Sum,
    )
    (call,) = said.choices[0].message.tool_calls
    assert call.function.parsed_arguments == {"a": 1, "b": 2}


def test_a_chat_tells_how_likely_its_tokens_were(client) -> None:
    [choice] = chat(client, "count 3", logprobs=True, top_logprobs=1).choices
    assert [(each.token, each.logprob) for each in choice.logprobs.content] == [(f"word{n} ", 0) for n in range(3)]
    chunks = list(chat(client, "count 3", logprobs=True, stream=True))
    said = [each.token for chunk in chunks for each in (chunk.choices[0].logprobs or NONE).content]
    assert said == [f"word{n} " for n in range(3)]
    response = client.responses.create(model="scripted", input="count 3", include=["message.output_text.logprobs"])
    [part] = response.output[0].content
    assert [bytes(each.bytes).decode() for each in part.logprobs] == said


def test_what_is_not_offered_is_refused_by_its_name(client) -> None:
    for fields in ({"n": 2}, {"top_logprobs": 2}, {"store": True}, {"frequency_penalty": 1}):
        with pytest.raises(BadRequestError) as refused:
            chat(client, "Hi", **fields)
        assert [refused.value.param] == list(fields)
    with pytest.raises(BadRequestError, match="surprise"):
        chat(client, "Hi", extra_body={"surprise": 1})
    with pytest.raises(NotFoundError):
        list(client.chat.completions.create(model="nobody", messages=[{"role": "user", "content": "Hi"}], stream=True))


def test_files_are_uploaded_listed_read_and_deleted(client) -> None:
    content = b'{"messages": [{"role": "user", "content": "\xc3\xa4"}, {"role": "assistant", "content": "b"}]}\n' * 3
    files = [
        client.files.create(file=(f"{purpose}.jsonl", content), purpose=purpose)
        for purpose in ("fine-tune", "evals", "batch", "user_data")
    ]
    first = files[0]
    assert (first.filename, first.bytes, first.purpose) == ("fine-tune.jsonl", len(content), "fine-tune")
    assert client.files.content(first.id).content == content
    assert client.files.wait_for_processing(first.id, poll_interval=0.2).status == "processed"
    assert client.files.content(first.id).content == content
    assert client.files.retrieve(first.id).id == first.id

    listed = []
    for file in client.files.list(limit=2):
        listed.append(file.id)
        if len(listed) == len(files):
            break
    assert listed == [file.id for file in reversed(files)]
    assert files[1].id in [file.id for file in client.files.list(purpose="evals")]
    assert first.id not in [file.id for file in client.files.list(purpose="evals", order="asc")]

    for file in files:
        client.files.wait_for_processing(file.id, poll_interval=0.2)
        assert client.files.delete(file.id).deleted
        with pytest.raises(NotFoundError):
            client.files.retrieve(file.id)


def test_bytes_arrive_as_they_were_sent(client) -> None:
    content = b"question,answer\n" + "Größe,größer\n".encode("windows-1252")
    file = client.files.create(file=("words.csv", content), purpose="user_data")
    assert client.files.content(file.id).content == content


def test_a_file_that_is_too_large_is_told_of_upload_links(client) -> None:
    with pytest.raises(APIStatusError, match="PUT the file to the URL") as refused:
        client.files.create(file=("large.jsonl", b'{"a": 1}\n' * 500_000), purpose="evals")
    assert refused.value.status_code == 413
    with pytest.raises(BadRequestError) as refused:
        client.files.create(file=("a.jsonl", b"{}"), purpose="vision")
    assert refused.value.param == "purpose"
