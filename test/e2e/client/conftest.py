"""The public client of this API family, unmodified, against the running stack.

`test/helpers/client-tests.ts` starts pytest and says by the environment where the stack, its keys and the scripted model are.
"""

import json
import os
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from adaption import Adaption

BASE_URL = os.environ["ADAPTION_BASE_URL"]
MODEL_URL = os.environ["E2E_MODEL_URL"].removesuffix("/v1")
IMAGES_URL = json.loads(os.environ["E2E_HUB"])["storeUrl"] + "/images"
MAPPING = {"prompt": "question", "completion": "answer"}


def connect(key: str, **options: object) -> Adaption:
    """A client that refuses answers against its own schema and, unless told otherwise, asks only once."""
    return Adaption(
        base_url=BASE_URL,
        api_key=key,
        _strict_response_validation=True,
        **{"max_retries": 0, **options},
    )


@pytest.fixture(scope="session")
def client() -> Adaption:
    return connect(os.environ["ADAPTION_API_KEY"])


@pytest.fixture(scope="session")
def key_of() -> Callable[[str], str]:
    """Keys by what they can do: `reader`, `poor`, `hurried`, `limited`, `stranger`, `pager`."""
    keys = json.loads(os.environ["E2E_KEYS"])
    return lambda name: keys[name]


@pytest.fixture(scope="session")
def fixtures() -> Path:
    return Path(os.environ["E2E_FIXTURES"])


@pytest.fixture
def script() -> Iterator[Callable[[dict], None]]:
    """Tells the model behind the stack how to behave, for one test."""

    def tell(behaviour: dict) -> None:
        request = urllib.request.Request(
            f"{MODEL_URL}/_scripted/script", json.dumps(behaviour).encode(), method="POST"
        )
        urllib.request.urlopen(request).read()

    yield tell
    tell({"judge": "fair"})


def pairs(rows: int) -> str:
    """A CSV file of careless questions and answers, whose notes need quotes."""
    lines = [f'{n},how do i do thing row-{n} ,do it row-{n} way,"keep ""{n}"", please"' for n in range(rows)]
    return "\n".join(["id,question,answer,note", *lines]) + "\n"


def wait_until_read(client: Adaption, dataset_id: str, seconds: float = 60):
    """What users do before they adapt: they poll until the row count is there."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        record = client.datasets.get_status(dataset_id)
        if record.row_count is not None or record.status == "failed":
            return record
        time.sleep(0.3)
    raise AssertionError(f"{dataset_id} was not read within {seconds} s")


def upload(client: Adaption, folder: Path, text: str | bytes, name: str = "pairs.csv", **options: object) -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return client.datasets.upload_file(path, **options).dataset_id


def finish(client: Adaption, dataset_id: str):
    return client.datasets.wait_for_completion(dataset_id, initial_interval=0.3, max_interval=1, timeout=170)


@pytest.fixture(scope="session")
def adapted(client: Adaption, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A dataset of 12 rows that was adapted and evaluated once."""
    dataset_id = upload(client, tmp_path_factory.mktemp("adapted"), pairs(12))
    wait_until_read(client, dataset_id)
    client.datasets.adapt(dataset_id, column_mapping=MAPPING)
    assert finish(client, dataset_id).status == "succeeded"
    return dataset_id
