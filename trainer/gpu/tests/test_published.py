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

    jobs = [adapter, checkpoint]
    answers = [world.read_lines(f"{job['output_prefix']}answers.jsonl") for job in jobs]
    with published(world, tmp_path, jobs) as hub:
        asked = [(lines, job["answer_tokens_max"]) for lines, job in zip(answers, jobs, strict=True)]
        loaded = hub.load(models, asked, tmp_path / "cache")

    for library, lines, found in zip(("peft", "transformers"), answers, loaded, strict=True):
        assert (found["card"]["library_name"], found["card"]["base_model"]) == (library, TINY)
        for line, said in zip(lines, found["answers"], strict=True):
            assert said["answer"] == line["tuned"]["answer"]
            assert said["reference_logprob"] == pytest.approx(line["tuned"]["reference_logprob"], abs=1e-4)
            # The base would not be taken for it.
            assert abs(said["reference_logprob"] - line["base"]["reference_logprob"]) > 0.01
