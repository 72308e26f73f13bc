import base64
import json
import os
import urllib.request

import pytest
from adaption import BadRequestError, UnprocessableEntityError

from conftest import MAPPING, pairs, wait_until_read

HUB = json.loads(os.environ["E2E_HUB"])


def put(key: str, body: str) -> None:
    file = {"key": key, "file": {"body": base64.b64encode(body.encode()).decode()}}
    request = urllib.request.Request(f"{HUB['storeUrl']}/_scripted/put", json.dumps(file).encode(), method="POST")
    urllib.request.urlopen(request).read()


def test_a_dataset_of_hugging_face_is_imported_and_can_be_adapted(client) -> None:
    put("hf:client/pairs@main/pairs.csv", pairs(3))
    created = client.datasets.create(
        source={"url": f"{HUB['huggingFaceUrl']}/datasets/client/pairs", "files": ["pairs.csv"]}
    )
    assert created.status == "pending" and created.upload_instructions is None

    record = wait_until_read(client, created.dataset_id)
    assert (record.status, record.row_count) == ("awaiting_input", 3)
    dataset = client.datasets.get(created.dataset_id)
    assert (dataset.name, dataset.kind) == ("pairs", "uploaded")
    assert client.datasets.adapt(created.dataset_id, column_mapping=MAPPING, estimate=True).estimate is True


def test_a_dataset_of_kaggle_is_imported_by_the_older_helper(client) -> None:
    put("kaggle:client/pairs/deep/pairs.csv", pairs(2))
    with pytest.deprecated_call():
        created = client.datasets.create_from_kaggle(
            url=f"{HUB['kaggleUrl']}/datasets/client/pairs", files=["deep/pairs.csv"]
        )
    assert wait_until_read(client, created.dataset_id).row_count == 2


def test_named_tabs_of_a_shared_spreadsheet_are_imported(client) -> None:
    put("sheet:client/one", pairs(1))
    put("sheet:client/two", pairs(4))
    created = client.datasets.create(
        source={
            "url": f"{HUB['googleSheetsUrl']}/spreadsheets/d/client/edit#gid=0",
            "access": "public",
            "sheet_names": ["two"],
        }
    )
    assert wait_until_read(client, created.dataset_id).row_count == 4


def test_an_object_in_raw_mode_becomes_a_trainable_dataset(client) -> None:
    put("store:client/pairs.csv", pairs(2))
    created = client.datasets.create(
        source={"url": f"{HUB['storeUrl']}/client/pairs.csv", "processing_mode": "raw", "column_mapping": MAPPING}
    )
    assert client.datasets.wait_for_completion(created.dataset_id, initial_interval=0.2, timeout=60).status == "succeeded"


def test_an_import_that_fails_says_why(client) -> None:
    created = client.datasets.create(
        source={"url": f"{HUB['huggingFaceUrl']}/datasets/client/pairs", "files": ["nothing.csv"]}
    )
    record = wait_until_read(client, created.dataset_id)
    assert record.status == "failed" and record.error_data.code == "source_missing"
    assert "nothing.csv" in record.error_data.message


def test_a_url_that_cannot_be_imported_is_refused(client) -> None:
    with pytest.raises(BadRequestError, match="source.url"):
        client.datasets.create(source={"url": "https://169.254.169.254/latest/data.csv"})
    with pytest.raises(BadRequestError, match="source.files"):
        client.datasets.create(source={"url": f"{HUB['huggingFaceUrl']}/datasets/client/pairs"})
    with pytest.raises(UnprocessableEntityError, match="public"):
        client.datasets.create(source={"url": f"{HUB['googleSheetsUrl']}/spreadsheets/d/client"})
