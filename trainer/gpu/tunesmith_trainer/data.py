"""The rows of a job as token ids on the disk, and the order in which a stage takes them."""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from torch.utils.data import Dataset, Sampler

from .aws import Bucket
from .errors import RefusedError
from .job import InvalidDocumentError, JobData, Method, TrainingExample, read
from .text import Encoded, TextFormat

#: Rows that are encoded before they are written to the disk.
ROWS_OF_A_BATCH = 512
SCHEMA = pa.schema(
    [
        pa.field(f"{kind}_{i}", pa.list_(pa.int32()) if kind == "ids" else pa.int32())
        for i in (0, 1)
        for kind in ("ids", "start")
    ]
)


@dataclass(frozen=True)
class Row:
    """One row of a stage: a text, or those of the chosen and of the rejected completion."""

    place: int
    texts: tuple[Encoded, ...]
    #: Tokens that are generated after the text.
    room: int = 0

    @property
    def longest(self) -> int:
        """Tokens of the longest text."""
        return max(len(text.ids) for text in self.texts)


def examples(bucket: Bucket, keys: Iterable[str], folder: Path) -> Iterator[TrainingExample]:
    """Yields the examples of the objects. Raises RefusedError for an invalid one."""
    for key in keys:
        for number, line in enumerate(bucket.lines(key, folder), start=1):
            try:
                yield read(TrainingExample, line)
            except InvalidDocumentError as error:
                raise RefusedError(f"Line {number} of {key} is no training example: {error}") from None


def encode_example(
    example: TrainingExample, method: Method, text_format: TextFormat, *, learns_prompt: bool | None
) -> tuple[Encoded, ...]:
    """The texts that a stage of the method takes from an example."""
    if method == "dpo":
        if example.chosen is None or example.rejected is None:
            raise RefusedError(f"Row {example.row} has no pair of a chosen and a rejected completion.")
        return tuple(
            text_format.encode(example.messages, answer, tools=example.tools)
            for answer in (example.chosen, example.rejected)
        )
    if example.preferred is None:
        raise RefusedError(f"Row {example.row} has no completion.")
    return (
        text_format.encode(
            example.messages,
            example.preferred,
            tools=example.tools,
            reasoning=example.reasoning,
            learns_prompt=learns_prompt,
        ),
    )


class Rows(Dataset):
    """A stage's rows in a memory-mapped file, so that only used rows take memory."""

    def __init__(self, path: Path, truncated: int) -> None:
        self._table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
        self._texts = 1 if self._table.column("ids_1").null_count else 2
        #: How many were longer than the context.
        self.truncated = truncated

    def __len__(self) -> int:
        return self._table.num_rows

    def __getitem__(self, place: int) -> Row:
        texts = tuple(
            Encoded(
                ids=self._table.column(f"ids_{i}")[place].as_py(),
                start=self._table.column(f"start_{i}")[place].as_py(),
                is_cut=False,
            )
            for i in range(self._texts)
        )
        return Row(place=place, texts=texts)


def write_rows(
    bucket: Bucket,
    data: JobData,
    method: Method,
    text_format: TextFormat,
    folder: Path,
    *,
    learns_prompt: bool | None,
) -> Rows:
    """Encodes the training rows, a few at a time, into a file in the folder.

    Raises RefusedError when a row is not one of the method, or when there are not as many as the job says.
    """
    path = folder / f"{method}.arrow"
    count = truncated = 0
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, SCHEMA) as writer:
        batch: list[dict[str, object]] = []
        for example in examples(bucket, data.train_keys, folder):
            texts = encode_example(example, method, text_format, learns_prompt=learns_prompt)
            batch.append(
                {f"ids_{i}": text.ids for i, text in enumerate(texts)}
                | {f"start_{i}": text.start for i, text in enumerate(texts)}
            )
            count += 1
            truncated += any(text.is_cut for text in texts)
            if len(batch) == ROWS_OF_A_BATCH:
                writer.write_batch(pa.RecordBatch.from_pylist(batch, schema=SCHEMA))
                batch.clear()
        if batch:
            writer.write_batch(pa.RecordBatch.from_pylist(batch, schema=SCHEMA))
    if count != data.train_rows or count == 0:
        raise RefusedError(f"The data has {count} rows to train on where the job says {data.train_rows}.")
    return Rows(path, truncated)


class BatchOrder(Sampler[list[int]]):
    """The rows of each step of a stage, by their places: each epoch's in an order of its own, by the seed."""

    def __init__(
        self, rows: int, batch_size: int, epochs: float, seed: int, given: list[list[int]] | None = None
    ) -> None:
        self._rows = rows
        self._batch_size = batch_size
        self._seed = seed
        self._given = given
        self._steps_of_epoch = math.ceil(rows / batch_size)
        self._steps = math.ceil(self._steps_of_epoch * epochs) if given is None else len(given)

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[list[int]]:
        if self._given is not None:
            yield from self._given
            return
        for step in range(self._steps):
            epoch, place = divmod(step, self._steps_of_epoch)
            if place == 0:
                order = np.random.default_rng([self._seed, epoch]).permutation(self._rows)
            yield order[place * self._batch_size : (place + 1) * self._batch_size].tolist()

    def ends_epoch(self, step: int) -> bool:
        """Whether an epoch, or the stage, ends with the step (from 1). A given order has epochs of as many steps."""
        return step % self._steps_of_epoch == 0 or step == self._steps


def read_batch_order(bucket: Bucket, key: str, rows: int) -> list[list[int]]:
    """The order in which a job gives the rows. Raises RefusedError where it is none of these rows."""
    steps = json.loads(bucket.read(key))
    is_order = isinstance(steps, list) and all(
        isinstance(step, list) and step and all(type(place) is int and 0 <= place < rows for place in step)
        for step in steps
    )
    if not is_order or not steps:
        raise RefusedError(f"{key} is no list of steps, each a list of places of the {rows} rows.")
    return steps
