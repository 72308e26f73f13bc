import jsonata from 'jsonata';
import { readDefinition } from '#infra/definitions.ts';
import { endInterruptedRun } from '#shared/lifecycle/background.ts';
import type { ExecutionStatus, Executions, StartedPipeline } from '#shared/runs/decide/executions.ts';
import { stateMachineOf } from '#shared/runs/decide/run-kinds.ts';
import { stopTrainingJobs } from '#shared/training/background.ts';
import type { Machine, State } from '#test/statemachines/definition.ts';
import { type Cloud, request, serverError } from './cloud.ts';
import { type Functions, isFunctionId, type Outcome } from './functions.ts';
import type { SimulatedObjects } from './simulated-objects.ts';
import type { SimulatedProcess } from './world-clock.ts';

type Json = unknown;

/** An error inside of an execution, by its name. */
class StateError extends Error {
  readonly error: string;
  readonly why: string;

  constructor(error: string, why: string) {
    super(`${error}: ${why}`);
    this.error = error;
    this.why = why;
  }
}

interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds?: number;
  readonly BackoffRate?: number;
  readonly MaxAttempts?: number;
  readonly MaxDelaySeconds?: number;
}

interface Scope {
  readonly variables: Record<string, Json>;
  readonly input: Json;
  readonly result?: Json;
  readonly errorOutput?: Json;
  readonly context?: Json;
}

/** A task whose end somebody tells by its token. */
interface WaitingTask {
  readonly execution: Execution;
  readonly succeed: (output: Json) => void;
  readonly fail: (error: StateError) => void;
  readonly beat: () => void;
}

interface Execution {
  readonly pipeline: string;
  readonly name: string;
  readonly input: Json;
  readonly process: SimulatedProcess;
  readonly children: Set<Execution>;
  /** Events of its history. */
  events: number;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  /** When it ended, and what was true before. */
  changedMs: number;
  output: Json;
  error: StateError | null;
  readonly ended: Promise<void>;
  readonly markEnded: () => void;
}

const STEP_MILLISECONDS = 25;
/** Events that the history of an execution may have: https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const HISTORY_EVENTS_MAX = 25_000;
/** Events of a task: that its state is entered and left, and that it is scheduled, started and ended. */
const TASK_EVENTS = 5;
const STATE_EVENTS = 2;
/** Functions that are told of ended executions. */
const listeners = [endInterruptedRun, stopTrainingJobs].map(({ id, trigger }) => ({
  id,
  pipelines: trigger.kind === 'ended-executions' ? trigger.pipelines : [],
}));
const STARTED_DIRECTLY = new Set(listeners.flatMap(({ pipelines }) => pipelines));

const kebab = (name: string): string =>
  name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

const definitions = new Map<string, Machine>();

/** The definition of a pipeline, with the ids of functions and machines in place of their addresses. */
function definitionOf(pipeline: string): Machine {
  const known = definitions.get(pipeline);
  if (known !== undefined) return known;
  const text = JSON.stringify(readDefinition(pipeline)).replaceAll(/\$\{(\w+)\}/g, (_, token: string) => {
    const fn = /^(\w+)FunctionArn$/.exec(token)?.[1];
    if (fn !== undefined) return functionIdOf(pipeline, kebab(fn));
    const machine = /^(\w+)StateMachineArn$/.exec(token)?.[1];
    return machine === undefined ? token : kebab(machine);
  });
  const machine = JSON.parse(text) as Machine;
  definitions.set(pipeline, machine);
  return machine;
}

function functionIdOf(pipeline: string, name: string): string {
  const own = `tasks/${pipeline}/${name}`;
  return isFunctionId(own) ? own : `tasks/${name}`;
}

const expressions = new Map<string, jsonata.Expression>();

/** A value with every expression in it replaced by what it evaluates to, as Step Functions does. */
async function evaluate(value: Json, scope: Scope): Promise<Json> {
  if (typeof value === 'string') {
    const text = /^\{%([\s\S]*)%\}\s*$/.exec(value.trim())?.[1];
    if (text === undefined) return value;
    let compiled = expressions.get(text);
    if (compiled === undefined) {
      compiled = jsonata(text);
      compiled.registerFunction('parse', (json: string) => JSON.parse(json));
      expressions.set(text, compiled);
    }
    const { variables, ...states } = scope;
    const result = (await compiled.evaluate(undefined, { ...variables, states })) as Json;
    return result === undefined ? undefined : JSON.parse(JSON.stringify(result));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map((each) => evaluate(each, scope)));
  const made: Record<string, Json> = {};
  for (const [name, each] of Object.entries(value)) made[name] = await evaluate(each, scope);
  return made;
}

/**
 * AWS Step Functions: interprets the definitions of `statemachines`, in the states and fields that they use. An execution goes on
 * whatever happens to the functions that it invokes; one that is stopped ends at once, while its functions go on.
 */
export class Machines {
  readonly #executions = new Map<string, Execution>();
  readonly #waiting = new Map<string, WaitingTask>();
  #tokens = 0;

  private readonly cloud: Cloud;
  private readonly functions: Functions;
  private readonly objects: SimulatedObjects;
  /** Puts a message into a queue. */
  private readonly send: (queue: string, body: Json) => void;

  constructor(
    cloud: Cloud,
    functions: Functions,
    objects: SimulatedObjects,
    send: (queue: string, body: Json) => void,
  ) {
    this.cloud = cloud;
    this.functions = functions;
    this.objects = objects;
    this.send = send;
  }

  /** Executions that are running. */
  running(): string[] {
    return [...this.#executions.values()]
      .filter(({ status }) => status === 'RUNNING')
      .map(({ name }) => name);
  }

  /** Whether the execution of a run is there, whether or not it goes on. */
  hasBegun = (pipeline: StartedPipeline, runId: string): boolean =>
    this.#executions.has(keyOf(stateMachineFor(pipeline), runId));

  /** Whether the execution of a run goes on. */
  isRunning = (pipeline: StartedPipeline, runId: string): boolean =>
    this.#executions.get(keyOf(stateMachineFor(pipeline), runId))?.status === 'RUNNING';

  /** What the service uses. */
  readonly executions: Executions = {
    start: async (pipeline, input) => {
      const { faults, clock } = this.cloud;
      const where = `StartExecution ${pipeline} ${input.run_id}`;
      const isRefused = faults.strikes('start refused', () => where);
      const isUnheard = faults.strikes('start unheard', () => where);
      await request(this.cloud, { where, isWrite: true, mean: 20 }, () => {
        if (isRefused) throw serverError('ServiceUnavailable', 503);
        const machine = stateMachineFor(pipeline);
        if (!this.#executions.has(keyOf(machine, input.run_id))) {
          clock.after(0, () => this.#begin(machine, input.run_id, { ...input }, null));
        }
        if (isUnheard) throw serverError('ServiceUnavailable', 503);
      });
    },
    stop: async (pipeline, runId) => {
      const where = `StopExecution ${pipeline} ${runId}`;
      const isRefused = this.cloud.faults.strikes('start refused', () => where);
      await request(this.cloud, { where, isWrite: true, mean: 20 }, () => {
        if (isRefused) throw serverError('ServiceUnavailable', 503);
        const execution = this.#executions.get(keyOf(stateMachineFor(pipeline), runId));
        if (execution?.status === 'RUNNING') this.#end(execution, 'ABORTED', null, null);
      });
    },
    find: async (pipeline, runId): Promise<ExecutionStatus> => {
      const where = `DescribeExecution ${pipeline} ${runId}`;
      const isOld = this.cloud.faults.strikes('state outdated', () => where);
      return request(this.cloud, { where, isWrite: false, mean: 20 }, () => {
        const execution = this.#executions.get(keyOf(stateMachineFor(pipeline), runId));
        if (execution === undefined) return 'missing';
        const { status, changedMs } = execution;
        if (isOld && this.cloud.clock.now() - changedMs < 3000)
          return status === 'RUNNING' ? 'missing' : 'running';
        return statuses[status];
      });
    },
  };

  /** What ends the tasks that wait for a token, and keeps them. Each says whether the task was still waiting. */
  readonly tokens = {
    fail: (token: string, error: string, cause: string) =>
      this.#tell('SendTaskFailure', token, ({ fail }) => fail(new StateError(error, cause))),
    succeed: (token: string, output: unknown) =>
      this.#tell('SendTaskSuccess', token, ({ succeed }) => succeed(output)),
    heartbeat: (token: string) => this.#tell('SendTaskHeartbeat', token, ({ beat }) => beat()),
  };

  async #tell(where: string, token: string, tell: (task: WaitingTask) => void): Promise<boolean> {
    const { faults } = this.cloud;
    const isRefused = faults.strikes('start refused', () => where);
    const isUnheard = faults.strikes('start unheard', () => where);
    return request(this.cloud, { where, isWrite: true, mean: 20 }, () => {
      if (isRefused) throw serverError('ServiceUnavailable', 503);
      const task = this.#waiting.get(token);
      if (task?.execution.status === 'RUNNING') tell(task);
      if (isUnheard) throw serverError('ServiceUnavailable', 503);
      return task?.execution.status === 'RUNNING';
    });
  }

  /** A task that ends when somebody shows its token. */
  #awaitToken(execution: Execution, token: string, heartbeatSeconds: number): Promise<Json> {
    const { clock } = this.cloud;
    return new Promise((resolve, reject) => {
      let cancel = (): void => {};
      const over = (): void => {
        cancel();
        this.#waiting.delete(token);
      };
      const task: WaitingTask = {
        execution,
        succeed: (output) => {
          over();
          resolve(output);
        },
        fail: (error) => {
          over();
          reject(error);
        },
        beat: () => {
          cancel();
          cancel = clock.after(heartbeatSeconds * 1000, () =>
            task.fail(new StateError('States.HeartbeatTimeout', '')),
          );
        },
      };
      task.beat();
      this.#waiting.set(token, task);
    });
  }

  #begin(pipeline: string, name: string, input: Json, parent: Execution | null): Execution {
    const { clock } = this.cloud;
    let markEnded = (): void => {};
    const ended = new Promise<void>((resolve) => {
      markEnded = resolve;
    });
    const process: SimulatedProcess = { name: `${pipeline} ${name}`, isAlive: true, waits: 0, isDone: false };
    const execution: Execution = {
      pipeline,
      name,
      input,
      process,
      children: new Set(),
      events: 0,
      status: 'RUNNING',
      changedMs: clock.now(),
      output: null,
      error: null,
      ended,
      markEnded,
    };
    this.#executions.set(keyOf(pipeline, name), execution);
    parent?.children.add(execution);
    if (parent === null) this.cloud.tell(`the machine ${pipeline} starts for ${name}`);
    const machine = definitionOf(pipeline);
    clock.after((machine.TimeoutSeconds ?? 86_400) * 1000, () => {
      if (execution.status === 'RUNNING') this.#end(execution, 'TIMED_OUT', null, null);
    });
    clock
      .spawn(process, () => this.#interpret(machine, execution, input))
      .then(
        (output) => this.#end(execution, 'SUCCEEDED', output, null),
        (error: unknown) => {
          if (!(error instanceof StateError)) throw error;
          this.#end(execution, 'FAILED', null, error);
        },
      );
    return execution;
  }

  #end(execution: Execution, status: Execution['status'], output: Json, error: StateError | null): void {
    const { clock, faults, random } = this.cloud;
    if (execution.status !== 'RUNNING') return;
    execution.status = status;
    execution.changedMs = clock.now();
    execution.output = output;
    execution.error = error;
    clock.kill(execution.process);
    execution.markEnded();
    // Step Functions ends the children of a stopped execution when it comes to it.
    for (const child of execution.children) {
      if (child.status === 'RUNNING')
        clock.after(random.wait(2000), () => this.#end(child, 'ABORTED', null, null));
    }
    for (const [token, task] of this.#waiting) if (task.execution === execution) this.#waiting.delete(token);
    const { pipeline, name } = execution;
    if (STARTED_DIRECTLY.has(pipeline) || status !== 'SUCCEEDED')
      this.cloud.tell(
        `the machine ${pipeline} of ${name} ends: ${status}${error === null ? '' : ` (${error.message.slice(0, 200)})`}`,
      );
    if (status === 'SUCCEEDED' || !STARTED_DIRECTLY.has(pipeline)) return;
    const detail = { name, status, input: JSON.stringify(execution.input) };
    for (const { id } of listeners.filter(({ pipelines }) => pipelines.includes(pipeline))) {
      // The events of Step Functions come on a best-effort basis.
      if (faults.strikes('end unreported', () => `${pipeline} ${name}`)) continue;
      this.functions.start(id, { detail });
    }
  }

  async #interpret(machine: Machine, execution: Execution, input: Json): Promise<Json> {
    const { clock, random } = this.cloud;
    const variables: Record<string, Json> = {};
    let name = machine.StartAt;
    let data = input;
    for (;;) {
      const state = machine.States[name];
      if (state === undefined) throw new Error(`There is no state ${name}.`);
      await clock.sleep(random.wait(STEP_MILLISECONDS));
      execution.events += STATE_EVENTS;
      if (execution.events > HISTORY_EVENTS_MAX)
        throw new StateError('States.Runtime', 'The history is full.');
      if (this.cloud.faults.strikes('execution fails', () => `${execution.pipeline} ${execution.name}`))
        throw new StateError('States.Runtime', 'The execution was ended.');
      const isPath = (state.QueryLanguage ?? machine.QueryLanguage ?? 'JSONPath') === 'JSONPath';
      const next = isPath
        ? await this.#enterPath(state, execution, data)
        : await this.#enter(state, execution, data, variables);
      data = next.data;
      if (next.name === null) return data;
      name = next.name;
    }
  }

  /** One state in JSONata: where it leads, and with what. */
  async #enter(
    state: State,
    execution: Execution,
    input: Json,
    variables: Record<string, Json>,
  ): Promise<{ name: string | null; data: Json }> {
    const { clock } = this.cloud;
    const leave = async (
      { Assign, Output, Next }: { Assign?: Json; Output?: Json; Next?: string | undefined },
      scope: Omit<Scope, 'variables'>,
      fallback: Json,
    ) => {
      const full = { ...scope, variables: { ...variables } };
      const data = Output === undefined ? fallback : await evaluate(Output, full);
      if (Assign !== undefined) Object.assign(variables, await evaluate(Assign, full));
      return { name: Next ?? null, data };
    };
    switch (state.Type) {
      case 'Pass':
        return leave(state, { input }, input);
      case 'Succeed':
        return { name: null, data: input };
      case 'Fail': {
        const error = String(await evaluate(state.Error, { variables, input }));
        throw new StateError(error, String(await evaluate(state.Cause, { variables, input })));
      }
      case 'Wait': {
        await clock.sleep(Number(await evaluate(state.Seconds, { variables, input })) * 1000);
        return leave(state, { input }, input);
      }
      case 'Choice': {
        for (const { Condition, Next } of state.Choices ?? []) {
          if ((await evaluate(Condition, { variables, input })) === true) return { name: Next, data: input };
        }
        if (state.Default === undefined) throw new StateError('States.NoChoiceMatched', '');
        return { name: state.Default, data: input };
      }
      case 'Task':
        return this.#retried(
          state,
          async () => {
            const Token = `token ${this.#tokens++} of ${execution.name}`;
            const given = await evaluate(state.Arguments, { variables, input, context: { Task: { Token } } });
            execution.events += TASK_EVENTS;
            const result = await this.#task(state, execution, given as Record<string, Json>, Token);
            return leave(state, { input, result }, result);
          },
          (catcher, errorOutput) => leave(catcher, { input, errorOutput }, errorOutput),
        );
    }
    throw new Error(`The simulation has no state of type ${state.Type}.`);
  }

  /** The only states in JSONPath are those of the machine around chunks. */
  async #enterPath(
    state: State,
    execution: Execution,
    input: Json,
  ): Promise<{ name: string | null; data: Json }> {
    if (state.Type === 'Succeed') return { name: null, data: input };
    if (state.Type === 'Fail') throw new StateError('Map failed', '');
    if (state.Type !== 'Map') throw new Error(`The simulation has no ${state.Type} in JSONPath.`);
    return this.#retried(
      state,
      async () => {
        await this.#map(state, execution, input as Record<string, Json>);
        return { name: state.Next ?? null, data: input };
      },
      async ({ Next }) => ({ name: Next, data: input }),
    );
  }

  async #map(state: State, execution: Execution, input: Record<string, Json>): Promise<void> {
    const { clock } = this.cloud;
    const plan = await this.objects.atOnce.read(String(input.plan_key));
    if (plan === null) throw new StateError('States.ItemReaderFailed', String(input.plan_key));
    const chunks = plan
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Json);
    const machine = state.ItemProcessor as Machine;
    let next = 0;
    const work = async (): Promise<void> => {
      for (;;) {
        const n = next;
        next += 1;
        if (n >= chunks.length) return;
        // Each is an execution of its own, with a history of its own.
        const child = { ...execution, events: 0 };
        await this.#interpret(machine, child, { worker_arn: input.worker_arn, chunk: chunks[n] }).catch(
          (error: unknown) => {
            if (!(error instanceof StateError)) throw error;
            this.cloud.tell(`a chunk of ${execution.name} fails: ${error.message.slice(0, 200)}`);
          },
        );
      }
    };
    await clock.awaiting(Promise.all(Array.from({ length: Number(input.max_concurrency) }, work)));
    await this.objects.atOnce.write(`${input.results_prefix}/manifest.json`, '{}', 'application/json');
  }

  async #task(state: State, execution: Execution, given: Record<string, Json>, token: string): Promise<Json> {
    const { clock, faults, random } = this.cloud;
    const kind = String(state.Resource).replace(/^arn:\w+:states:::/, '');
    const within = async <T>(work: Promise<T>): Promise<T> => {
      if (state.TimeoutSeconds === undefined) return clock.awaiting(work);
      let cancel = (): void => {};
      const late = new Promise<never>((_, reject) => {
        cancel = clock.after((state.TimeoutSeconds as number) * 1000, () =>
          reject(new StateError('States.Timeout', '')),
        );
      });
      try {
        return await clock.awaiting(Promise.race([work, late]));
      } finally {
        cancel();
      }
    };
    switch (kind) {
      case 'lambda:invoke': {
        const outcome = await within(this.#invoke(String(given.FunctionName), given.Payload));
        if (outcome.ok) return { Payload: outcome.value };
        const cause = JSON.stringify({ errorMessage: outcome.message, errorType: outcome.error });
        throw new StateError(outcome.error, cause);
      }
      case 'states:startExecution':
      case 'states:startExecution.sync:2': {
        const machine = String(given.StateMachineArn);
        const name = String(given.Name);
        if (this.#executions.has(keyOf(machine, name))) {
          throw new StateError('StepFunctions.ExecutionAlreadyExistsException', name);
        }
        await clock.sleep(random.wait(40));
        const isAwaited = kind !== 'states:startExecution';
        const child = this.#begin(machine, name, given.Input, isAwaited ? execution : null);
        if (!isAwaited) return {};
        await within(child.ended).catch((error: unknown) => {
          this.#end(child, 'ABORTED', null, null);
          throw error;
        });
        if (child.status === 'SUCCEEDED') return { Output: child.output };
        throw new StateError(
          'States.TaskFailed',
          JSON.stringify({ Status: child.status, Error: child.error?.error }),
        );
      }
      case 'sqs:sendMessage.waitForTaskToken': {
        const queue = String(given.QueueUrl);
        if (faults.strikes('start refused', () => queue))
          throw new StateError('SQS.SdkClientException', queue);
        const ended = this.#awaitToken(execution, token, Number(state.HeartbeatSeconds));
        this.send(queue, given.MessageBody);
        return within(ended);
      }
    }
    throw new Error(`The simulation has no task ${kind}.`);
  }

  /** Invokes outside of the process of the execution: the invocation goes on when the execution is stopped. */
  #invoke(id: string, payload: Json): Promise<Outcome> {
    return new Promise((resolve) => {
      this.cloud.clock.after(
        this.cloud.random.wait(8),
        () => void this.functions.invoke(id, payload).then(resolve),
      );
    });
  }

  /** Runs a state with its retriers and catchers. */
  async #retried<T>(
    state: State,
    work: () => Promise<T>,
    caught: (catcher: NonNullable<State['Catch']>[number], errorOutput: Json) => Promise<T>,
  ): Promise<T> {
    const { clock, random } = this.cloud;
    const tried = new Map<Retrier, number>();
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
        const retrier = ((state.Retry ?? []) as unknown as Retrier[]).find(({ ErrorEquals }) =>
          matches(ErrorEquals, error.error),
        );
        const times = retrier === undefined ? 0 : (tried.get(retrier) ?? 0);
        if (retrier !== undefined && times < (retrier.MaxAttempts ?? 3)) {
          tried.set(retrier, times + 1);
          const delay = (retrier.IntervalSeconds ?? 1) * (retrier.BackoffRate ?? 2) ** times;
          await clock.sleep(random.next() * Math.min(delay, retrier.MaxDelaySeconds ?? delay) * 1000);
          continue;
        }
        const catcher = (state.Catch ?? []).find(({ ErrorEquals }) => matches(ErrorEquals, error.error));
        if (catcher === undefined) throw error;
        return caught(catcher, { Error: error.error, Cause: error.why });
      }
    }
  }
}

const statuses: Readonly<Record<Execution['status'], ExecutionStatus>> = {
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  ABORTED: 'failed',
  TIMED_OUT: 'timed_out',
};

const keyOf = (pipeline: string, name: string): string => `${pipeline}:${name}`;

const stateMachineFor = (pipeline: StartedPipeline): string => stateMachineOf(pipeline);

/** `States.TaskFailed` stands for every error of a task but that it took too long. */
const matches = (names: readonly string[], error: string): boolean =>
  names.some(
    (name) =>
      name === error || name === 'States.ALL' || (name === 'States.TaskFailed' && error !== 'States.Timeout'),
  );
