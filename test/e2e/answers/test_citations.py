"""Answers that rest on a dataset and cite it, as each client has them."""

import pytest
from adaption import Adaption
from openai import OpenAI
from openai.types.responses.response_output_text import AnnotationFileCitation

from conftest import BASE_URL, DATASET, KEY

QUESTION = "the lamp number-7 of the lighthouse"
ROW = 7
ASKED = {"model": "scripted", "input": QUESTION, "tool_choice": {"type": "file_search"}}


@pytest.fixture(scope="module")
def openai() -> OpenAI:
    return OpenAI(
        base_url=f"{BASE_URL}/api/v1", api_key=KEY, max_retries=0, _strict_response_validation=True
    )


@pytest.fixture(scope="module")
def adaption() -> Adaption:
    return Adaption(base_url=BASE_URL, api_key=KEY, max_retries=0, _strict_response_validation=True)


def check_citations(text: str, annotations: list[dict]) -> None:
    assert annotations[0]["type"] == "file_citation"
    assert (annotations[0]["file_id"], annotations[0]["dataset_id"], annotations[0]["row"]) == (DATASET, DATASET, ROW)
    assert [text[each["index"] :].startswith(f"[{n}]") for n, each in enumerate(annotations, 1)] == [True, True]


@pytest.mark.parametrize("names", ["vector_store_ids", "dataset_ids"])
def test_openai_reads_what_was_searched_and_cited(openai, names) -> None:
    tool = {"type": "file_search", names: [DATASET], "max_num_results": 2}
    response = openai.responses.create(**ASKED, tools=[tool], include=["file_search_call.results"])
    search, message = response.output
    assert (search.type, search.status) == ("file_search_call", "completed")
    assert [(each.file_id, each.attributes["row"]) for each in search.results][0] == (DATASET, ROW)
    [said] = message.content
    assert all(isinstance(each, AnnotationFileCitation) for each in said.annotations)
    check_citations(said.text, [each.to_dict() for each in said.annotations])
    assert response.tools[0].vector_store_ids == [DATASET]


def test_openai_reads_it_from_a_stream(openai) -> None:
    tool = {"type": "file_search", "vector_store_ids": [DATASET], "max_num_results": 2}
    with openai.responses.stream(**ASKED, tools=[tool], store=True) as stream:
        events = list(stream)
        final = stream.get_final_response()
    types = [event.type for event in events]
    for step in ("in_progress", "searching", "completed"):
        assert types.count(f"response.file_search_call.{step}") == 1
    added = [event.annotation for event in events if event.type == "response.output_text.annotation.added"]
    [said] = final.output[1].content
    assert [each.to_dict() for each in added] == [each.to_dict() for each in said.annotations]
    check_citations(said.text, [each.to_dict() for each in added])
    assert openai.responses.retrieve(final.id).output[1].content[0].annotations == said.annotations
    again = openai.responses.create(model="scripted", input="And then?", previous_response_id=final.id)
    assert again.output_text.endswith("And then?")


def test_adaption_reads_it_whole_and_from_a_stream(adaption) -> None:
    tool = {"type": "file_search", "dataset_ids": [DATASET], "max_num_results": 2}
    asked = {**ASKED, "tool_choice": {"type": "function", "name": "file_search"}}
    whole = adaption.responses.create(**asked, tools=[tool])
    events = list(adaption.responses.create(**asked, tools=[tool], stream=True))
    for response in (whole, events[-1]["response"]):
        assert [item["type"] for item in response["output"]] == ["file_search_call", "message"]
        [said] = response["output"][1]["content"]
        check_citations(said["text"], said["annotations"])
    added = [event["annotation"] for event in events if event["type"] == "response.output_text.annotation.added"]
    check_citations(said["text"], added)
