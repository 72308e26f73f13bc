import csv
import hashlib
import io
import json
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from adaption import BadRequestError

from conftest import MAPPING, pairs, upload, wait_until_read


def put(url: str, body: bytes) -> None:
    httpx.put(url, content=body).raise_for_status()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pairs.csv", pairs(3)),
        ("pairs.json", json.dumps([{"question": "a?", "answer": "b"}] * 3)),
        ("pairs.jsonl", '{"question":"a?","answer":"b"}\n' * 3),
    ],
)
def test_a_file_of_every_text_format_is_read_after_upload_file(client, tmp_path, name, text) -> None:
    dataset_id = upload(client, tmp_path, text, name)
    record = wait_until_read(client, dataset_id)
    assert (record.status, record.row_count) == ("awaiting_input", 3)

    dataset = client.datasets.get(dataset_id)
    assert (dataset.status, dataset.kind, dataset.name) == ("pending", "uploaded", "pairs")
    assert dataset.configured_column_mapping is None and dataset.run_id is None


def test_a_parquet_file_is_read_after_upload_file(client, fixtures) -> None:
    dataset_id = client.datasets.upload_file(fixtures / "pairs.parquet").dataset_id
    assert wait_until_read(client, dataset_id).row_count == 5
    rows = client.datasets.download(dataset_id, file_format="jsonl").read().decode().splitlines()
    assert json.loads(rows[0])["question"] == "how do i do thing row-0"


def test_an_adaptation_may_start_as_soon_as_a_row_count_is_told(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(2))
    wait_until_read(client, dataset_id)
    assert client.datasets.adapt(dataset_id, column_mapping=MAPPING, estimate=True).estimate is True


def test_a_raw_file_becomes_a_trainable_dataset_without_a_run(client, tmp_path) -> None:
    dataset_id = upload(
        client, tmp_path, pairs(4), processing_mode="raw", column_mapping={**MAPPING, "context": ["note"]}
    )
    assert client.datasets.wait_for_completion(dataset_id, initial_interval=0.2, timeout=60).status == "succeeded"
    dataset = client.datasets.get(dataset_id)
    assert dataset.row_count == 4 and dataset.status == "succeeded"
    assert dataset.configured_column_mapping.prompt == "question"
    assert dataset.configured_column_mapping.context == ["note"]
    assert client.datasets.download(dataset_id, file_format="csv").read().decode() == pairs(4)


def test_raw_preference_pairs_keep_both_answers(client, tmp_path) -> None:
    lines = ["q,good,bad", "why?,because,dunno", "how?,like so,no idea"]
    dataset_id = upload(
        client,
        tmp_path,
        "\n".join(lines) + "\n",
        processing_mode="raw",
        column_mapping={"prompt": "q", "chosen": "good", "rejected": "bad"},
    )
    assert client.datasets.wait_for_completion(dataset_id, initial_interval=0.2, timeout=60).status == "succeeded"
    text = client.datasets.download(dataset_id, file_format="csv").read().decode()
    assert list(csv.DictReader(io.StringIO(text)))[1] == {"q": "how?", "good": "like so", "bad": "no idea"}


def test_a_raw_mapping_with_an_unknown_column_lists_the_columns_and_leaves_the_upload_usable(
    client, tmp_path
) -> None:
    body = pairs(2).encode()
    created = client.datasets.create(
        source={
            "name": "pairs.csv",
            "processing_mode": "raw",
            "column_mapping": {**MAPPING, "context": ["nowhere"]},
        }
    )
    put(created.upload_instructions.url, body)
    for _ in range(2):
        with pytest.raises(BadRequestError) as refused:
            client.datasets.upload.complete_by_id(created.dataset_id, file_size_bytes=len(body))
        assert refused.value.body["code"] == "column_unknown"
        assert refused.value.body["details"][0]["path"] == "column_mapping.context[0]"
        for column in ("id", "question", "answer", "note"):
            assert column in refused.value.body["message"]


def test_the_older_shape_of_a_source_is_still_taken(client) -> None:
    created = client.datasets.create(
        source={"type": "file", "file_format": "csv", "name": "old shape"}  # type: ignore[typeddict-unknown-key]
    )
    assert created.upload_instructions.method == "PUT"
    body = pairs(2).encode()
    put(created.upload_instructions.url, body)
    done = client.datasets.upload.complete_by_id(
        created.dataset_id, file_size_bytes=len(body), sha256=hashlib.sha256(body).hexdigest()
    )
    assert done.dataset_id == created.dataset_id
    assert wait_until_read(client, created.dataset_id).row_count == 2


def test_a_key_taken_from_the_path_of_the_upload_url_completes_the_upload(client) -> None:
    url = client.datasets.upload.initiate(file_format="csv", name="my data (1).csv").upload_url
    body = pairs(3).encode()
    put(url, body)
    key = unquote(urlsplit(url).path).lstrip("/")
    done = client.datasets.upload.complete(
        s3_key=key, name="my data (1).csv", file_format="csv", file_size_bytes=len(body)
    )
    assert wait_until_read(client, done.dataset_id).row_count == 3
    assert client.datasets.get(done.dataset_id).name == "my data (1).csv"


def test_an_upload_that_is_completed_twice_stays_one_dataset(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(2))
    again = client.datasets.upload.complete_by_id(dataset_id, file_size_bytes=len(pairs(2)))
    assert again.dataset_id == dataset_id
    assert wait_until_read(client, dataset_id).row_count == 2


def test_a_deferred_upload_waits_until_it_is_started(client) -> None:
    created = client.datasets.create(source={"name": "later.csv"}, extra_body={"defer_adaption": True})
    body = pairs(2).encode()
    put(created.upload_instructions.url, body)
    done = client.datasets.upload.complete_by_id(created.dataset_id, file_size_bytes=len(body))
    assert done.status == "pending"
    assert client.datasets.get_status(created.dataset_id).row_count is None
    client.post(f"/api/v1/datasets/{created.dataset_id}/start-adaption", cast_to=httpx.Response)
    assert wait_until_read(client, created.dataset_id).row_count == 2


def begin_batch(client, files: dict[str, bytes], **options) -> tuple[str, list[dict]]:
    """Initiates a batch and uploads its files; answers how they are to be completed."""
    announced = [
        {"file_name": name, "file_format": name.rsplit(".", 1)[1], "file_size_bytes": len(body)}
        for name, body in files.items()
    ]
    batch = client.datasets.upload.initiate_batch(name="All pairs", files=announced, **options)
    for one in batch.uploads:
        put(one.upload_url, files[one.file_name])
    return batch.dataset_id, [
        {**file, "s3_key": one.s3_key} for file, one in zip(announced, batch.uploads, strict=True)
    ]


def test_a_batch_of_tables_of_every_format_becomes_one_dataset(client, fixtures) -> None:
    parquet = (fixtures / "pairs.parquet").read_bytes()
    lines = b'{"id":5,"question":"a?","answer":"b"}\n' * 2
    dataset_id, files = begin_batch(client, {"a.parquet": parquet, "b.jsonl": lines})
    done = client.datasets.upload.complete_batch(dataset_id=dataset_id, files=files)
    assert (done.dataset_id, done.status) == (dataset_id, "pending")
    record = wait_until_read(client, dataset_id)
    assert (record.status, record.row_count) == ("awaiting_input", 7)
    assert client.datasets.get(dataset_id).name == "All pairs"
    rows = client.datasets.download(dataset_id, file_format="jsonl").read().decode().splitlines()
    assert json.loads(rows[0])["question"] == "how do i do thing row-0" and json.loads(rows[6])["answer"] == "b"
    assert client.datasets.adapt(dataset_id, column_mapping=MAPPING, estimate=True).estimate is True
    again = client.datasets.upload.complete_batch(dataset_id=dataset_id, files=files)
    assert again.status == "awaiting_input"


def test_a_batch_whose_files_do_not_share_one_schema_has_failed_preprocessing(client) -> None:
    dataset_id, files = begin_batch(client, {"a.csv": b"q,a\n1,2\n", "b.csv": b"q,b\n1,2\n"})
    done = client.datasets.upload.complete_batch(dataset_id=dataset_id, files=files)
    assert done.status == "preprocessing_failed"
    dataset = client.datasets.get(dataset_id)
    assert (dataset.status, dataset.error_data.code) == ("failed", "schema_mismatch")
    assert "a.csv" in dataset.error_data.message and "b.csv" in dataset.error_data.message
    client.datasets.delete(dataset_id)


def test_a_difference_that_only_reading_shows_fails_the_batch_later(client) -> None:
    dataset_id, files = begin_batch(client, {"a.jsonl": b'{"q":1}\n', "b.jsonl": b'{"q":"x"}\n'})
    assert client.datasets.upload.complete_batch(dataset_id=dataset_id, files=files).status == "pending"
    assert wait_until_read(client, dataset_id).error_data.code == "schema_mismatch"
    again = client.datasets.upload.complete_batch(dataset_id=dataset_id, files=files)
    assert again.status == "preprocessing_failed"


def test_a_batch_mixes_no_documents_with_tables(client) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.upload.initiate_batch(
            name="mixed",
            files=[
                {"file_name": "a.csv", "file_format": "csv", "file_size_bytes": 1},
                {"file_name": "b.pdf", "file_format": "pdf", "file_size_bytes": 1},
            ],
        )
    assert refused.value.body["details"][0]["path"] == "files[1].file_format"


def test_a_deferred_batch_waits_until_it_is_started(client) -> None:
    files = {"a.csv": b"q\n1\n", "b.csv": b"q\n2\n"}
    dataset_id, sent = begin_batch(client, files, extra_body={"defer_adaption": True})
    assert client.datasets.upload.complete_batch(dataset_id=dataset_id, files=sent).status == "pending"
    assert client.datasets.get_status(dataset_id).row_count is None
    client.post(f"/api/v1/datasets/{dataset_id}/start-adaption", cast_to=httpx.Response)
    assert wait_until_read(client, dataset_id).row_count == 2


def test_a_batch_of_documents_becomes_one_dataset_of_passages(client) -> None:
    page = b"<html><body><h1>Returns</h1><p>Send it back within a month.</p></body></html>"
    dataset_id, files = begin_batch(client, {"returns.html": page, "note.txt": b"We open at nine."})
    assert client.datasets.upload.complete_batch(dataset_id=dataset_id, files=files).status == "pending"
    assert wait_until_read(client, dataset_id).row_count == 2
    rows = client.datasets.download(dataset_id, file_format="jsonl").read().decode().splitlines()
    assert [json.loads(row)["source_file"] for row in rows] == ["returns.html", "note.txt"]
