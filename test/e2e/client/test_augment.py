"""`augment`, and `expand` without a target, of the public client (spec §4.9): quotes, refusals, keys, what comes out."""

import json

import pytest
from adaption import (
    APIStatusError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    UnprocessableEntityError,
)

from conftest import connect, finish, upload, wait_until_read

RAW = {"processing_mode": "raw", "column_mapping": {"prompt": "question", "completion": "answer"}}


# Of topics that the starter pool has rows on.
KINDS = (
    "Which HTTP status code means thing {}?",
    "What is {}% of 80?",
    "Which date is {} days after 3 May 2020?",
    "How many litres are {} gallons?",
    "Write a limerick about {} cats.",
)


def questions(rows: int) -> str:
    lines = [f"{KINDS[n % len(KINDS)].format(n**3)},Answer {n}." for n in range(rows)]
    return "\n".join(["question,answer", *lines]) + "\n"


def lines_of(client, dataset_id: str) -> list[dict]:
    text = client.datasets.download(dataset_id, file_format="jsonl").read().decode()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def source(client, tmp_path_factory) -> str:
    dataset_id = upload(client, tmp_path_factory.mktemp("augment"), questions(20), **RAW)
    assert wait_until_read(client, dataset_id).row_count == 20
    return dataset_id


def test_rows_of_the_pool_come_into_a_dataset_of_its_own(client, source) -> None:
    before = lines_of(client, source)
    started = client.datasets.augment(source, domain_rows=12, general_rows=6, similar_rows=2)
    assert started.dataset_id not in (None, source)
    assert (started.status, started.estimate) == ("running", False)
    assert (started.domain_rows, started.general_rows) == (12, 6)
    assert started.estimated_credits_consumed == 1
    assert finish(client, started.dataset_id).status == "succeeded"
    made = client.datasets.get(started.dataset_id)
    assert (made.kind, made.source_dataset_id, made.row_count) == ("augmented", source, 40)
    rows = lines_of(client, started.dataset_id)
    assert [row["question"] for row in rows[:20]] == [row["question"] for row in before]
    assert [row["augmentation_kind"] for row in rows[20:]] == ["domain"] * 12 + ["general"] * 6 + ["similar"] * 2
    assert len({row["question"] for row in rows}) == 40
    assert all(row["answer"] for row in rows)
    assert lines_of(client, source) == before


def test_expand_without_a_target_adds_rows_of_the_pool(client, source) -> None:
    quote = client.datasets.expand(source, estimate=True)
    assert (quote.dataset_id, quote.status, quote.estimate) == (None, None, True)
    assert (quote.domain_rows, quote.general_rows) == (19_980, 8000)
    assert quote.estimated_credits_consumed == 280
    with pytest.raises(BadRequestError) as refused:
        client.datasets.expand(source)
    assert "19980 domain_rows and 8000 general_rows, for 280 credits" in refused.value.message
    started = client.datasets.expand(source, rows=5)
    assert finish(client, started.dataset_id).status == "succeeded"
    assert len(lines_of(client, started.dataset_id)) == 25


def test_a_repeated_key_answers_the_first_dataset_and_costs_nothing(client, source) -> None:
    first = client.datasets.augment(source, domain_rows=3, idempotency_key="augment-once")
    assert finish(client, first.dataset_id).status == "succeeded"
    again = client.datasets.augment(source, domain_rows=3, idempotency_key="augment-once")
    assert (again.dataset_id, again.status) == (first.dataset_id, "succeeded")
    assert (again.domain_rows, again.estimated_credits_consumed) == (0, 0)
    with pytest.raises(UnprocessableEntityError):
        client.datasets.augment(source, domain_rows=4, idempotency_key="augment-once")


def test_a_count_that_is_named_is_kept_when_the_others_are_filled(client, source) -> None:
    quote = client.datasets.augment(source, general_rows=10, fill_to_recommended=True, estimate=True)
    assert (quote.domain_rows, quote.general_rows) == (19_980, 10)


def test_preference_pairs_have_a_worse_answer(client, source) -> None:
    started = client.datasets.augment(source, domain_rows=4, training_type="preference_pairs")
    assert finish(client, started.dataset_id).status == "succeeded"
    added = lines_of(client, started.dataset_id)[20:]
    assert len(added) == 4
    assert all(row["chosen"] and row["rejected"] and row["chosen"] != row["rejected"] for row in added)


@pytest.mark.parametrize(
    "counts",
    [{"domain_rows": 0}, {"domain_rows": -1}, {"general_rows": 100_001}, {"similar_rows": 0.5}],
)
def test_counts_that_add_nothing_or_too_much_are_refused(client, source, counts) -> None:
    with pytest.raises(BadRequestError):
        client.datasets.augment(source, **counts)


def test_datasets_that_cannot_be_augmented_are_refused(client, key_of, source, tmp_path) -> None:
    waiting = client.datasets.create(source={"name": "later", "file_format": "csv"})
    with pytest.raises(ConflictError):
        client.datasets.augment(waiting.dataset_id, domain_rows=1)
    with pytest.raises(NotFoundError):
        connect(key_of("stranger")).datasets.augment(source, domain_rows=1)
    poor = connect(key_of("poor"))
    own = upload(poor, tmp_path, questions(3), "own.csv", **RAW)
    wait_until_read(poor, own)
    with pytest.raises(APIStatusError) as broke:
        poor.datasets.augment(own, domain_rows=1)
    assert broke.value.status_code == 402
    limited = connect(key_of("limited"))
    small = upload(limited, tmp_path, questions(3), "small.csv", **RAW)
    wait_until_read(limited, small)
    with pytest.raises(PermissionDeniedError) as capped:
        limited.datasets.augment(small, domain_rows=4)
    assert '"small" allows 3 rows a launch' in capped.value.message
