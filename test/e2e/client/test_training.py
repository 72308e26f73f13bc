"""What can be trained, what a training is launched with, and how one is looked after (spec §4.19 to §4.26).

No trainer is at work here: `train.cloud.test.ts` trains.
"""

import json
import time
import uuid

import pytest
from adaption import BadRequestError, ConflictError, NotFoundError, PermissionDeniedError, UnprocessableEntityError

from conftest import IMAGES_URL, connect, finish, pairs, upload, wait_until_read

SMALL = "HuggingFaceTB/SmolLM2-135M-Instruct"


def test_the_models_of_the_local_trainer_are_listed_and_so_by_the_older_route(client) -> None:
    listed = client.autoscientist.list_models().models
    assert [model.id for model in listed] == [SMALL]
    assert (listed[0].methods, listed[0].training_types) == (["sft", "dpo"], ["lora"])
    assert listed[0].train_with_reasoning is False and listed[0].context_length == 1024
    with pytest.warns(DeprecationWarning):
        older = client.training_models.list().models
    assert [model.to_dict() for model in older] == [model.to_dict() for model in listed]


def test_a_recommendation_names_its_model_and_is_the_same_each_time(client, adapted) -> None:
    first = client.autoscientist.recommend_hyperparams(dataset_id=adapted)
    again = client.autoscientist.recommend_hyperparams(dataset_id=adapted, model=first.model)
    assert first.model == SMALL
    assert first.to_dict() == again.to_dict()
    params = first.hyperparams
    assert params.training_type == "lora" and params.batch_size == "max"
    assert params.lora_alpha in (params.lora_r, 2 * params.lora_r)
    assert 1e-8 <= params.learning_rate <= 0.01 and 1 <= params.n_epochs <= 20
    more = client.autoscientist.recommend_hyperparams(dataset_id=adapted, augmentation_general_rows=6000)
    assert more.hyperparams.n_epochs < params.n_epochs


def test_what_cannot_be_trained_is_refused(client, adapted, tmp_path) -> None:
    waiting = upload(client, tmp_path, pairs(1))
    wait_until_read(client, waiting)
    with pytest.raises(UnprocessableEntityError) as early:
        client.autoscientist.recommend_hyperparams(dataset_id=waiting)
    assert early.value.body["code"] == "dataset_untrainable"
    with pytest.raises(UnprocessableEntityError) as unknown:
        client.autoscientist.recommend_hyperparams(dataset_id=adapted, model="nobody/nothing")
    assert unknown.value.body["details"][0]["available"] == [SMALL]
    with pytest.raises(NotFoundError):
        client.autoscientist.recommend_hyperparams(dataset_id="00000000-0000-4000-8000-000000000000")


def test_an_image_as_context_disqualifies_a_dataset_until_it_is_adapted_without(client, tmp_path) -> None:
    rows = [{"question": f"what is row-{n}", "answer": "a thing", "link": f"{IMAGES_URL}/0.png"} for n in range(2)]
    dataset_id = upload(client, tmp_path, "\n".join(map(json.dumps, rows)), name="seen.jsonl")
    wait_until_read(client, dataset_id)
    client.datasets.adapt(dataset_id, column_mapping={"prompt": "question", "completion": "answer", "image": "link"})
    assert finish(client, dataset_id).status == "succeeded"
    with pytest.raises(UnprocessableEntityError) as refused:
        client.autoscientist.recommend_hyperparams(dataset_id=dataset_id)
    assert refused.value.body["code"] == "dataset_untrainable"
    assert "image" in refused.value.body["message"]
    client.datasets.adapt(dataset_id, column_mapping={"prompt": "question", "completion": "answer"})
    assert finish(client, dataset_id).status == "succeeded"
    assert client.autoscientist.recommend_hyperparams(dataset_id=dataset_id).model == SMALL


@pytest.fixture(scope="module")
def trainable(client, tmp_path_factory) -> str:
    """A raw dataset that has rows enough for the smallest model."""
    return raw(client, tmp_path_factory.mktemp("trainable"))


def raw(client, folder, rows: int = 45) -> str:
    text = "\n".join(
        json.dumps({"question": f"what is row-{n}", "answer": f"it is {n}", "worse": "no", "talk": talk(n)})
        for n in range(rows)
    )
    mapping = {"prompt": "question", "completion": "answer"}
    dataset_id = upload(client, folder, text, name="raw.jsonl", processing_mode="raw", column_mapping=mapping)
    wait_until_read(client, dataset_id)
    return dataset_id


def talk(n: int) -> list:
    return [{"role": "user", "content": f"what is {n}"}, {"role": "assistant", "content": f"it is {n}"}]


def test_a_training_is_created_found_and_cancelled(client, trainable) -> None:
    run = client.autoscientist.create(dataset_id=trainable)
    assert run.model == SMALL and run.training_method == "instruction"
    assert (run.status, run.max_iterations, run.target_win_rate) == ("pending", 3, 0.7)
    assert run.completed_at is None and run.column_mapping is None and run.best_hyperparams is None
    try:
        assert client.autoscientist.get(run.id).id == run.id
        assert [each.id for each in client.autoscientist.list(dataset_id=trainable, limit=1)][0] == run.id
        assert client.datasets.get(trainable).status == "succeeded"
        assert client.datasets.get_best_launch_config(trainable).best_job_config is None
        with pytest.raises(ConflictError) as second:
            client.autoscientist.create(dataset_id=trainable)
        assert second.value.body["code"] == "training_running"
        with pytest.raises(ConflictError) as deleted:
            client.datasets.delete(trainable)
        assert deleted.value.body["code"] == "training_running"
    finally:
        ended = client.autoscientist.cancel(run.id)
    assert ended.status == "cancelled" and ended.error is None and ended.completed_at is not None
    assert client.autoscientist.cancel(run.id).to_dict() == ended.to_dict()
    with pytest.raises(UnprocessableEntityError) as artifact:
        client.autoscientist.download(run.id)
    assert artifact.value.body["code"] == "no_artifact"


def test_every_hyperparameter_of_the_client_is_taken(client, trainable) -> None:
    run = client.autoscientist.create(
        dataset_id=trainable,
        model=SMALL,
        training_method="alignment",
        data_format="instruction",
        column_mapping={"prompt": "question", "chosen": "answer", "rejected": "worse"},
        hyperparams={
            "training_type": "lora",
            "n_epochs": 1,
            "learning_rate": 0.0001,
            "batch_size": 4,
            "lora_r": 8,
            "lora_alpha": 16,
            "lora_dropout": 0.1,
            "lora_trainable_modules": "q_proj,v_proj",
            "lr_scheduler_type": "linear",
            "min_lr_ratio": 0.1,
            "scheduler_num_cycles": 0.5,
            "warmup_ratio": 0.1,
            "max_grad_norm": 1,
            "weight_decay": 0.01,
            "train_on_inputs": False,
            "dpo_beta": 0.2,
            "dpo_normalize_logratios_by_length": True,
            "rpo_alpha": 0.5,
            "simpo_gamma": 0,
        },
        max_iterations=1,
        target_win_rate=0.9,
    )
    client.autoscientist.cancel(run.id)
    assert (run.training_method, run.max_iterations, run.target_win_rate) == ("alignment", 1, 0.9)
    assert run.column_mapping.to_dict() == {"prompt": "question", "chosen": "answer", "rejected": "worse"}


def test_a_key_answers_the_same_training_until_that_has_ended(client, trainable) -> None:
    key = str(uuid.uuid4())
    first = client.autoscientist.create(dataset_id=trainable, idempotency_key=key)
    again = client.autoscientist.create(dataset_id=trainable, idempotency_key=key)
    with pytest.raises(UnprocessableEntityError) as other:
        client.autoscientist.create(dataset_id=trainable, idempotency_key=key, max_iterations=2)
    client.autoscientist.cancel(first.id)
    fresh = client.autoscientist.create(dataset_id=trainable, idempotency_key=key)
    client.autoscientist.cancel(fresh.id)
    assert again.id == first.id and fresh.id != first.id
    assert other.value.body["code"] == "idempotency_mismatch"


def test_alignment_of_rows_that_are_no_pairs_is_instruction(client, trainable) -> None:
    run = client.autoscientist.create(
        dataset_id=trainable, training_method="alignment", column_mapping={"prompt": "talk"}
    )
    client.autoscientist.cancel(run.id)
    assert run.training_method == "instruction"


def test_a_partial_mapping_is_completed_from_the_dataset(client, trainable) -> None:
    run = client.autoscientist.create(dataset_id=trainable, column_mapping={"prompt": "question"})
    client.autoscientist.cancel(run.id)
    assert run.id


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"column_mapping": {"prompt": "question", "completion": "nothing"}}, "column_mapping.completion"),
        ({"column_mapping": {"prompt": "question", "chosen": "answer"}}, "column_mapping.rejected"),
        (
            {"column_mapping": {"prompt": "question", "completion": "answer", "reasoning_trace": "worse"}},
            "column_mapping.reasoning_trace",
        ),
        ({"hyperparams": {"rpo_alpha": 0.1, "simpo_gamma": 0.1}}, "hyperparams.rpo_alpha"),
        ({"hyperparams": {"lora_r": 8, "lora_alpha": 9}}, "hyperparams.lora_alpha"),
        ({"hyperparams": {"batch_size": 9}}, "hyperparams.batch_size"),
        ({"hyperparams": {"training_type": "full"}}, "hyperparams.training_type"),
        ({"hyperparams": {"n_epochs": 21}}, "hyperparams.n_epochs"),
        ({"max_iterations": 11}, "max_iterations"),
        ({"target_win_rate": 1.1}, "target_win_rate"),
        ({"voucher": "no-such-voucher"}, "voucher"),
    ],
)
def test_what_cannot_be_launched_is_refused_by_its_field(client, trainable, asked: dict, path: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.autoscientist.create(dataset_id=trainable, **asked)
    assert refused.value.body["details"][0]["path"] == path


def test_too_few_rows_are_refused_with_the_minimum(client, adapted) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.autoscientist.create(dataset_id=adapted)
    assert refused.value.body["details"][0]["minimum"] == 40


def test_a_voucher_is_redeemed(client, trainable) -> None:
    run = client.autoscientist.create(dataset_id=trainable, voucher="HALF", augmentation_domain_rows=10)
    assert client.autoscientist.cancel(run.id).status == "cancelled"


def test_trainings_are_listed_page_by_page(client, tmp_path) -> None:
    dataset_id = raw(client, tmp_path)
    made = [client.autoscientist.create(dataset_id=dataset_id).id]
    client.autoscientist.cancel(made[0])
    made.insert(0, client.autoscientist.create(dataset_id=dataset_id).id)
    client.autoscientist.cancel(made[0])
    deadline = time.monotonic() + 10
    listed: list = []
    while len(listed) < 2 and time.monotonic() < deadline:
        listed = [run.id for run in client.autoscientist.list(dataset_id=dataset_id, limit=1)]
    assert listed == made
    first = client.autoscientist.list(dataset_id=dataset_id, limit=1)
    with pytest.raises(BadRequestError) as other:
        client.autoscientist.list(cursor=first.next_cursor)
    assert other.value.body["code"] == "cursor_invalid"


def test_another_team_sees_nothing_of_it(client, key_of, trainable) -> None:
    run = client.autoscientist.create(dataset_id=trainable)
    client.autoscientist.cancel(run.id)
    stranger = connect(key_of("stranger"))
    for ask in (stranger.autoscientist.get, stranger.autoscientist.cancel, stranger.autoscientist.download):
        with pytest.raises(NotFoundError) as refused:
            ask(run.id)
        assert refused.value.body["code"] == "training_not_found"
    assert list(stranger.autoscientist.list(dataset_id=trainable)) == []
    with pytest.raises(NotFoundError):
        stranger.autoscientist.create(dataset_id=trainable)
    with pytest.raises(PermissionDeniedError):
        connect(key_of("reader")).autoscientist.list()


def test_a_dataset_can_be_deleted_once_its_training_has_ended(client, tmp_path) -> None:
    dataset_id = raw(client, tmp_path)
    run = client.autoscientist.create(dataset_id=dataset_id)
    client.autoscientist.cancel(run.id)
    client.datasets.delete(dataset_id)
    with pytest.raises(NotFoundError):
        client.datasets.get(dataset_id)
