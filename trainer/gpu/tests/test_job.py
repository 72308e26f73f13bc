"""Jobs are read as `shared/training/schema/training-job.ts` defines them."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import HYPERPARAMS

from tunesmith_trainer.job import (
    InvalidDocumentError,
    LendCredentialsReply,
    TrainerMessage,
    TrainingExample,
    TrainingJob,
    read,
)

SCHEMAS = Path(os.environ["TUNESMITH_SCHEMAS"])
JOB = {
    "version": 1,
    "experiment_id": "e",
    "iteration": 1,
    "attempt": 1,
    "task_token": "t",
    "bucket": "b",
    "attempt_item": {"table": "t", "pk": "p", "sk": "s"},
    "heartbeat_seconds": 30,
    "model": {"id": "m", "license": {"name": "Apache-2.0", "url": "https://example.org/l"}},
    "data": {
        "format": "chat",
        "train_keys": ["a"],
        "train_rows": 1,
        "held_out_key": "h",
        "held_out_rows": 1,
        "context_tokens": 64,
    },
    "stages": [{"method": "sft", "hyperparams": HYPERPARAMS}],
    "seed": 0,
    "answer_tokens_max": 8,
    "checkpoint_steps": 10,
    "output_prefix": "o/",
    "resume_prefixes": [],
    "initial_adapter_key": None,
    "batch_order_key": None,
}


def resolved(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """A schema in the place of a reference to it."""
    return root["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def outline(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    """What a JSON Schema says of a document, without the ways in which it can be said."""
    schema = resolved(schema, root)
    if "anyOf" in schema:
        kinds = [outline(part, root) for part in schema["anyOf"] if part != {"type": "null"}]
        return kinds[0] if len(kinds) == 1 else kinds
    if schema.get("type") == "object":
        required = schema.get("required", [])
        return {
            name: (outline(part, root), name in required, name in required and is_nullable(part))
            for name, part in schema["properties"].items()
        }
    if schema.get("type") == "array":
        return [outline(schema["items"], root), schema.get("minItems", 0)]
    allowed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    bounds = (schema.get("minimum"), schema.get("exclusiveMinimum"), schema.get("minLength"))
    kind = next((kind for kind in as_list(schema.get("type")) if kind != "null"), None)
    return allowed or (kind, *bounds, upper_bound(schema))


def as_list(value: Any) -> list[Any]:
    """A list of one, where it is none."""
    return value if isinstance(value, list) else [value]


def is_nullable(schema: dict[str, Any]) -> bool:
    """Whether null is allowed."""
    return "null" in as_list(schema.get("type")) or {"type": "null"} in schema.get("anyOf", [])


def upper_bound(schema: dict[str, Any]) -> float | None:
    """The largest number that is allowed; that which JavaScript counts exactly is no bound."""
    bound = schema.get("maximum")
    return None if bound == 2**53 - 1 else bound


@pytest.mark.parametrize("model", [TrainingJob, TrainerMessage, TrainingExample, LendCredentialsReply])
def test_fields_types_and_bounds_are_those_of_the_control_plane(model):
    theirs = json.loads((SCHEMAS / f"{model.__name__}.json").read_text())
    ours = model.model_json_schema()

    assert outline(ours, ours) == outline(theirs, theirs)


def places(document: Any, path: tuple = ()) -> list[tuple]:
    """The path of every value of a document."""
    if isinstance(document, dict):
        return [p for name, value in document.items() for p in [(*path, name), *places(value, (*path, name))]]
    if isinstance(document, list):
        return [p for i, value in enumerate(document) for p in places(value, (*path, i))]
    return []


@pytest.mark.parametrize("path", places(JOB), ids=lambda path: ".".join(map(str, path)))
def test_a_field_that_is_missing_or_of_another_type_is_named(path):
    for broken in (None, {"neither": "number", "nor": "text"}):
        job = copy.deepcopy(JOB)
        parent = job
        for name in path[:-1]:
            parent = parent[name]
        if broken is None:
            del parent[path[-1]]
        else:
            parent[path[-1]] = broken

        with pytest.raises(InvalidDocumentError, match=r"^" + r"\.".join(map(str, path))):
            read(TrainingJob, json.dumps(job))


def test_a_job_is_read_as_it_is():
    job = read(TrainingJob, json.dumps(JOB | {"later": "fields are no harm"}))

    assert job.model_dump() == JOB


def test_numbers_are_not_made_of_text_nor_flags_of_numbers():
    for change in ({"iteration": "1"}, {"iteration": True}, {"seed": 1.5}, {"version": 2}):
        with pytest.raises(InvalidDocumentError, match=next(iter(change))):
            read(TrainingJob, json.dumps(JOB | change))


def test_an_error_quotes_nothing_of_the_document():
    text = json.dumps(JOB | {"task_token": {"secret": "secret"}})

    with pytest.raises(InvalidDocumentError) as caught:
        read(TrainingJob, text)

    assert "secret" not in str(caught.value)
