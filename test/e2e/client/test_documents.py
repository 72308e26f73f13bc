"""Documents: the helper takes tables alone, so users create, send and complete by themselves."""

import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from adaption import BadRequestError

from conftest import finish, wait_until_read

DOCUMENTS = Path("test/fixtures/documents")
MAPPING = {"completion": "text", "context": ["heading"]}


def create(client, name: str) -> str:
    body = (DOCUMENTS / name).read_bytes()
    created = client.datasets.create(source={"name": name})
    httpx.put(created.upload_instructions.url, content=body).raise_for_status()
    client.datasets.upload.complete_by_id(created.dataset_id, file_size_bytes=len(body))
    return created.dataset_id


@pytest.mark.parametrize(
    ("name", "rows"),
    [("handbook.docx", 4), ("page.pdf", 2), ("slides.pptx", 2), ("stores.xlsx", 2), ("page.html", 2), ("log.txt", 1)],
)
def test_a_document_of_every_format_is_read(client, name, rows) -> None:
    dataset_id = create(client, name)
    record = wait_until_read(client, dataset_id)
    assert (record.status, record.row_count) == ("awaiting_input", rows)

    dataset = client.datasets.get(dataset_id)
    assert (dataset.status, dataset.kind, dataset.name) == ("pending", "uploaded", name)
    lines = client.datasets.download(dataset_id, file_format="jsonl").read().decode().splitlines()
    assert {json.loads(line)["source_file"] for line in lines} == {name}


def test_a_document_is_read_after_initiate_and_complete(client) -> None:
    body = (DOCUMENTS / "report.pdf").read_bytes()
    url = client.datasets.upload.initiate(name="storm report", file_format="pdf").upload_url
    httpx.put(url, content=body).raise_for_status()
    completed = client.datasets.upload.complete(
        s3_key=unquote(urlsplit(url).path).lstrip("/"),
        name="storm report",
        file_format="pdf",
        file_size_bytes=len(body),
    )
    assert wait_until_read(client, completed.dataset_id).row_count == 2


def test_an_adaptation_makes_instructions_of_the_passages(client) -> None:
    dataset_id = create(client, "handbook.docx")
    wait_until_read(client, dataset_id)
    with pytest.raises(BadRequestError, match='"completion":"text"'):
        client.datasets.adapt(dataset_id)
    assert client.datasets.adapt(dataset_id, estimate=True).estimate is True

    client.datasets.adapt(dataset_id, column_mapping=MAPPING)
    assert finish(client, dataset_id).status == "succeeded"
    lines = client.datasets.download(dataset_id, file_format="jsonl").read().decode().splitlines()
    assert len(lines) == 4
    assert all(json.loads(line)["enhanced_prompt"] for line in lines)


def test_a_document_that_cannot_be_read_says_which_and_why(client) -> None:
    record = wait_until_read(client, create(client, "encrypted.pdf"))
    assert record.status == "failed" and record.error_data.code == "file_unreadable"
    assert record.error_data.message.startswith('"encrypted.pdf": ') and "password" in record.error_data.message


def test_a_document_is_no_raw_dataset(client) -> None:
    with pytest.raises(BadRequestError, match="source.processing_mode"):
        client.datasets.create(
            source={
                "name": "book.docx",
                "processing_mode": "raw",
                "column_mapping": {"prompt": "q", "completion": "a"},
            }
        )
