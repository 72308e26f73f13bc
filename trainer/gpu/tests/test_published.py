"""A model that the service has published is the one that was trained, to the libraries that its users have."""

import pytest
from conftest import TINY, World
from publishing import published


def test_an_adapter_of_two_stages_and_a_checkpoint_load_from_the_hub_by_name_and_answer_as_trained(
    world: World, tmp_path, models
):
    # A rate at which the answers of a tiny model change.
    adapter = world.job(("sft", {"learning_rate": 0.05}), ("dpo", {"learning_rate": 0.02}))
    checkpoint = world.job(("sft", {"training_type": "full", "learning_rate": 0.01}))
    for job in (adapter, checkpoint):
        assert world.run(job)

    with published(world, tmp_path, [adapter, checkpoint]) as hub:
        for job, repository, library in zip(
            (adapter, checkpoint), hub.repositories, ("peft", "transformers"), strict=True
        ):
            lines = world.read_lines(f"{job['output_prefix']}answers.jsonl")
            loaded = hub.load(repository, models, lines, job["answer_tokens_max"], tmp_path / "cache")

            assert (loaded["card"]["library_name"], loaded["card"]["base_model"]) == (library, TINY)
            for line, found in zip(lines, loaded["answers"], strict=True):
                assert found["answer"] == line["tuned"]["answer"]
                assert found["reference_logprob"] == pytest.approx(line["tuned"]["reference_logprob"], abs=1e-4)
                # The base would not be taken for it.
                assert abs(found["reference_logprob"] - line["base"]["reference_logprob"]) > 0.01
