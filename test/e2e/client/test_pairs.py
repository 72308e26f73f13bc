import csv
import io
import warnings

import pytest

from conftest import MAPPING, finish, pairs, upload, wait_until_read

WORDS = " ".join(f"word{n}" for n in range(60))


def table(client, dataset_id: str) -> list[dict[str, str]]:
    text = client.datasets.download(dataset_id, file_format="csv").read().decode()
    return list(csv.DictReader(io.StringIO(text)))


def repeated() -> str:
    """Four different questions, then the first one again and the second one with other marks and letters."""
    questions = [f"what is it about {n} {WORDS} {n * 7}".replace("word", f"w{n}x") for n in range(4)]
    questions += [questions[0], questions[1].upper() + "?!"]
    lines = [f"{n},{question},it is {n},keep" for n, question in enumerate(questions)]
    return "\n".join(["id,question,answer,note", *lines]) + "\n"


@pytest.mark.parametrize("operation", ["adapt", "run"])
def test_duplicates_are_dropped_where_it_is_asked_for(client, tmp_path, operation) -> None:
    dataset_id = upload(client, tmp_path, repeated())
    wait_until_read(client, dataset_id)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        started = getattr(client.datasets, operation)(
            dataset_id,
            column_mapping=MAPPING,
            recipe_specification={"recipes": {"deduplication": True}},
        )
    assert started.run_id is not None
    assert finish(client, dataset_id).status == "succeeded"
    assert [row["id"] for row in table(client, dataset_id)] == ["0", "1", "2", "3"]


def test_no_row_is_dropped_unless_it_is_asked_for(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, repeated())
    wait_until_read(client, dataset_id)
    client.datasets.adapt(dataset_id, column_mapping=MAPPING)
    assert finish(client, dataset_id).status == "succeeded"
    assert len(table(client, dataset_id)) == 6


def test_preference_pairs_have_the_same_sources_and_two_more_columns(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(4))
    wait_until_read(client, dataset_id)
    quote = client.datasets.adapt(
        dataset_id, column_mapping=MAPPING, training_type="preference_pairs", estimate=True
    )
    assert (quote.estimate, quote.estimated_credits_consumed) == (True, 1)
    client.datasets.adapt(dataset_id, column_mapping=MAPPING, training_type="preference_pairs")
    assert finish(client, dataset_id).status == "succeeded"

    rows = table(client, dataset_id)
    sent = list(csv.DictReader(io.StringIO(pairs(4))))
    for column in ("id", "question", "answer", "note"):
        assert [row[column] for row in rows] == [row[column] for row in sent]
    for row in rows:
        assert row["chosen"] == row["enhanced_completion"] != row["rejected"] != ""
    evaluation = client.datasets.wait_for_evaluation(dataset_id, initial_interval=0.2, timeout=60)
    assert evaluation.quality.score_after > evaluation.quality.score_before


def test_an_instruction_dataset_is_what_comes_without_a_training_type(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(2))
    wait_until_read(client, dataset_id)
    client.datasets.adapt(dataset_id, column_mapping=MAPPING, training_type="instruction_dataset")
    assert finish(client, dataset_id).status == "succeeded"
    assert not {"chosen", "rejected"} & set(table(client, dataset_id)[0])
