"""Runs state machines by moto's interpreter, which has LocalStack's, with functions that answer what they are told.

Reads from the variable `GIVEN`: `machines` (definitions by id), `answers` (of functions, by the last part of their ARN: a list, whose last
one is repeated; `{"error": [type, message]}` fails), `objects` (texts of the bucket by key), `start` (a machine) and `input`.
Writes in its last line the outcome, the states of each execution in their order, and what functions were sent.
"""

import json
import os
import sys
import time

import boto3
from jsonata import Jsonata
from moto import mock_aws
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service_sfn import StateTaskServiceSfn
from moto.stepfunctions.parser.asl.jsonata import jsonata as expressions

ACCOUNT = "arn:aws:states:us-east-1:123456789012"
given = json.loads(os.environ["GIVEN"])
sent = []


def evaluate(expression):
    parsed = Jsonata(expression)
    parsed.register_lambda("parse", json.loads)
    return parsed.evaluate(None)


def invoke(parameters, region, state_credentials):
    name = parameters["FunctionName"].rsplit(":", 1)[-1]
    sent.append([name, json.loads(parameters["Payload"])])
    answers = given["answers"].get(name, [{}])
    answer = answers.pop(0) if len(answers) > 1 else answers[0]
    if isinstance(answer, dict) and "error" in answer:
        kind, message = answer["error"]
        return {"FunctionError": "Unhandled", "Payload": {"errorType": kind, "errorMessage": message}, "StatusCode": 200}
    return {"Payload": answer, "StatusCode": 200, "ExecutedVersion": "$LATEST"}


def call_as_its_client(self, env, resource_runtime_part, normalised_parameters, state_credentials):
    """The names of Step Functions' own API begin in lower case, those of its integration in upper case."""
    parameters = {key[0].lower() + key[1:]: value for key, value in normalised_parameters.items()}
    evaluate_machine(self, env, resource_runtime_part, parameters, state_credentials)
    env.stack.append({key[0].upper() + key[1:]: value for key, value in env.stack.pop().items()})


def states_of(client, execution):
    pages = client.get_paginator("get_execution_history").paginate(executionArn=execution)
    events = [event for page in pages for event in page["events"]]
    return [event["stateEnteredEventDetails"]["name"] for event in events if "stateEnteredEventDetails" in event]


# The interpreter of expressions is the caller's: moto brings none, LocalStack's needs Java.
expressions._eval_jsonata = evaluate
lambda_eval_utils._invoke_lambda_function = invoke
evaluate_machine = StateTaskServiceSfn._eval_service_task
StateTaskServiceSfn._eval_service_task = call_as_its_client

with mock_aws(config={"stepfunctions": {"execute_state_machine": True}, "lambda": {"use_docker": False}}):
    session = boto3.Session("test", "test", region_name="us-east-1")
    bucket = session.client("s3")
    bucket.create_bucket(Bucket="data")
    for key, text in given["objects"].items():
        bucket.put_object(Bucket="data", Key=key, Body=text.encode())
    client = session.client("stepfunctions")
    role = "arn:aws:iam::123456789012:role/machines"
    for name, definition in given["machines"].items():
        for state in definition["States"].values():
            if state["Type"] == "Map":
                # Its grammar knows the number with a fraction alone, it reads lists but no lines of JSON, and it looks for the
                # parameters of the writer in the results.
                state.pop("ResultWriter")
                state["ToleratedFailurePercentage"] = float(state["ToleratedFailurePercentage"])
                state["ItemReader"]["ReaderConfig"]["InputType"] = "JSON"
        client.create_state_machine(name=name, definition=json.dumps(definition), roleArn=role)
    started = client.start_execution(
        stateMachineArn=f"{ACCOUNT}:stateMachine:{given['start']}",
        name=given["input"]["run_id"],
        input=json.dumps(given["input"]),
    )["executionArn"]
    while (found := client.describe_execution(executionArn=started))["status"] == "RUNNING":
        time.sleep(0.05)
    executions = {}
    for name in given["machines"]:
        listed = client.list_executions(stateMachineArn=f"{ACCOUNT}:stateMachine:{name}")["executions"]
        for each in listed:
            executions[f"{name} {each['name']}"] = [each["status"], *states_of(client, each["executionArn"])]
    print()
    json.dump(
        {
            "status": found["status"],
            "error": found.get("error"),
            "cause": found.get("cause"),
            "executions": executions,
            "sent": sent,
        },
        sys.stdout,
    )
