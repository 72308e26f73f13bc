"""What can be trained, and what a training would be launched with (spec §4.21, §4.26)."""

import json

import pytest
from adaption import NotFoundError, UnprocessableEntityError

from conftest import finish, pairs, upload, wait_until_read

SMALL = "HuggingFaceTB/SmolLM2-135M-Instruct"


def test_the_models_of_the_local_trainer_are_listed_and_so_by_the_older_route(client) -> None:
    listed = client.autoscientist.list_models().models
    assert [model.id for model in listed] == [SMALL]
    assert (listed[0].methods, listed[0].training_types) == (["sft", "dpo"], ["lora"])
    assert listed[0].train_with_reasoning is False and listed[0].context_length == 8192
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
    row = {"question": "what is row-0", "answer": "a thing", "link": "https://example.com/0.png"}
    dataset_id = upload(client, tmp_path, json.dumps(row), name="seen.jsonl")
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
