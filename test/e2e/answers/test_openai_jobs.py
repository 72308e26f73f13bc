"""Fine-tuning jobs, evals and their files by OpenAI's Python client, unmodified and strict."""

import json
import time

import pytest
from openai import BadRequestError, NotFoundError, OpenAI

from conftest import BASE_URL, KEY

# Administrators of several projects share checkpoints; the graders are those of reinforcement fine-tuning.
NOT_OFFERED = {"permissions", "alpha"}


@pytest.fixture(scope="module")
def client() -> OpenAI:
    return OpenAI(
        base_url=f"{BASE_URL}/api/v1", api_key=KEY, max_retries=0, _strict_response_validation=True
    )


def upload(client: OpenAI, name: str, rows: list, purpose: str):
    lines = "\n".join(json.dumps(row) for row in rows)
    return client.files.create(file=(name, lines.encode()), purpose=purpose)


def ended(client: OpenAI, eval_id: str, run_id: str):
    for _ in range(240):
        run = client.evals.runs.retrieve(run_id, eval_id=eval_id)
        if run.status not in ("queued", "in_progress"):
            return run
        time.sleep(0.5)
    raise AssertionError(f"The run {run_id} has not ended.")


def test_a_fine_tuning_job_is_created_right_after_its_file_listed_read_and_cancelled(client) -> None:
    rows = [
        {"messages": [{"role": "user", "content": f"What is {n}?"}, {"role": "assistant", "content": f"It is {n}."}]}
        for n in range(60)
    ]
    file = upload(client, "chats.jsonl", rows, "fine-tune")
    model = client.get("/autoscientist/models", cast_to=object)["models"][0]["id"]
    job = client.fine_tuning.jobs.create(
        model=model,
        training_file=file.id,
        suffix="support",
        seed=7,
        metadata={"team": "a"},
        method={"type": "supervised", "supervised": {"hyperparameters": {"n_epochs": 1, "batch_size": "auto"}}},
    )
    assert (job.object, job.training_file, job.seed, job.fine_tuned_model) == ("fine_tuning.job", file.id, 7, None)
    assert client.fine_tuning.jobs.retrieve(job.id).id == job.id
    assert job.id in [each.id for each in client.fine_tuning.jobs.list(limit=1)]
    assert [each.id for each in client.fine_tuning.jobs.list(metadata={"team": "a"})] == [job.id]
    assert any(job.id in event.message for event in client.fine_tuning.jobs.list_events(job.id))
    assert list(client.fine_tuning.jobs.checkpoints.list(job.id)) == []
    for refused in (client.fine_tuning.jobs.pause, client.fine_tuning.jobs.resume):
        with pytest.raises(BadRequestError, match="do not pause"):
            refused(job.id)
    assert client.fine_tuning.jobs.cancel(job.id).status == "cancelled"
    with pytest.raises(NotFoundError):
        client.fine_tuning.jobs.retrieve("ftjob-none")


def test_an_eval_has_rows_of_a_file_answered_and_grades_them(client) -> None:
    rows = [{"item": {"question": f"word{n}", "answer": f"word{n if n < 8 else 'none'}"}} for n in range(10)]
    file = upload(client, "rows.jsonl", rows, "evals")
    place = {"input": "{{ sample.output_text }}", "reference": "{{ item.answer }}"}
    of = client.evals.create(
        name="Words",
        data_source_config={"type": "custom", "item_schema": {"type": "object"}, "include_sample_schema": True},
        testing_criteria=[
            {"type": "string_check", "name": "contains", "operation": "ilike", **place},
            {"type": "text_similarity", "name": "alike", "evaluation_metric": "rouge_l", "pass_threshold": 0, **place},
            {
                "type": "python",
                "name": "code",
                "source": "def grade(sample, item):\n    return float('word' in sample['output_text'])",
            },
        ],
    )
    assert client.evals.retrieve(of.id).to_dict() == of.to_dict()
    assert client.evals.update(of.id, name="Words again").name == "Words again"
    assert of.id in [each.id for each in client.evals.list(order="desc", limit=1)]

    begun = client.evals.runs.create(
        of.id,
        name="first",
        data_source={
            "type": "completions",
            "model": "scripted",
            "source": {"type": "file_id", "id": file.id},
            "input_messages": {
                "type": "template",
                "template": [{"role": "user", "content": "{{ item.question }}"}],
            },
            "sampling_params": {"temperature": 0, "seed": 42, "max_completion_tokens": 100},
        },
    )
    run = ended(client, of.id, begun.id)
    assert (run.status, run.error.code) == ("completed", "")
    counts = run.result_counts
    errors = [
        result.error
        for item in client.evals.runs.output_items.list(run.id, eval_id=of.id)
        for result in item.results
        if result.error is not None
    ]
    assert errors == []
    assert (counts.total, counts.passed, counts.failed, counts.errored) == (10, 8, 2, 0)
    contains, alike, code = run.per_testing_criteria_results
    assert (contains.testing_criteria, contains.passed, code.passed) == ("contains", 8, 10)
    low, high = contains.interval
    assert low < 0.8 < high and len(contains.deciding_items) == 2
    assert run.per_model_usage[0].invocation_count == 10
    assert [each.id for each in client.evals.runs.list(of.id, status="completed")] == [run.id]

    items = list(client.evals.runs.output_items.list(run.id, eval_id=of.id, limit=3))
    assert [item.datasource_item_id for item in items] == list(range(10))
    assert items[0].sample.output[0].content == "Heard: word0"
    failed = client.evals.runs.output_items.list(run.id, eval_id=of.id, status="fail").data[0]
    item = client.evals.runs.output_items.retrieve(failed.id, eval_id=of.id, run_id=run.id)
    assert item.to_dict() == failed.to_dict()

    assert client.evals.runs.cancel(run.id, eval_id=of.id).status == "completed"
    assert client.evals.runs.delete(run.id, eval_id=of.id).deleted
    assert client.evals.delete(of.id).deleted
    with pytest.raises(NotFoundError):
        client.evals.retrieve(of.id)


def test_the_groups_have_the_operations_that_are_called_here(client) -> None:
    def operations(group) -> set:
        return {
            name
            for name in dir(type(group))
            if not name.startswith("_") and not name.startswith("with_") and name not in NOT_OFFERED
        }

    jobs = client.fine_tuning.jobs
    assert operations(jobs) == {
        "create", "retrieve", "list", "cancel", "list_events", "pause", "resume", "checkpoints",
    }
    assert operations(jobs.checkpoints) == {"list"}
    assert operations(client.evals) == {"create", "retrieve", "update", "list", "delete", "runs"}
    assert operations(client.evals.runs) == {"create", "retrieve", "list", "delete", "cancel", "output_items"}
    assert operations(client.evals.runs.output_items) == {"retrieve", "list"}


def test_a_batch_is_answered_line_by_line_and_leaves_files_with_the_answers_and_the_refusals(client) -> None:
    def line(n: int, **body) -> dict:
        asked = {"model": "scripted", "messages": [{"role": "user", "content": f"word{n}"}]}
        return {"custom_id": f"r{n}", "method": "POST", "url": "/v1/chat/completions", "body": asked | body}

    rows = [line(n) for n in range(12)] + [line(12, model="nobody")]
    file = upload(client, "requests.jsonl", rows, "batch")
    batch = client.batches.create(
        input_file_id=file.id,
        endpoint="/v1/chat/completions",
        completion_window="24h",
        metadata={"team": "a"},
    )
    assert (batch.object, batch.status, batch.input_file_id) == ("batch", "validating", file.id)
    for _ in range(240):
        done = client.batches.retrieve(batch.id)
        if done.status not in ("validating", "in_progress", "finalizing"):
            break
        time.sleep(0.5)
    assert (done.status, done.errors) == ("completed", None)
    assert (done.request_counts.total, done.request_counts.completed, done.request_counts.failed) == (13, 12, 1)
    assert batch.id in [each.id for each in client.batches.list(limit=1)]

    answers = [json.loads(each) for each in client.files.content(done.output_file_id).text.splitlines()]
    assert [each["custom_id"] for each in answers] == [f"r{n}" for n in range(12)]
    assert answers[3]["response"]["body"]["choices"][0]["message"]["content"] == "Heard: word3"
    [refused] = [json.loads(each) for each in client.files.content(done.error_file_id).text.splitlines()]
    assert (refused["custom_id"], refused["response"]["status_code"]) == ("r12", 404)
    assert client.files.retrieve(done.output_file_id).purpose == "batch_output"
    assert client.batches.cancel(batch.id).status == "completed"

    begun = client.batches.create(input_file_id=file.id, endpoint="/v1/responses", completion_window="24h")
    assert client.batches.cancel(begun.id).status in ("cancelling", "cancelled", "failed")
    assert client.files.delete(done.output_file_id).deleted
    with pytest.raises(NotFoundError):
        client.batches.retrieve("batch_none")
