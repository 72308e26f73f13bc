"""Kaggle's own client against the stand-in: publishes a folder and reads it back; or reads what the service published."""

import json
import os
import sys
import tempfile
import time
import zipfile

os.environ["KAGGLE_API_ENVIRONMENT"] = "LOCALHOST"

from kagglesdk import kaggle_env

# Only the address: what is sent there is the client's.
kaggle_env._env_to_endpoint[kaggle_env.KaggleEnv.LOCAL] = os.environ["KAGGLE_STAND_IN"]

import pyarrow.parquet
from kaggle.api.kaggle_api_extended import KaggleApi


def connect() -> KaggleApi:
    api = KaggleApi()
    api.authenticate()
    return api


def write_folder(slug: str, texts: dict[str, str], **metadata: object) -> str:
    folder = tempfile.mkdtemp()
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    with open(os.path.join(folder, "dataset-metadata.json"), "w") as file:
        json.dump({"id": f"acme/{slug}", "title": "By the client", "licenses": [{"name": "CC0-1.0"}], **metadata}, file)
    return folder


def wait_until_ready(api: KaggleApi, dataset: str) -> None:
    for _ in range(50):
        if api.dataset_status(dataset) == "ready":
            return
        time.sleep(0.1)
    raise AssertionError(api.dataset_status(dataset))


def download(api: KaggleApi, dataset: str) -> tuple[str, list[str]]:
    """All files, in a folder, each as the archive of them has it."""
    folder, archive = tempfile.mkdtemp(), tempfile.mkdtemp()
    names = sorted(file.name for file in api.dataset_list_files(dataset).dataset_files)
    api.dataset_download_files(dataset, archive)
    with zipfile.ZipFile(os.path.join(archive, dataset.split("/")[1] + ".zip")) as whole:
        assert sorted(whole.namelist()) == names
        for name in names:
            api.dataset_download_file(dataset, name, folder, unzip=True)
            with open(os.path.join(folder, name), "rb") as file:
                assert file.read() == whole.read(name), name
    return folder, names


def read_metadata(api: KaggleApi, dataset: str) -> dict[str, object]:
    with open(api.dataset_metadata(dataset, tempfile.mkdtemp())) as file:
        metadata = json.load(file)
    return metadata.get("info", metadata)


def round_trip() -> dict[str, object]:
    """What the client publishes, the stand-in gives back, though uploads of it break."""
    api = connect()
    assert api.get_config_value("username") == "acme"
    dataset = "acme/by-the-client"
    first = {"a.csv": "x\n" * 100_000, "b.txt": "b\n" * 100_000}
    made = api.dataset_create_new(write_folder("by-the-client", first, description="Rows."), quiet=True)
    assert made.status == "Ok" and not made.error, made
    wait_until_ready(api, dataset)
    again = api.dataset_create_new(write_folder("by-the-client", first), quiet=True)
    assert again.status == "error" and "already in use" in again.error, again
    same = api.dataset_create_new(write_folder("another-slug", first), quiet=True)
    assert same.status == "error" and "already in use" in same.error, same
    folder, names = download(api, dataset)
    assert names == sorted(first)
    assert open(os.path.join(folder, "a.csv")).read() == first["a.csv"]

    second = {"a.csv": "y\n", "c.txt": "c"}
    made = api.dataset_create_version(write_folder("by-the-client", second, description="New."), "Second", quiet=True)
    assert made.status == "Ok", made
    wait_until_ready(api, dataset)
    _, names = download(api, dataset)
    assert names == sorted(second)
    state = json.loads(api.dataset_status(dataset, format="json"))
    assert state == {"status": "ready", "current_version_number": 2}, state

    metadata = read_metadata(api, dataset)
    return {key: metadata.get(key) for key in ("title", "description", "isPrivate", "licenses")}


def read_published(dataset: str) -> dict[str, object]:
    api = connect()
    folder, names = download(api, dataset)
    table = pyarrow.parquet.read_table(os.path.join(folder, next(name for name in names if name.endswith(".parquet"))))
    with open(os.path.join(folder, "README.md")) as file:
        card = file.read()
    return {"rows": table.to_pylist(), "files": names, "metadata": read_metadata(api, dataset), "card": card}


print(json.dumps(read_published(sys.argv[1]) if len(sys.argv) > 1 else round_trip()))
