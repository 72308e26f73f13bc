"""`invent` and `invent_domains` of the public client (spec §2.8, §2.9, §4.15)."""

import json

import pytest
from adaption import APIStatusError, BadRequestError, PermissionDeniedError

from conftest import connect, finish


def lines(client, dataset_id: str) -> list[dict]:
    text = client.datasets.download(dataset_id, file_format="jsonl").read().decode()
    return [json.loads(line) for line in text.splitlines()]


def test_the_catalog_has_domains_with_qualified_subdomains(client) -> None:
    domains = client.datasets.invent_domains().domains
    codes = {domain.code: [part.code for part in domain.subdomains] for domain in domains}
    assert len(codes) >= 40
    assert "medical.symptoms_diagnosis" in codes["medical"]
    assert all(part.startswith(f"{code}.") for code, parts in codes.items() for part in parts)


def test_exactly_as_many_rows_come_as_were_asked_for(client) -> None:
    quote = client.datasets.invent(rows=30, domains=["cooking_food", "art"], estimate=True)
    assert (quote.estimate, quote.id, quote.status, quote.estimated_credits) == (True, None, None, 10)
    invented = client.datasets.invent(rows=30, domains=["cooking_food", "art"], name="Kitchen and studio")
    assert (invented.status, invented.name, invented.domains) == (
        "running",
        "Kitchen and studio",
        ["cooking_food", "art"],
    )
    assert invented.available_credits <= quote.available_credits - 10
    assert finish(client, invented.id).status == "succeeded"
    dataset = client.datasets.get(invented.id)
    assert (dataset.kind, dataset.row_count, dataset.source_dataset_id) == ("invented", 30, None)
    assert invented.id in [item.dataset_id for item in client.datasets.list(type="invented")]
    rows = lines(client, invented.id)
    assert len({row["enhanced_prompt"] for row in rows}) == 30
    assert {row["domain"] for row in rows} == {"cooking_food", "art"}
    assert all(row["original_prompt"] is None and row["enhanced_completion"] for row in rows)


def test_what_repeats_is_left_out_and_what_there_is_is_charged(client, script) -> None:
    script({"judge": "fair", "inventions": 12})
    before = client.datasets.invent(rows=1, domains=["art"], estimate=True).available_credits
    invented = client.datasets.invent(rows=150, domains=["art"])
    assert finish(client, invented.id).status == "succeeded"
    dataset = client.datasets.get(invented.id)
    assert dataset.row_count == 12
    after = client.datasets.invent(rows=1, domains=["art"], estimate=True).available_credits
    assert (invented.estimated_credits, before - after) == (20, 10)
    report = client.get(f"/api/v1/datasets/{invented.id}/report", cast_to=object)
    assert report["invention"]["ended_by"] == "candidates"
    assert report["invention"]["candidates"] == report["invention"]["candidates_max"] == 480
    assert report["invention"]["diversity"]["coverage"] == 1


def test_domains_are_inferred_of_the_prompt_or_refused(client) -> None:
    told = client.datasets.invent(
        rows=5, dataset_prompt="Questions of patients about symptoms and diagnosis in medicine", estimate=True
    )
    assert told.domains == ["medical"] and "medical.symptoms_diagnosis" in told.subdomains
    with pytest.raises(BadRequestError, match="domains or subdomains") as refused:
        client.datasets.invent(rows=5, dataset_prompt="zzkq")
    assert refused.value.body["code"] == "domain_not_inferred"


def test_pairs_and_languages(client) -> None:
    invented = client.datasets.invent(
        rows=8,
        subdomains=["medical.nutrition"],
        language_expansion={"type": "translate", "languages": ["es"], "sample_rate": 0.5},
        idempotency_key="invented once",
    )
    assert (invented.domains, invented.subdomains) == (["medical"], ["medical.nutrition"])
    assert finish(client, invented.id).status == "succeeded"
    rows = lines(client, invented.id)
    assert [row["expansion_language"] for row in rows] == [None] * 8 + ["es"] * 4
    again = client.datasets.invent(
        rows=8,
        subdomains=["medical.nutrition"],
        language_expansion={"type": "translate", "languages": ["es"], "sample_rate": 0.5},
        idempotency_key="invented once",
    )
    assert (again.id, again.status) == (invented.id, "succeeded")


@pytest.mark.parametrize(
    ("arguments", "status", "code", "path"),
    [
        ({"rows": 5}, 400, "invalid_request", "dataset_prompt"),
        ({"rows": 0, "domains": ["art"]}, 400, "invalid_request", "rows"),
        ({"rows": 5, "domains": ["alchemy"]}, 400, "domain_unknown", "domains[0]"),
        ({"rows": 5, "domains": ["art"], "subdomains": ["legal.contracts"]}, 400, "invalid_request", "subdomains[0]"),
    ],
)
def test_refusals_have_their_status_code_and_field(client, arguments, status, code, path) -> None:
    with pytest.raises(APIStatusError) as refused:
        client.datasets.invent(**arguments)
    body = refused.value.body
    assert (refused.value.status_code, body["code"], body["details"][0]["path"]) == (status, code, path)


def test_the_plan_and_the_scope_hold(key_of) -> None:
    with pytest.raises(PermissionDeniedError) as limited:
        connect(key_of("limited")).datasets.invent(rows=4, domains=["art"])
    assert limited.value.body["code"] == "plan_limit_exceeded"
    with pytest.raises(PermissionDeniedError):
        connect(key_of("reader")).datasets.invent(rows=1, domains=["art"])
