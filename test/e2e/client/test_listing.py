from datetime import datetime, timedelta

import pytest
from adaption import BadRequestError

from conftest import connect, pairs, upload, wait_until_read

NAMES = [f"{'beta' if n % 2 else 'Alpha'} {n:02}" for n in range(23)]


@pytest.fixture(scope="module")
def pager(key_of, tmp_path_factory):
    """A team of its own with 23 datasets: 22 that wait for their files and one that was read."""
    client = connect(key_of("pager"))
    for name in NAMES[:-1]:
        client.datasets.create(source={"name": name, "file_format": "csv"})
    dataset_id = upload(client, tmp_path_factory.mktemp("pager"), pairs(1), name="x.csv")
    wait_until_read(client, dataset_id)
    return client


def test_paging_meets_every_dataset_once_newest_first(pager) -> None:
    listed = list(pager.datasets.list(limit=5))
    assert len({item.dataset_id for item in listed}) == len(listed) == 23
    created = [item.created_at for item in listed]
    assert created == sorted(created, reverse=True)


def test_a_page_has_twenty_datasets_unless_told_otherwise(pager) -> None:
    page = pager.datasets.list()
    assert len(page.datasets) == 20 and page.has_next_page()
    rest = page.get_next_page()
    assert len(rest.datasets) == 3 and not rest.has_next_page()


def test_a_limit_may_be_a_float_as_the_client_types_it(pager) -> None:
    assert len(pager.datasets.list(limit=7.0).datasets) == 7


@pytest.mark.parametrize("sort", ["created_at", "updated_at", "name"])
@pytest.mark.parametrize("direction", ["asc", "desc"])
def test_every_sort_orders_all_pages(pager, sort, direction) -> None:
    items = list(pager.datasets.list(sort=sort, sort_direction=direction, limit=8))
    values = [item.name.lower() if sort == "name" else getattr(item, sort) for item in items]
    assert len(items) == 23
    assert values == sorted(values, reverse=direction == "desc")


def test_q_finds_names_in_either_case_on_all_pages(pager) -> None:
    assert {item.name for item in pager.datasets.list(q="ALPHA", limit=3)} == {
        name for name in NAMES[:-1] if name.startswith("Alpha")
    }


def test_status_filters_the_list_and_an_empty_one_does_not(pager) -> None:
    assert [item.row_count for item in pager.datasets.list(status="awaiting_input")] == [1]
    assert len(list(pager.datasets.list(status="pending", limit=10))) == 22
    assert list(pager.datasets.list(status="failed")) == []
    assert len(list(pager.datasets.list(status="", limit=10))) == 23  # type: ignore[arg-type]


def test_creation_times_bound_the_list_from_both_sides(pager) -> None:
    items = list(pager.datasets.list(sort_direction="asc"))
    middle: datetime = items[10].created_at
    after = [item.dataset_id for item in pager.datasets.list(created_after=middle.isoformat(), sort_direction="asc", limit=4)]
    before = [item.dataset_id for item in pager.datasets.list(created_before=middle.isoformat(), sort_direction="asc", limit=4)]
    assert after == [item.dataset_id for item in items if item.created_at > middle]
    assert before == [item.dataset_id for item in items if item.created_at < middle]
    future = datetime.now(tz=middle.tzinfo) + timedelta(hours=1)
    assert list(pager.datasets.list(created_after=future.isoformat())) == []


def test_user_and_type_filter_the_list(pager) -> None:
    user = pager.datasets.get(pager.datasets.list(limit=1).datasets[0].dataset_id).created_by_user_id
    assert len(list(pager.datasets.list(created_by_user_id=user, limit=10))) == 23
    nobody = "00000000-0000-4000-8000-000000000000"
    assert list(pager.datasets.list(created_by_user_id=nobody)) == []
    assert len(list(pager.datasets.list(type="original", limit=10))) == 23
    assert list(pager.datasets.list(type="combined")) == []


@pytest.mark.parametrize("limit", [0, 101])
def test_a_limit_out_of_range_is_refused_by_name(pager, limit) -> None:
    with pytest.raises(BadRequestError) as refused:
        pager.datasets.list(limit=limit)
    assert refused.value.body["details"][0]["path"] == "query.limit"


def test_a_cursor_that_was_changed_or_belongs_to_another_query_is_refused(pager, client) -> None:
    cursor = pager.datasets.list(limit=2).next_cursor
    changed = cursor[:-3] + ("aaa" if not cursor.endswith("aaa") else "bbb")
    for lister, query in (
        (pager, {"cursor": changed}),
        (pager, {"cursor": cursor, "sort": "name"}),
        (client, {"cursor": cursor}),
    ):
        with pytest.raises(BadRequestError) as refused:
            lister.datasets.list(**query)
        assert refused.value.body["code"] == "cursor_invalid"
