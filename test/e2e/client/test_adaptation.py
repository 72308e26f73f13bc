import csv
import io
import json
import os
import time

import httpx
import pytest
from adaption import (
    BadRequestError,
    ConflictError,
    InternalServerError,
    NotFoundError,
    UnprocessableEntityError,
)

from conftest import MAPPING, connect, finish, pairs, upload, wait_until_read


def table(client, dataset_id: str) -> list[dict[str, str]]:
    text = client.datasets.download(dataset_id, file_format="csv").read().decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_an_adaptation_runs_from_a_quote_to_grades(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(6))
    wait_until_read(client, dataset_id)

    quote = client.datasets.adapt(dataset_id, estimate=True)
    assert (quote.estimate, quote.run_id, quote.estimated_credits_consumed) == (True, None, 1)
    assert quote.multimodal_pricing_applied is False and quote.credit_multiplier is None
    assert client.datasets.get_status(dataset_id).status == "awaiting_input"
    assert client.datasets.get_evaluation(dataset_id).status == "pending"

    started = client.datasets.adapt(dataset_id, column_mapping=MAPPING)
    assert (started.estimate, started.estimated_credits_consumed) == (False, 1)
    status = client.datasets.get_status(dataset_id)
    assert status.status == "running" and status.progress.total_rows == 6
    assert client.datasets.get(dataset_id).run_id == started.run_id
    with pytest.raises(ConflictError) as busy:
        client.datasets.adapt(dataset_id, column_mapping=MAPPING)
    assert busy.value.body["code"] == "dataset_running"
    with pytest.raises(ConflictError):
        client.datasets.delete(dataset_id)

    assert finish(client, dataset_id).status == "succeeded"
    evaluation = client.datasets.wait_for_evaluation(dataset_id, initial_interval=0.2, timeout=60)
    assert evaluation.status == "succeeded"
    assert evaluation.quality.score_after > evaluation.quality.score_before
    assert evaluation.raw_results["sample"]["scored"] == 6

    dataset = client.datasets.get(dataset_id)
    assert dataset.run_id is None and dataset.progress is None and dataset.error_data is None
    assert dataset.configured_column_mapping.prompt == "question"
    assert dataset.configured_column_mapping.context == []
    assert dataset.evaluation_summary.grade_after == evaluation.quality.grade_after


def test_untouched_columns_come_back_as_they_went_in_and_no_row_is_lost(client, adapted) -> None:
    sent = list(csv.DictReader(io.StringIO(pairs(12))))
    got = table(client, adapted)
    for column in ("id", "question", "answer", "note"):
        assert [row[column] for row in got] == [row[column] for row in sent]
    assert all(row["enhanced_completion"] != row["answer"] for row in got)


def test_every_format_of_a_download_holds_the_same_rows(client, adapted, fixtures) -> None:
    files = {
        form: client.datasets.download(adapted, file_format=form).read()
        for form in ("csv", "json", "jsonl", "parquet")
    }
    rows = list(csv.DictReader(io.StringIO(files["csv"].decode())))
    assert list(rows[0]) == [
        "question",
        "answer",
        "enhanced_prompt",
        "enhanced_completion",
        "id",
        "note",
        "prompt_safety_issues",
        "response_safety_issues",
    ]
    lines = [json.loads(line) for line in files["jsonl"].decode().splitlines()]
    assert json.loads(files["json"]) == lines
    # A cell that nothing was written to is null or no member in JSON, and empty in CSV.
    assert [{name: row.get(name) or "" for name in rows[0]} for row in lines] == rows
    assert files["parquet"][:4] == files["parquet"][-4:] == b"PAR1"
    # client.cloud.test.ts opens the Parquet file with another reader and compares it with these rows.
    (fixtures / "downloaded.parquet").write_bytes(files["parquet"])
    (fixtures / "downloaded.json").write_bytes(files["json"])
    assert client.datasets.download(adapted).read() == files["csv"]


def test_a_repeated_request_with_one_idempotency_key_is_one_run(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(3))
    wait_until_read(client, dataset_id)
    job = {"idempotency_key": "once", "max_rows": 2}
    first = client.datasets.adapt(dataset_id, column_mapping=MAPPING, job_specification=job)
    again = client.datasets.adapt(dataset_id, column_mapping=MAPPING, job_specification=job)
    finish(client, dataset_id)
    after = client.datasets.adapt(dataset_id, column_mapping=MAPPING, job_specification=job)
    assert first.run_id == again.run_id == after.run_id
    assert client.datasets.get_status(dataset_id).status == "succeeded"
    with pytest.raises(UnprocessableEntityError) as mismatch:
        client.datasets.adapt(dataset_id, column_mapping=MAPPING, job_specification={**job, "max_rows": 1})
    assert mismatch.value.body["code"] == "idempotency_mismatch"

    rows = table(client, dataset_id)
    changed = [row for row in rows if row["enhanced_completion"] != row["answer"]]
    assert (len(rows), len(changed)) == (3, 2), "max_rows adapts so many rows and leaves the others as they are"


def test_controls_and_recipes_are_taken_and_a_prompt_is_left_alone_when_asked(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(2))
    wait_until_read(client, dataset_id)
    client.datasets.adapt(
        dataset_id,
        column_mapping={**MAPPING, "context": ["note"]},
        brand_controls={"length": "minimal", "blueprint": "Speak like a pirate."},
        recipe_specification={"recipes": {"prompt_rephrase": False}},
        training_type="instruction_dataset",
        language_expansion=None,
    )
    assert finish(client, dataset_id).status == "succeeded"
    rows = table(client, dataset_id)
    assert [row["enhanced_prompt"] for row in rows] == [row["question"] for row in rows]
    assert client.datasets.get(dataset_id).configured_column_mapping.context == ["note"]


def test_the_deprecated_run_adapts_like_adapt_and_names_its_successor(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(2))
    wait_until_read(client, dataset_id)
    with pytest.warns(DeprecationWarning):
        raw = client.datasets.with_raw_response.run(dataset_id, column_mapping=MAPPING, estimate=True)
    assert raw.headers["deprecation"] == "true"
    assert 'rel="successor-version"' in raw.headers["link"]
    with pytest.warns(DeprecationWarning):
        started = client.datasets.run(dataset_id, column_mapping=MAPPING)
    assert started.run_id is not None
    assert finish(client, dataset_id).status == "succeeded"


def test_an_unknown_column_is_refused_with_the_columns_that_there_are(client, adapted) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(adapted, column_mapping={**MAPPING, "prompt": "quesion"})
    assert refused.value.body["code"] == "column_unknown"
    assert refused.value.body["details"][0]["available"] == ["id", "question", "answer", "note"]


def test_export_links_are_all_empty(client, adapted) -> None:
    links = client.datasets.get_export_links(adapted)
    assert (links.huggingface, links.kaggle, links.google_sheets) == (None, None, None)


def test_an_untrained_dataset_has_no_best_launch(client, adapted) -> None:
    assert client.datasets.get_best_launch_config(adapted).best_job_config is None


def test_publishing_is_refused_at_once_though_the_client_would_ask_again(adapted) -> None:
    asked = []
    patient = connect(
        os.environ["ADAPTION_API_KEY"],
        max_retries=2,
        http_client=httpx.Client(event_hooks={"request": [asked.append]}),
    )
    with pytest.raises(InternalServerError) as refused:
        patient.datasets.publish(adapted, target="huggingface", target_spec={"repo_name": "x"})
    assert refused.value.status_code == 501
    assert len(asked) == 1


def test_a_deleted_dataset_is_gone_from_everywhere(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(1), name="doomed.csv")
    wait_until_read(client, dataset_id)
    for _ in range(50):
        if client.datasets.get_status(dataset_id).status == "awaiting_input":
            break
        time.sleep(0.2)
    assert client.datasets.delete(dataset_id).message
    for read in (client.datasets.get, client.datasets.get_status, client.datasets.delete, client.datasets.download):
        with pytest.raises(NotFoundError):
            read(dataset_id)
    assert [item.dataset_id for item in client.datasets.list(q="doomed") if item.dataset_id == dataset_id] == []
