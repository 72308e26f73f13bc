import json

import pytest
from adaption import BadRequestError

from conftest import MAPPING, finish, upload, wait_until_read

ROWS = [
    {"question": "how do i sleep?", "answer": "do it"},
    {"question": "What is 6 * 7?", "answer": "41"},
    {"question": "who can help me?", "answer": "ask ann@mail.acme.de"},
    {"question": "name two colours", "answer": ""},
    {"question": "How do I sleep?", "answer": "count to one hundred"},
]


def lint(client, dataset_id: str, **body: object) -> dict:
    return client.post(f"/api/v1/datasets/{dataset_id}/lint", body=body, cast_to=object)


@pytest.fixture(scope="module")
def dirty(client, tmp_path_factory: pytest.TempPathFactory) -> str:
    text = "\n".join(json.dumps(row) for row in ROWS)
    dataset_id = upload(client, tmp_path_factory.mktemp("dirty"), text, "dirty.jsonl")
    wait_until_read(client, dataset_id)
    return dataset_id


def test_the_rows_of_a_dataset_are_checked_and_stay_as_they_are(client, dirty) -> None:
    before = client.datasets.get(dirty)
    report = lint(client, dirty, column_mapping=MAPPING)
    assert (report["checked_rows"], report["next_row"]) == (5, None)
    assert [(one["row"], one["check"]) for one in report["findings"]] == [
        (1, "arithmetic_wrong"),
        (2, "personal_data"),
        (3, "completion_empty"),
        (4, "near_duplicate"),
    ]
    assert client.datasets.get(dirty) == before


def test_contamination_is_told_by_the_benchmarks_that_are_sent(client, dirty) -> None:
    benchmarks = ["please tell me now how do i sleep do it"]
    with pytest.raises(BadRequestError) as refused:
        lint(client, dirty, column_mapping=MAPPING, checks=["contaminated"])
    assert refused.value.body["details"][0]["path"] == "benchmarks"
    assert lint(client, dirty, column_mapping=MAPPING, benchmarks=benchmarks)["counts"]["contaminated"] == 0


def test_an_adaptation_drops_the_rows_of_which_a_check_finds_something(client, dirty) -> None:
    recipe = {"drop": ["personal_data", "arithmetic_wrong"]}
    client.datasets.adapt(
        dirty, column_mapping=MAPPING, recipe_specification={"recipes": {"lint": recipe}}  # type: ignore[typeddict-unknown-key]
    )
    assert finish(client, dirty).status == "succeeded"
    rows = client.datasets.download(dirty, file_format="jsonl").read().decode().splitlines()
    assert [json.loads(row)["question"] for row in rows] == [ROWS[n]["question"] for n in (0, 3, 4)]
