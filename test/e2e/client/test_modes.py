"""The modes of spec 4.8, and what is refused before anything starts."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from adaption import BadRequestError

from conftest import IMAGES_URL, finish, upload, wait_until_read

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def turns(n: int) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": "You are a guide."},
        {"role": "user", "content": f"how do i find thing row-{n}"},
        {"role": "assistant", "content": "look for it"},
    ]


def rows(count: int = 3) -> list[dict[str, object]]:
    return [
        {
            "id": n,
            "question": f"how do i do thing row-{n}",
            "answer": f"do it row-{n} way",
            "subject": "things",
            "turns": turns(n),
            "broken": turns(n) if n == 0 else [{"role": "robot", "content": "beep"}],
            "picture": {"bytes": PNG, "path": None},
            "link": f"{IMAGES_URL}/{n}.png",
            "file": f"pictures/{n}.png",
        }
        for n in range(count)
    ]


def prepare(client, folder, name: str) -> str:
    lines = "\n".join(json.dumps(row) for row in rows())
    dataset_id = upload(client, folder, lines, name=f"{name}.jsonl")
    assert wait_until_read(client, dataset_id).row_count == 3
    return dataset_id


def table(client, dataset_id: str) -> list[dict]:
    text = client.datasets.download(dataset_id, file_format="jsonl").read().decode()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def unadapted(client, tmp_path_factory) -> str:
    return prepare(client, tmp_path_factory.mktemp("modes"), "unadapted")


MODES = {
    "+".join(mapping): mapping
    for mapping in (
        {"prompt": "question", "completion": "answer", "context": ["subject"]},
        {"prompt": "question"},
        {"completion": "answer"},
        {"chat": "turns"},
        {"universal_prompt": "Say how it is done.", "context": ["subject"]},
        {"universal_prompt": "Say how it is done.", "context": ["subject"], "completion": "answer"},
        {"universal_prompt": "Describe it.", "image": "picture"},
        {"chat": "turns", "image": "picture"},
    )
}


@pytest.fixture(scope="module")
def runs(client, adapted, tmp_path_factory):
    """A dataset of each mode, with its estimate and its quote; two run at once, after one has warmed the stack up."""

    folder = tmp_path_factory.mktemp("modes")

    def start_and_finish(mode: str):
        mapping = MODES[mode]
        dataset_id = prepare(client, folder, mode)
        quote = client.datasets.adapt(dataset_id, column_mapping=mapping, estimate=True)
        started = client.datasets.adapt(dataset_id, column_mapping=mapping)
        finish(client, dataset_id)
        return dataset_id, quote, started

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(MODES, pool.map(start_and_finish, MODES), strict=True))


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_runs_from_its_quote_to_its_download(client, runs, mode) -> None:
    mapping = MODES[mode]
    dataset_id, quote, started = runs[mode]
    has_image = "image" in mapping
    assert quote.multimodal_pricing_applied is has_image
    assert quote.credit_multiplier == (10 if has_image else None)
    assert quote.estimated_credits_consumed == (10 if has_image else 1)

    assert started.run_id and started.estimated_credits_consumed == quote.estimated_credits_consumed
    assert client.datasets.get_status(dataset_id).status == "succeeded"
    assert client.datasets.wait_for_evaluation(dataset_id, initial_interval=0.2, timeout=60).status == "succeeded"

    dataset = client.datasets.get(dataset_id)
    configured = dataset.configured_column_mapping
    context = [*mapping.get("context", []), *([mapping["image"]] if has_image else [])]
    assert configured.context == context
    for name in ("prompt", "completion", "chat", "image"):
        assert getattr(configured, name, None) == mapping.get(name)
    assert dataset.image_column_formats == {"picture": "embedded_bytes", "link": "url", "file": "file_reference"}

    sent, got = rows(), table(client, dataset_id)
    assert [row["id"] for row in got] == [row["id"] for row in sent]
    for before, after in zip(sent, got, strict=True):
        assert {name: after[name] for name in before} == before
        assert after["enhanced_prompt"] and after["enhanced_completion"]
        assert ("original_image" in after) is has_image
        if has_image:
            assert after["original_image"] == {"bytes": PNG, "path": None}
            assert base64.b64decode(after["original_image"]["bytes"]).startswith(b"\x89PNG")
        if "chat" in mapping:
            assert json.loads(after["enhanced_prompt"]) == before["turns"][:2]
            assert after["enhanced_completion"] != "look for it"


def test_a_link_and_a_missing_file_come_back_as_a_link_and_as_nothing(client, tmp_path) -> None:
    dataset_id = prepare(client, tmp_path, "links")
    client.datasets.adapt(dataset_id, column_mapping={"prompt": "question", "image": "link"})
    assert finish(client, dataset_id).status == "succeeded"
    assert [row["original_image"] for row in table(client, dataset_id)] == [row["link"] for row in rows()]

    # Rows whose image is nowhere fail, and a run of which all rows fail has failed.
    client.datasets.adapt(dataset_id, column_mapping={"prompt": "question", "image": "file"})
    status = finish(client, dataset_id)
    assert (status.status, status.error_data.code) == ("failed", "too_many_rows_failed")


@pytest.mark.parametrize(
    ("mapping", "path"),
    [
        ({"chat": "turns", "prompt": "question"}, "column_mapping.prompt"),
        ({"chat": "turns", "completion": "answer"}, "column_mapping.completion"),
        ({"chat": "turns", "context": ["subject"]}, "column_mapping.context"),
        ({"chat": "turns", "universal_prompt": "Go."}, "column_mapping.universal_prompt"),
        ({"universal_prompt": "Go.", "prompt": "question", "context": ["subject"]}, "column_mapping.universal_prompt"),
        ({"universal_prompt": "Go."}, "column_mapping.universal_prompt"),
        ({"image": "picture"}, "column_mapping.image"),
        ({"image": "picture", "context": ["subject"]}, "column_mapping.image"),
        ({"prompt": "question", "image": "subject"}, "column_mapping.image"),
        ({"prompt": "question", "image": "question"}, "column_mapping.image"),
        ({"prompt": "question", "completion": "question"}, "column_mapping.completion"),
        ({"context": ["subject"]}, "column_mapping"),
        ({"chat": "question"}, "column_mapping.chat"),
        ({"prompt": "qestion"}, "column_mapping.prompt"),
        ({"prompt": "question", "image": "photo"}, "column_mapping.image"),
        ({"chat": "turn"}, "column_mapping.chat"),
        ({"universal_prompt": "Go.", "context": ["topic"]}, "column_mapping.context[0]"),
    ],
)
@pytest.mark.parametrize("estimate", [True, False])
def test_400_names_the_field_of_a_mapping_that_cannot_be(client, unadapted, mapping, path, estimate) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(unadapted, column_mapping=mapping, estimate=estimate)
    assert refused.value.body["code"] in ("invalid_request", "column_unknown")
    assert path in [detail["path"] for detail in refused.value.body["details"]]
    assert client.datasets.get_status(unadapted).status == "awaiting_input"


def test_400_names_the_row_whose_chat_cell_is_no_list_of_turns(client, unadapted) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(unadapted, column_mapping={"chat": "broken"})
    (detail,) = refused.value.body["details"]
    assert (detail["path"], detail["row"]) == ("column_mapping.chat", 1)
    assert "role" in detail["problem"] and "row 1" in refused.value.body["message"]


def test_400_lists_the_columns_that_there_are(client, unadapted) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(unadapted, column_mapping={"chat": "turn"})
    assert refused.value.body["code"] == "column_unknown"
    assert "turns" in refused.value.body["details"][0]["available"]
