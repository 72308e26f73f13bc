"""`expand`, `translate`, `localize` and `extend_trajectories` of the public client (spec §2.6, §4.10, §4.11)."""

import json

import pytest
from adaption import APIStatusError, BadRequestError, NotFoundError, PermissionDeniedError, UnprocessableEntityError

from conftest import MAPPING, connect, finish, pairs, upload, wait_until_read

RAW = {"processing_mode": "raw", "column_mapping": MAPPING}


def lines(client, dataset_id: str) -> list[dict]:
    text = client.datasets.download(dataset_id, file_format="jsonl").read().decode()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def raw(client, tmp_path_factory) -> str:
    dataset_id = upload(client, tmp_path_factory.mktemp("expand"), pairs(20), "pairs.csv", **RAW)
    assert finish(client, dataset_id).status == "succeeded"
    return dataset_id


def test_a_number_of_rows_in_two_languages_is_asked_for_and_comes(client, raw) -> None:
    quote = client.datasets.expand(raw, rows=7, languages=["es", "DE"], estimate=True)
    assert (quote.estimate, quote.dataset_id, quote.estimated_new_rows) == (True, None, 7)

    started = client.datasets.expand(raw, rows=7, languages=["es", "DE"])
    assert (started.status, started.estimated_new_rows, started.estimated_credits_consumed) == ("running", 7, 1)
    assert finish(client, started.dataset_id).status == "succeeded"

    made = client.datasets.get(started.dataset_id)
    assert (made.kind, made.source_dataset_id, made.row_count) == ("translated", raw, 27)
    assert made.configured_column_mapping.prompt == "question"
    rows = lines(client, started.dataset_id)
    source = lines(client, raw)
    assert [{name: row[name] for name in source[0]} for row in rows[:20]] == source
    languages = [row["expansion_language"] for row in rows[20:]]
    assert (languages.count("es"), languages.count("de")) == (4, 3)
    assert client.datasets.get(raw).row_count == 20
    assert started.dataset_id in [item.dataset_id for item in client.datasets.list(type="augmented")]


def test_an_adapted_dataset_is_localized_as_its_download_shows_it(client, adapted) -> None:
    started = client.datasets.localize(
        adapted, pairs=[{"country": "mx", "language": "es"}], sample_rate=1, idempotency_key="localized once"
    )
    assert finish(client, started.dataset_id).status == "succeeded"
    rows = lines(client, started.dataset_id)
    source = lines(client, adapted)
    assert [row["enhanced_prompt"] for row in rows[:12]] == [row["enhanced_prompt"] for row in source]
    assert len(rows) == 24
    for row in rows[12:]:
        assert (row["expansion_language"], row["expansion_country"]) == ("es", "MX")
        assert "español" in row["enhanced_prompt"] and "español" in row["enhanced_completion"]
    made = client.datasets.get(started.dataset_id)
    assert made.kind == "localized"
    assert made.configured_column_mapping.completion == "enhanced_completion"

    again = client.datasets.localize(
        adapted, pairs=[{"country": "mx", "language": "es"}], sample_rate=1, idempotency_key="localized once"
    )
    assert (again.dataset_id, again.status) == (started.dataset_id, "succeeded")
    assert (again.estimated_new_rows, again.estimated_credits_consumed) == (0, 0)
    with pytest.raises(UnprocessableEntityError):
        client.datasets.localize(
            adapted, pairs=[{"country": "ES", "language": "es"}], sample_rate=1, idempotency_key="localized once"
        )


def test_what_was_made_is_adapted_like_any_other(client, raw) -> None:
    made = client.datasets.translate(raw, languages=["fr"], sample_rate=0.1).dataset_id
    assert finish(client, made).status == "succeeded"
    client.datasets.adapt(made, column_mapping=MAPPING)
    assert finish(client, made).status == "succeeded"
    assert client.datasets.get(made).row_count == 22


def test_conversations_go_on(client, raw) -> None:
    quote = client.datasets.extend_trajectories(raw, estimate=True)
    assert (quote.run_id, quote.dataset_id, quote.estimated_credits_consumed) == (None, None, 1)
    job = {"max_rows": 5, "idempotency_key": "extended once"}
    started = client.datasets.extend_trajectories(raw, column_mapping=MAPPING, job_specification=job)
    assert started.run_id and finish(client, started.dataset_id).status == "succeeded"
    rows = lines(client, started.dataset_id)
    assert len(rows) == 5 and client.datasets.get(started.dataset_id).kind == "extended"
    for row in rows:
        assert f"row-{row['id']}" in row["extended_prompt"]
    again = client.datasets.extend_trajectories(raw, column_mapping=MAPPING, job_specification=job)
    assert (again.dataset_id, again.run_id) == (started.dataset_id, started.run_id)
    assert (again.estimated_credits_consumed, again.estimated_minutes) == (0, 0)


@pytest.mark.parametrize(
    ("call", "status", "code", "path"),
    [
        (lambda c, d: c.translate(d, languages=["xx-yy"], sample_rate=1), 400, "language_unsupported", "languages[0]"),
        (
            lambda c, d: c.localize(d, pairs=[{"country": "JP", "language": "es"}], sample_rate=1),
            400,
            "language_unsupported",
            "pairs[0]",
        ),
        (lambda c, d: c.translate(d, languages=["es"], sample_rate=2), 400, "invalid_request", "sample_rate"),
        (lambda c, d: c.translate(d, languages=["es"], sample_rate=0.01), 400, "nothing_to_add", "sample_rate"),
        (lambda c, d: c.extend_trajectories(d), 400, "column_mapping_required", "column_mapping"),
        (
            lambda c, d: c.extend_trajectories(d, column_mapping={"chat": "turns"}),
            400,
            "column_unknown",
            "column_mapping.chat",
        ),
    ],
)
def test_refusals_have_their_status_code_and_field(client, raw, call, status, code, path) -> None:
    with pytest.raises(APIStatusError) as refused:
        call(client.datasets, raw)
    body = refused.value.body
    assert (refused.value.status_code, body["code"], body["details"][0]["path"]) == (status, code, path)


def test_a_dataset_that_says_nothing_of_its_columns_is_refused_by_their_names(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(3))
    wait_until_read(client, dataset_id)
    with pytest.raises(BadRequestError, match='"question", "answer"'):
        client.datasets.translate(dataset_id, languages=["es"], sample_rate=1)


def test_another_team_and_a_reader_get_nothing(raw, key_of) -> None:
    with pytest.raises(NotFoundError):
        connect(key_of("stranger")).datasets.translate(raw, languages=["es"], sample_rate=1)
    with pytest.raises(PermissionDeniedError):
        connect(key_of("reader")).datasets.translate(raw, languages=["es"], sample_rate=1)
