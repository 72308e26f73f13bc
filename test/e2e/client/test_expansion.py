"""`language_expansion` of the public client (spec §4.8): its three states, its checks, its price and what comes out."""

import csv
import io
import json

import httpx
import pytest
from adaption import BadRequestError

from conftest import MAPPING, finish, pairs, upload, wait_until_read

SPANISH = {"type": "translate", "languages": ["ES"], "sample_rate": 0.5}


def table(client, dataset_id: str) -> list[dict[str, str]]:
    text = client.datasets.download(dataset_id, file_format="csv").read().decode()
    return list(csv.DictReader(io.StringIO(text)))


def price(client, dataset_id: str, **options) -> float:
    return client.datasets.adapt(dataset_id, estimate=True, **options).estimated_credits_consumed


@pytest.fixture(scope="module")
def read(client, tmp_path_factory) -> str:
    dataset_id = upload(client, tmp_path_factory.mktemp("expansion"), pairs(120))
    wait_until_read(client, dataset_id)
    return dataset_id


def test_none_is_sent_as_null_and_an_omitted_argument_not_at_all(client, read) -> None:
    sent: list[dict] = []
    spying = client.with_options(
        http_client=httpx.Client(event_hooks={"request": [lambda request: sent.append(json.loads(request.content))]})
    )
    spying.datasets.adapt(read, estimate=True, language_expansion=None)
    spying.datasets.adapt(read, estimate=True)
    assert sent[0]["language_expansion"] is None
    assert "language_expansion" not in sent[1]


def test_the_price_is_that_of_the_rows_that_come_out(client, read) -> None:
    assert price(client, read) == 2
    assert price(client, read, language_expansion=SPANISH) == 2
    assert price(client, read, language_expansion={**SPANISH, "sample_rate": 1}) == 3
    three = {"type": "translate", "languages": ["es", "zh", "zh-Hant"], "sample_rate": 1}
    assert price(client, read, language_expansion=three) == 5
    named_twice = {"type": "translate", "languages": ["zh", "ZH-HANS"], "sample_rate": 1}
    assert price(client, read, language_expansion=named_twice) == 3
    pair = {"type": "localize", "pairs": [{"country": "mx", "language": "ES"}], "sample_rate": 0.01}
    assert price(client, read, language_expansion=pair) == 2
    # Estimates change nothing.
    assert price(client, read) == 2


@pytest.mark.parametrize(
    "expansion",
    [
        {**SPANISH, "sample_rate": 0.009},
        {**SPANISH, "sample_rate": 1.01},
        {"type": "translate", "sample_rate": 1},
        {"type": "localize", "sample_rate": 1},
        {**SPANISH, "pairs": [{"country": "MX", "language": "es"}]},
        {"type": "localize", "languages": ["es"], "pairs": [{"country": "MX", "language": "es"}], "sample_rate": 1},
    ],
)
def test_what_does_not_go_together_is_refused(client, read, expansion) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(read, estimate=True, language_expansion=expansion)
    assert refused.value.body["details"][0]["path"].startswith("language_expansion.")


def test_an_unknown_code_is_refused_with_a_sample_of_those_that_are_known(client, read) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(
            read,
            estimate=True,
            language_expansion={"type": "translate", "languages": ["es", "klingonese"], "sample_rate": 1},
        )
    assert '"klingonese"' in refused.value.body["message"]
    sample = refused.value.body["details"][0]["sample"]
    assert price(client, read, language_expansion={"type": "translate", "languages": sample, "sample_rate": 0.01}) > 1


def test_a_pair_whose_language_is_not_spoken_there_is_named(client, read) -> None:
    pairs_given = [{"country": "MX", "language": "es"}, {"country": "JP", "language": "sw"}]
    with pytest.raises(BadRequestError) as refused:
        client.datasets.adapt(
            read, estimate=True, language_expansion={"type": "localize", "pairs": pairs_given, "sample_rate": 1}
        )
    assert '"JP" and "sw"' in refused.value.body["message"]


def test_an_object_is_kept_an_omitted_one_runs_again_and_null_clears_it(client, tmp_path) -> None:
    dataset_id = upload(client, tmp_path, pairs(10))
    wait_until_read(client, dataset_id)
    expansion = {"type": "localize", "pairs": [{"country": "mx", "language": "ES"}], "sample_rate": 0.5}

    client.datasets.adapt(dataset_id, column_mapping=MAPPING, language_expansion=expansion)
    assert client.datasets.get_status(dataset_id).progress.total_rows == 15
    assert finish(client, dataset_id).status == "succeeded"
    assert client.datasets.get(dataset_id).row_count == 15
    first = table(client, dataset_id)
    assert [row["expansion_language"] for row in first] == [""] * 10 + ["es"] * 5
    assert [row["expansion_country"] for row in first[10:]] == ["MX"] * 5
    for row in first[10:]:
        source = first[int(row["expansion_source_row"])]
        assert [row[name] for name in ("id", "question", "answer", "note")] == [
            source[name] for name in ("id", "question", "answer", "note")
        ]
        assert "español" in row["enhanced_prompt"] and "español" in row["enhanced_completion"]

    client.datasets.adapt(dataset_id, column_mapping=MAPPING)
    assert finish(client, dataset_id).status == "succeeded"
    assert len(table(client, dataset_id)) == 15

    client.datasets.adapt(dataset_id, column_mapping=MAPPING, language_expansion=None)
    assert finish(client, dataset_id).status == "succeeded"
    assert client.datasets.get(dataset_id).row_count == 10
    last = table(client, dataset_id)
    assert len(last) == 10 and "expansion_language" not in last[0]
