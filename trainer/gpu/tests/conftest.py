"""What the tests share: AWS as the emulator plays it, and models to train.

`bin/test-trainer.ts` sets AWS_ENDPOINT_URL to the emulator, TUNESMITH_MODEL_DIR to the checkpoints, TRAINER_POLICIES to
what the stacks allow to trainers and to the role whose sessions are lent to them, and LENDER to the code of the
function that lends. Trainers have the credentials of a user with the first policy and no other, and what that function
lends; only the tests themselves may do more.
"""

import gc
import hmac
import io
import json
import os
import tarfile
import threading
import uuid
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
# Threads that wait would keep cores from the other trainer.
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"

import boto3
import pytest
import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from tunesmith_trainer.attempt import new_owner
from tunesmith_trainer.aws import Aws, Bucket, borrow, connect
from tunesmith_trainer.job import TrainerMessage
from tunesmith_trainer.log import Log
from tunesmith_trainer.worker import claim, perform, read_job

torch.set_num_threads(2)
# Trainings collect garbage several times; what was imported is a million objects, of which none ever is.
gc.freeze()

#: How near losses come to their formulas, relatively: models compute in bf16 on a GPU, with 8 bits of mantissa.
PRECISION = 2e-2 if torch.cuda.is_available() else 1e-4
#: The model that the project has at hand.
SMALL = "HuggingFaceTB/SmolLM2-135M-Instruct"
#: One that is made here, for what needs no language.
TINY = "tiny-llama"
HYPERPARAMS = {
    "training_type": "lora",
    "n_epochs": 1,
    "learning_rate": 1e-3,
    "batch_size": 4,
    "lora_r": 4,
    "lora_alpha": 8,
    "lora_dropout": 0,
    "lora_trainable_modules": "all-linear",
    "lr_scheduler_type": "cosine",
    "min_lr_ratio": 0.1,
    "scheduler_num_cycles": 0.5,
    "warmup_ratio": 0.1,
    "max_grad_norm": 1,
    "weight_decay": 0.01,
    "train_on_inputs": None,
    "dpo_beta": 0.1,
    "dpo_normalize_logratios_by_length": False,
    "rpo_alpha": 0,
    "simpo_gamma": 0,
}
QUEUED_AT = "2026-01-01T00:00:00.000Z"
WORDS = ["river", "lantern", "copper", "orchard", "winter", "thread", "harbour", "pepper", "granite", "violin"]


def pair(row: int) -> dict[str, Any]:
    """A row with a completion as well as a pair, of varying length."""
    word, other = WORDS[row % 10], WORDS[(row * 7 + 3) % 10]
    return {
        "row": row,
        "messages": [{"role": "user", "content": f"Say something about a {word} and a {other}."}],
        "chosen": f"Arr! The {word} be fine" + f", and so be the {other}" * (row % 3) + ".",
        "rejected": f"A {word} is a thing" + f" that is not a {other}" * (row % 2) + ".",
    }


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder of checkpoints, by id of the model: SmolLM2, and a model of two layers that knows bytes."""
    folder = Path(os.environ["TUNESMITH_MODEL_DIR"])
    tiny = folder / TINY
    if not (tiny / "tokenizer.json").exists():
        torch.manual_seed(0)
        config = LlamaConfig(
            vocab_size=259,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            tie_word_embeddings=True,
            bos_token_id=1,
            eos_token_id=2,
            pad_token_id=2,
        )
        LlamaForCausalLM(config).save_pretrained(tiny)
        byte_tokenizer().save_pretrained(tiny)
    return folder


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer whose tokens are bytes, with the three of ChatML and its template."""
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    letters = special + sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(special)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token=special[0],
        bos_token=special[1],
        eos_token=special[2],
        pad_token=special[2],
        chat_template=(
            "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] "
            "+ '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}"
            "{% endif %}"
        ),
    )


@pytest.fixture(scope="session")
def aws() -> Aws:
    """Clients of the emulator."""
    return connect()


@dataclass
class World:
    """A bucket, a table and a queue, and attempts in them."""

    aws: Aws
    bucket: str
    table: str
    queue_url: str
    machine_arn: str
    #: Name of the function that lends credentials.
    lender: str
    #: What the environment of a trainer has, of credentials those that the policy of the trainers restricts.
    trainer_environment: dict[str, str]
    #: Clients of a trainer.
    trainer_aws: Aws

    def put(self, key: str, content: str) -> str:
        """Writes an object; returns its key."""
        self.aws.s3.put_object(Bucket=self.bucket, Key=key, Body=content.encode())
        return key

    def read_json(self, key: str) -> Any:
        """A JSON document of the bucket."""
        return json.loads(Bucket(self.aws.s3, self.bucket).read(key))

    def read_lines(self, key: str) -> list[Any]:
        """The lines of an object, each a JSON document."""
        return [json.loads(line) for line in Bucket(self.aws.s3, self.bucket).read(key).splitlines()]

    def keys(self, prefix: str) -> list[str]:
        """Keys below the prefix."""
        answer = self.aws.s3.list_objects_v2(Bucket=self.bucket, Prefix=prefix)
        return [entry["Key"] for entry in answer.get("Contents", [])]

    def outputs(self, job: dict[str, Any]) -> list[str]:
        """Keys of what the job's attempt has left; the job itself lies beside it."""
        return [key for key in self.keys(job["output_prefix"]) if key != self.job_key(job)]

    def job(
        self,
        *stages: str | tuple[str, dict[str, Any]],
        rows: list[dict[str, Any]] | None = None,
        held_out: list[dict[str, Any]] | None = None,
        context_tokens: int = 256,
        **changes: Any,
    ):
        """A queued attempt: its job as a dict, whose key `job_key` has.

        stages: methods, with what differs in their hyperparameters.
        """
        name = changes.get("experiment_id", uuid.uuid4().hex[:12])
        data = [pair(row) for row in range(12)] if rows is None else rows
        held_out = [pair(100 + row) for row in range(3)] if held_out is None else held_out
        middle = len(data) // 2
        keys = [
            self.put(f"trainings/{name}/data/{i}.jsonl", "".join(json.dumps(row) + "\n" for row in part))
            for i, part in enumerate((data[:middle], data[middle:]))
        ]
        job = {
            "version": 1,
            "experiment_id": name,
            "iteration": 1,
            "attempt": 1,
            "task_token": self.task_token(),
            "bucket": self.bucket,
            "attempt_item": {"table": self.table, "pk": f"ATTEMPT#{name}#1#1", "sk": "ATTEMPT"},
            "heartbeat_seconds": 1,
            "model": {"id": TINY, "license": {"name": "Apache-2.0", "url": "https://example.org/license"}},
            "data": {
                "format": "chat",
                "train_keys": keys,
                "train_rows": len(data),
                "held_out_key": self.put(
                    f"trainings/{name}/data/held-out.jsonl", "".join(json.dumps(row) + "\n" for row in held_out)
                ),
                "held_out_rows": len(held_out),
                "context_tokens": context_tokens,
            },
            "stages": [
                {"method": stage, "hyperparams": HYPERPARAMS}
                if isinstance(stage, str)
                else {"method": stage[0], "hyperparams": HYPERPARAMS | stage[1]}
                for stage in stages
            ],
            "seed": 7,
            "answer_tokens_max": 4,
            "checkpoint_steps": 2,
            "output_prefix": f"trainings/{name}/iterations/1/attempts/1/",
            "resume_prefixes": [],
            "initial_adapter_key": None,
            "batch_order_key": None,
        } | changes
        self.queue_attempt(job)
        return job

    def next_attempt(self, job: dict[str, Any], **changes: Any) -> dict[str, Any]:
        """The attempt after a job's, queued: it goes on from the checkpoints of those before it."""
        name, attempt = job["experiment_id"], job["attempt"] + 1
        again = job | {
            "attempt": attempt,
            "task_token": self.task_token(),
            "attempt_item": job["attempt_item"] | {"pk": f"ATTEMPT#{name}#1#{attempt}"},
            "output_prefix": f"trainings/{name}/iterations/1/attempts/{attempt}/",
            "resume_prefixes": [job["output_prefix"], *job["resume_prefixes"]],
            **changes,
        }
        self.queue_attempt(again)
        return again

    def queue_attempt(self, job: dict[str, Any]) -> str:
        """Writes a job and its item, which is queued, as the newest of its training; returns the job's key."""
        key = self.put(self.job_key(job), json.dumps(job))
        item = job["attempt_item"]
        newest = {"iteration": {"N": str(job["iteration"])}, "attempt": {"N": str(job["attempt"])}}
        self.aws.dynamodb.put_item(
            TableName=item["table"],
            Item={
                "pk": {"S": f"TRAINING#{job['experiment_id']}"},
                "sk": {"S": "TRAINING"},
                "status": {"S": "running"},
                "attempt": {"M": newest | {"queued_at": {"S": QUEUED_AT}}},
            },
        )
        self.aws.dynamodb.put_item(
            TableName=item["table"],
            Item={
                "pk": {"S": item["pk"]},
                "sk": {"S": item["sk"]},
                "state": {"S": "queued"},
                "job_key": {"S": key},
                "queued_at": {"S": QUEUED_AT},
            },
        )
        return key

    def job_key(self, job: dict[str, Any]) -> str:
        """The key of a job."""
        return f"trainings/{job['experiment_id']}/iterations/1/attempts/{job['attempt']}/job.json"

    def message(self, job: dict[str, Any]) -> TrainerMessage:
        """The message that a trainer gets of a job."""
        secret = hmac.new(job["task_token"].encode(), b"attempt credentials", "sha256").hexdigest()
        return TrainerMessage(bucket=self.bucket, job_key=self.job_key(job), lender=self.lender, secret=secret)

    def send(self, job: dict[str, Any]) -> None:
        """Puts the message of a job into the trainer's queue."""
        self.aws.sqs.send_message(QueueUrl=self.queue_url, MessageBody=self.message(job).model_dump_json())

    def item(self, job: dict[str, Any]) -> dict[str, str]:
        """The attempt's item as it is now."""
        item = job["attempt_item"]
        answer = self.aws.dynamodb.get_item(
            TableName=item["table"], Key={"pk": {"S": item["pk"]}, "sk": {"S": item["sk"]}}, ConsistentRead=True
        )
        return {name: next(iter(value.values())) for name, value in answer["Item"].items()}

    def set_state(self, job: dict[str, Any], state: str) -> None:
        """Sets the state of the attempt, as the control plane does."""
        item = job["attempt_item"]
        self.aws.dynamodb.update_item(
            TableName=item["table"],
            Key={"pk": {"S": item["pk"]}, "sk": {"S": item["sk"]}},
            UpdateExpression="SET #state = :state",
            ExpressionAttributeNames={"#state": "state"},
            ExpressionAttributeValues={":state": {"S": state}},
        )

    def task_token(self) -> str:
        """The token of a task that waits."""
        self.aws.stepfunctions.start_execution(stateMachineArn=self.machine_arn, name=uuid.uuid4().hex)
        while True:
            answer = self.aws.sqs.receive_message(QueueUrl=self.tokens_url, WaitTimeSeconds=5)
            for message in answer.get("Messages", []):
                self.aws.sqs.delete_message(QueueUrl=self.tokens_url, ReceiptHandle=message["ReceiptHandle"])
                return json.loads(message["Body"])["token"]

    @property
    def tokens_url(self) -> str:
        """The queue into which the machine writes its tokens."""
        return self.queue_url + "-tokens"

    def waits(self) -> bool:
        """Whether the execution that was started last still waits for its task."""
        return self._newest_execution()["status"] == "RUNNING"

    def outcome(self) -> dict[str, Any]:
        """How the execution that was started last ended: status, and output or error and cause."""
        while (execution := self._newest_execution())["status"] == "RUNNING":
            threading.Event().wait(0.1)
        return {name: execution.get(name) for name in ("status", "output", "error", "cause")}

    def _newest_execution(self) -> dict[str, Any]:
        executions = self.aws.stepfunctions.list_executions(stateMachineArn=self.machine_arn)["executions"]
        newest = max(executions, key=lambda execution: execution["startDate"])
        return self.aws.stepfunctions.describe_execution(executionArn=newest["executionArn"])

    def borrow(self, asked: TrainerMessage) -> Aws:
        """What a trainer has for the attempt of a message."""
        return borrow(self.trainer_aws, asked, threading.Event(), Log())

    def run(self, job: dict[str, Any], interrupted: threading.Event | None = None) -> bool:
        """Has the trainer take the job; says whether a report came of it."""
        asked = self.message(job)
        lent = self.borrow(asked)
        parsed = read_job(lent, asked)
        attempt = claim(lent, parsed, new_owner(), Log())
        return attempt is not None and perform(lent, parsed, attempt, interrupted or threading.Event())

    def artifact(self, job: dict[str, Any], folder: Path) -> Path:
        """The folder below the given one into which the job's artifact is unpacked."""
        archive, unpacked = folder / f"{job['experiment_id']}.tar.gz", folder / job["experiment_id"]
        Bucket(self.aws.s3, self.bucket).download(f"{job['output_prefix']}artifact.tar.gz", archive)
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")
        return unpacked

    def report(self, job: dict[str, Any]) -> dict[str, Any]:
        """The report of a job that was taken."""
        return self.read_json(f"{job['output_prefix']}report.json")


@pytest.fixture(scope="session")
def role_arn() -> str:
    """A role that state machines and functions may do anything with."""
    return create_role(
        {"Service": ["states.amazonaws.com", "lambda.amazonaws.com"]},
        policy({"Effect": "Allow", "Action": "*", "Resource": "*"}),
    )


def create_role(principal: dict[str, Any], document: str) -> str:
    """Creates a role that the principal assumes and that may do what the policy says; returns its ARN."""
    iam = boto3.client("iam", region_name=os.environ["AWS_REGION"])
    name = f"trainer-{uuid.uuid4().hex[:12]}"
    trust = {"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole"}
    role = iam.create_role(RoleName=name, AssumeRolePolicyDocument=policy(trust))["Role"]
    iam.put_role_policy(RoleName=name, PolicyName="allowed", PolicyDocument=document)
    return role["Arn"]


def policy(statement: dict[str, Any]) -> str:
    """A policy of one statement."""
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


@pytest.fixture(scope="session")
def store(aws: Aws, role_arn: str) -> Iterator[str]:
    """The name of a bucket, a table and the function that lends credentials for them.

    Worlds share them, since each function is a process of its own: a world's trainings have their own keys and items.
    """
    name = f"trainer-{uuid.uuid4().hex[:12]}"
    aws.s3.create_bucket(Bucket=name)
    aws.dynamodb.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("pk", "sk")],
    )
    create_lender(aws, name, role_arn, stack_policy(aws, "attempt", name))
    yield name
    # Its process would stay for minutes.
    aws.functions.delete_function(FunctionName=name)


@pytest.fixture
def world(aws: Aws, models: Path, role_arn: str, store: str) -> World:
    """A fresh queue and state machine, and a user for the trainer."""
    return create_world(aws, role_arn, store)


def create_world(aws: Aws, role_arn: str, store: str) -> World:
    """Creates a queue, a state machine and a user for the trainer, in the store of that name."""
    name = f"trainer-{uuid.uuid4().hex[:12]}"
    queue_url = aws.sqs.create_queue(QueueName=name, Attributes={"VisibilityTimeout": "2"})["QueueUrl"]
    tokens_url = aws.sqs.create_queue(QueueName=f"{name}-tokens")["QueueUrl"]
    machine = {
        "StartAt": "Wait",
        "States": {
            "Wait": {
                "Type": "Task",
                "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                "Parameters": {"QueueUrl": tokens_url, "MessageBody": {"token.$": "$$.Task.Token"}},
                "End": True,
            }
        },
    }
    arn = aws.stepfunctions.create_state_machine(name=name, definition=json.dumps(machine), roleArn=role_arn)[
        "stateMachineArn"
    ]
    policy_document = stack_policy(aws, "trainer", store, queue_url)
    environment = trainer_environment(name, policy_document) | {"TRAINER_QUEUE_URL": queue_url}
    with pytest.MonkeyPatch.context() as monkeypatch:
        for variable, value in environment.items():
            monkeypatch.setenv(variable, value)
        trainer_aws = connect()
    return World(aws, store, store, queue_url, arn, store, environment, trainer_aws)


def stack_policy(aws: Aws, kind: str, store: str, queue_url: str | None = None) -> str:
    """The policy of the stacks for "trainer" or "attempt", for a store, and for a queue where there is one."""
    table = aws.dynamodb.describe_table(TableName=store)["Table"]["TableArn"]
    arns = {
        "{bucket}": f"arn:aws:s3:::{store}",
        "{table}": table,
        "{lender}": f"{table.replace(':dynamodb:', ':lambda:').rpartition(':')[0]}:function:{store}",
    }
    if queue_url is not None:
        attributes = aws.sqs.get_queue_attributes(QueueUrl=queue_url, AttributeNames=["QueueArn"])["Attributes"]
        arns["{queue}"] = attributes["QueueArn"]
    document = json.loads(os.environ["TRAINER_POLICIES"])[kind]
    for placeholder, arn in arns.items():
        document = document.replace(placeholder, arn)
    return document


def create_lender(aws: Aws, name: str, role_arn: str, attempt_policy: str) -> str:
    """Creates the function that lends credentials, with the role whose sessions it lends; returns its name."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.write(os.environ["LENDER"], "index.mjs")
    aws.functions.create_function(
        FunctionName=name,
        Runtime="nodejs24.x",
        Handler="index.handler",
        Role=role_arn,
        Timeout=20,
        MemorySize=256,
        Code={"ZipFile": archive.getvalue()},
        Environment={
            "Variables": {
                "TABLE_NAME": name,
                "BUCKET_NAME": name,
                "ATTEMPT_ROLE_ARN": create_role({"AWS": role_arn}, attempt_policy),
            }
        },
    )
    return name


def trainer_environment(name: str, document: str) -> dict[str, str]:
    """Credentials of a new user with this policy."""
    iam = boto3.client("iam", region_name=os.environ["AWS_REGION"])
    iam.create_user(UserName=name)
    iam.put_user_policy(UserName=name, PolicyName="trainer", PolicyDocument=document)
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return {"AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"]}


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Waits until something holds, for two minutes at most."""

    def wait(holds: Callable[[], bool]) -> None:
        # A process loads its packages first, which takes half a minute beside other tests.
        for _ in range(1200):
            if holds():
                return
            threading.Event().wait(0.1)
        raise AssertionError("did not come about within 2 minutes")

    return wait
