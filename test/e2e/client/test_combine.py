import json
import uuid

import httpx
import pytest
from adaption import BadRequestError, UnprocessableEntityError

from conftest import MAPPING, connect, pairs, upload

RAW = {"processing_mode": "raw", "column_mapping": MAPPING}


def raw(client, folder, rows: int, name: str) -> str:
    """A dataset that is trained on as it is."""
    dataset_id = upload(client, folder, pairs(rows), name, **RAW)
    assert client.datasets.wait_for_completion(dataset_id, initial_interval=0.2, timeout=90).status == "succeeded"
    return dataset_id


def lines(client, dataset_id: str) -> list[dict]:
    text = client.datasets.download(dataset_id, file_format="jsonl").read().decode()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def sources(client, tmp_path_factory) -> list[str]:
    folder = tmp_path_factory.mktemp("combine")
    return [raw(client, folder, 3, "first.csv"), raw(client, folder, 2, "second.csv")]


def test_datasets_are_validated_and_merged_row_by_row(client, sources) -> None:
    checked = client.datasets.combine.validate(dataset_ids=sources)
    assert (checked.compatible, checked.training_type, checked.total_estimated_rows) == (
        True,
        "instruction_dataset",
        5,
    )
    assert checked.issues == []

    merged = client.datasets.combine.create(dataset_ids=sources, name="Merged").dataset_id
    dataset = client.datasets.get(merged)
    assert (dataset.kind, dataset.status, dataset.row_count, dataset.name) == ("combined", "succeeded", 5, "Merged")
    assert dataset.source_dataset_id is None and dataset.run_id is None
    assert dataset.configured_column_mapping.prompt == "question"
    assert lines(client, merged) == lines(client, sources[0]) + lines(client, sources[1])
    assert merged in [item.dataset_id for item in client.datasets.list(type="combined")]


def test_an_adapted_dataset_is_merged_as_its_download_shows_it(client, adapted, sources) -> None:
    ids = [adapted, sources[0]]
    assert client.datasets.combine.validate(dataset_ids=ids).total_estimated_rows == 15
    merged = client.datasets.combine.create(dataset_ids=ids, name="Adapted and raw").dataset_id
    rows = lines(client, merged)
    assert rows[:12] == lines(client, adapted)
    assert [row["enhanced_completion"] for row in rows[12:]] == [row["answer"] for row in rows[12:]]
    mapping = client.datasets.get(merged).configured_column_mapping
    assert (mapping.prompt, mapping.completion) == ("enhanced_prompt", "enhanced_completion")


def test_one_key_makes_one_dataset(client, sources) -> None:
    key = str(uuid.uuid4())
    first = client.datasets.combine.with_raw_response.create(dataset_ids=sources, name="Once", idempotency_key=key)
    again = client.datasets.combine.create(dataset_ids=sources, name="Once", idempotency_key=key)
    assert first.parse().dataset_id == again.dataset_id
    assert first.headers["idempotency-key"] == key
    with pytest.raises(UnprocessableEntityError) as mismatch:
        client.datasets.combine.create(dataset_ids=sources, name="Twice", idempotency_key=key)
    assert mismatch.value.body["code"] == "idempotency_mismatch"

    unnamed = client.datasets.combine.with_raw_response.create(dataset_ids=sources, name="Once")
    assert uuid.UUID(unnamed.headers["idempotency-key"]) and unnamed.parse().dataset_id != again.dataset_id

    job = client.get(f"/api/v1/datasets/combine/jobs/{again.dataset_id}", cast_to=httpx.Response).json()
    assert (job["status"], job["dataset_id"]) == ("succeeded", again.dataset_id)


def test_what_stands_against_a_merge_is_told_by_validate_and_refused_by_create(client, key_of, sources) -> None:
    missing = str(uuid.uuid4())
    checked = client.datasets.combine.validate(dataset_ids=[sources[0], sources[0], missing])
    assert checked.compatible is False and checked.training_type is None
    assert {issue.code: issue.level for issue in checked.issues} == {
        "duplicate_source_ids": "error",
        "dataset_not_found": "error",
    }
    with pytest.raises(BadRequestError) as refused:
        client.datasets.combine.create(dataset_ids=[sources[0], missing], name="No")
    assert refused.value.body["code"] == "DATASET_COMBINE_VALIDATION_FAILED"
    assert [(each["code"], each["dataset_id"]) for each in refused.value.body["details"]] == [
        ("dataset_not_found", missing)
    ]
    # The keys of the tests are one user's, whose teams are organizations of their own.
    stranger = connect(key_of("stranger"))
    told = stranger.datasets.combine.validate(dataset_ids=sources)
    assert [issue.code for issue in told.issues] == ["wrong_organization", "wrong_organization"]
    odd = client.datasets.combine.validate(dataset_ids=[sources[0], "no-uuid"])
    assert odd.compatible is False
    assert ("no-uuid", "error") in {(issue.dataset_id, issue.level) for issue in odd.issues}
