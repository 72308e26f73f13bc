"""Jobs, messages and rows as the control plane writes them: the mirror of `shared/training/schema/training-job.ts`.

`tests/test_job.py` holds the models against the JSON Schema of that file.
"""

from typing import Annotated, Literal, TypeVar
from urllib.parse import urlparse

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError


class Wire(BaseModel):
    """Values as JSON has them: nothing is converted, and numbers are finite."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False)


def _require_url(value: str) -> str:
    parts = urlparse(value)
    if not parts.scheme or not parts.netloc:
        raise ValueError("is not a URL")
    return value


Method = Literal["sft", "dpo"]
DataFormat = Literal["chat", "instruction"]
NonEmpty = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class CalledFunction(Wire):
    """The function of a call; its arguments are the JSON text of an object."""

    name: NonEmpty
    arguments: Annotated[str, Field(min_length=2)]


class MessageCall(Wire):
    """A call of a tool."""

    type: Literal["function"]
    function: CalledFunction


Calls = Annotated[list[MessageCall], Field(min_length=1)]


class ChatMessage(Wire):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: Calls | None = None


class CallingAnswer(Wire):
    """An answer that calls tools, with the text before the calls."""

    content: str
    tool_calls: Calls


Answer = NonEmpty | CallingAnswer


class DeclaredFunction(Wire):
    """A function with all that is said of it."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow", allow_inf_nan=False)

    name: NonEmpty


class DeclaredTool(Wire):
    """A tool that may be called."""

    type: Literal["function"]
    function: DeclaredFunction


class TrainingExample(Wire):
    """One line of the data: a completion, or a chosen and a rejected one."""

    row: Count
    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    completion: Answer | None = None
    reasoning: NonEmpty | None = None
    chosen: Answer | None = None
    rejected: Answer | None = None
    tools: Annotated[list[DeclaredTool], Field(min_length=1)] | None = None

    @property
    def preferred(self) -> Answer | None:
        """What a stage of SFT trains on, and what held-out answers are compared with."""
        return self.completion if self.completion is not None else self.chosen


class StageHyperparams(Wire):
    """The hyperparameters of one stage, with nothing left to derive."""

    training_type: Literal["lora", "full"]
    n_epochs: Positive
    learning_rate: Positive
    batch_size: AtLeastOne
    lora_r: AtLeastOne
    lora_alpha: Positive
    lora_dropout: Share
    lora_trainable_modules: str
    lr_scheduler_type: Literal["linear", "cosine", "constant"]
    min_lr_ratio: Share
    scheduler_num_cycles: NotNegative
    warmup_ratio: Share
    max_grad_norm: NotNegative
    weight_decay: NotNegative
    train_on_inputs: bool | None
    dpo_beta: Positive
    dpo_normalize_logratios_by_length: bool
    rpo_alpha: NotNegative
    simpo_gamma: NotNegative


class License(Wire):
    """The licence of the base model."""

    name: str
    url: Annotated[str, AfterValidator(_require_url)]


class BaseModelOfJob(Wire):
    """What is trained."""

    id: str
    license: License


class AttemptItem(Wire):
    """The item that the trainer claims, and keeps alive by its heartbeats."""

    table: str
    pk: str
    sk: str


class JobData(Wire):
    """Where the rows lie."""

    format: DataFormat
    train_keys: list[str]
    train_rows: Count
    held_out_key: str
    held_out_rows: Count
    context_tokens: AtLeastOne


class Stage(Wire):
    """One training, which goes on from the one before."""

    method: Method
    hyperparams: StageHyperparams


class TrainingJob(Wire):
    """What a trainer is to do."""

    version: Literal[1]
    experiment_id: str
    iteration: AtLeastOne
    attempt: AtLeastOne
    task_token: str
    bucket: str
    attempt_item: AttemptItem
    heartbeat_seconds: AtLeastOne
    model: BaseModelOfJob
    data: JobData
    stages: Annotated[list[Stage], Field(min_length=1)]
    seed: Count
    answer_tokens_max: AtLeastOne
    checkpoint_steps: AtLeastOne
    output_prefix: str
    resume_prefixes: list[str]
    initial_adapter_key: str | None
    batch_order_key: str | None


class TrainerMessage(Wire):
    """The message in a trainer's queue."""

    bucket: str
    job_key: str
    lender: str
    secret: str


class LentCredentials(Wire):
    """Temporary credentials that open the objects and the item of one attempt."""

    access_key_id: str
    secret_access_key: str
    session_token: str
    expires_at: str


class LendCredentialsReply(Wire):
    """The answer of the function that lends them: none where the attempt has ended."""

    credentials: LentCredentials | None


Document = TypeVar("Document", bound=Wire)


class InvalidDocumentError(Exception):
    """A document is not what its schema says. The message names the field, and quotes nothing of it."""


def read(model: type[Document], text: str | bytes) -> Document:
    """The document in a JSON text.

    Raises InvalidDocumentError, which names the first field that is wrong.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        # The message of a broken JSON text is the parser's, which gives a place and quotes nothing.
        raise InvalidDocumentError(f"{field or model.__name__}: {first['msg']}") from None
