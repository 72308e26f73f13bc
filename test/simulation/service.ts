import type { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { BaseModelHub } from '#shared/deployments/decide/ports.ts';
import { theBaseModels, theModelEndpoints, theModelImporter } from '#shared/deployments/wire.ts';
import { publishEvents } from '#shared/events/background.ts';
import { theEventBus } from '#shared/events/wire.ts';
import { createColumnReader } from '#shared/ingest/adapters/column-reader.ts';
import { COLUMN_READER, theColumnReader } from '#shared/ingest/wire.ts';
import { theClock } from '#shared/models/wire.ts';
import { theModels } from '#shared/models/wire-providers.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import { rateLimiter, theIds, theRandom, theTable } from '#shared/platform/wire.ts';
import { theObjects } from '#shared/platform/wire-bucket.ts';
import { theFunctions, theInvokers } from '#shared/platform/wire-functions.ts';
import { theAnsweringModels } from '#shared/responses/wire.ts';
import { theExecutions } from '#shared/runs/wire.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { backgroundFunctions } from '#shared/service/pipelines/background.ts';
import { launchTrainingJob, queueAttempt, watchTrainers } from '#shared/training/background.ts';
import { LENT_SECONDS } from '#shared/training/decide/credential-lender.ts';
import {
  theCredentialLender,
  theTaskTokens,
  theTrainerQueue,
  theTrainingJobLauncher,
  theTrainingJobs,
} from '#shared/training/wire.ts';
import { thePost } from '#shared/webhooks/wire.ts';
import { createScriptedBaseModels } from '#test/helpers/base-models.ts';
import { eventOf, type Request } from '#test/helpers/call.ts';
import { loadHandler } from '#test/helpers/handlers.ts';
import { createMemoryResources, standIn } from '#test/helpers/memory-resources.ts';
import { AnswerStream, type Heard } from './answer-stream.ts';
import { type Cloud, request as requestOf, serverError } from './cloud.ts';
import { Functions, isFunctionId, type Outcome } from './functions.ts';
import { Machines } from './machines.ts';
import { SimulatedQueue } from './queue.ts';
import { Receivers } from './receivers.ts';
import { type DeploymentsOf, SimulatedEndpoints } from './simulated-endpoints.ts';
import { SimulatedImports } from './simulated-imports.ts';
import { createSimulatedAnswerer, createSimulatedModels } from './simulated-model.ts';
import { createSimulatedObjects, type SimulatedObjects } from './simulated-objects.ts';
import { type Change, createSimulatedTable, type SimulatedTable } from './simulated-table.ts';
import { startTrainer, TrainingJobs, type Workshop } from './trainers.ts';

type StreamedHandler = (event: unknown, stream: AnswerStream, context: unknown) => Promise<void>;

/** What a caller hears of a request: an answer, or that the connection is gone. */
export interface Answer {
  /** 0 where the connection is gone. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What a caller has heard of an answer that comes piece by piece. */
export interface StreamedAnswer extends Answer {
  /** Whether the answer came to its end. */
  readonly isWhole: boolean;
  /** Whether its function came to its own, which may be later. */
  readonly hasEnded: Promise<boolean>;
}

const UNHEARD: Answer = { status: 0, headers: {}, text: '' };

export interface Service {
  readonly cloud: Cloud;
  readonly table: SimulatedTable;
  readonly objects: SimulatedObjects;
  readonly functions: Functions;
  readonly machines: Machines;
  readonly jobs: TrainingJobs;
  readonly receivers: Receivers;
  readonly endpoints: SimulatedEndpoints;
  readonly imports: SimulatedImports;
  /** Events that the bus was handed, by id. */
  readonly published: Map<string, number>;
  /** Sends a request as the gateway does. */
  call(contract: EndpointContract, request: Request & { readonly as: Caller }): Promise<Answer>;
  /** Sends a request whose answer comes piece by piece; its caller leaves after so many of them, or stays. */
  stream(
    contract: EndpointContract,
    request: Request & { readonly as: Caller },
    piecesMax: number | null,
  ): Promise<StreamedAnswer>;
  /** Puts a file where a signed address says. */
  put(key: string, body: string): Promise<boolean>;
  /** Begins the schedules. */
  begin(): void;
}

/** The gateway waits no longer. */
const GATEWAY_SECONDS = 29;
/** For an answer that comes piece by piece. */
const STREAMING_SECONDS = 900;
const LEAVING_MILLISECONDS = 100;
const HOUR_MILLISECONDS = 3_600_000;
const STREAM_MILLISECONDS = 250;
const STREAM_LATE_MILLISECONDS = 90_000;

export interface Installation {
  readonly settings: Readonly<Record<string, string>>;
  /** The kind of its trainers; null without any. */
  readonly trainer: 'embedded' | 'gpu' | null;
}

/** As `infra` says of the queues. */
const ATTEMPTS = { name: 'attempts', visibilitySeconds: 120, receivesMax: 40 };
const JOBS = { visibilitySeconds: 120, receivesMax: { embedded: 5, gpu: 180 } };
const TRAINERS = 2;

/** The whole service on simulated services of AWS, wired as it is in production. */
export function createService(
  cloud: Cloud,
  { settings, trainer }: Installation,
  onChanges: (changes: readonly Change[], writer: string) => void,
  deployments: DeploymentsOf,
): Service {
  const { clock, faults, random } = cloud;
  const published = new Map<string, number>();

  const pendingStream = new Set<string>();
  const stream = (changes: readonly Change[]): void => {
    for (const { pk, before, after } of changes) {
      if (!pk.startsWith('OUTBOX#') || before !== undefined || after === undefined) continue;
      const deliver = (wait: number): void => {
        clock.after(wait, () => {
          const Records = [...pendingStream].map((each) => ({ dynamodb: { Keys: { pk: { S: each } } } }));
          pendingStream.clear();
          if (Records.length === 0 || faults.strikes('stream gives up', () => pk)) return;
          functions.start(publishEvents.id, { Records });
        });
      };
      pendingStream.add(pk);
      const late = faults.strikes('stream late', () => pk) ? random.wait(STREAM_LATE_MILLISECONDS) : 0;
      deliver(random.wait(STREAM_MILLISECONDS) + late);
      if (faults.strikes('stream twice', () => pk)) {
        clock.after(random.wait(5000), () => pendingStream.add(pk));
        deliver(5000 + random.wait(5000));
      }
    }
  };

  const table = createSimulatedTable(cloud, (changes, writer) => {
    stream(changes);
    onChanges(changes, writer);
  });
  const objects = createSimulatedObjects(cloud);
  const models = createSimulatedModels(cloud);
  const answerer = createSimulatedAnswerer(cloud);
  const receivers = new Receivers(cloud);
  const endpoints = new SimulatedEndpoints(cloud, deployments);
  const imports = new SimulatedImports(cloud, deployments);
  const hub = createScriptedBaseModels();
  const baseModels: BaseModelHub = {
    find: (...asked) =>
      requestOf(cloud, { where: 'the hub', isWrite: false, mean: 200 }, () => hub.find(...asked)),
    read: (...asked) =>
      requestOf(cloud, { where: 'the hub', isWrite: false, mean: 200 }, () => hub.read(...asked)),
  };

  const invoked = (id: string, payload: unknown): Promise<Outcome> =>
    clock.awaiting(
      new Promise<Outcome>((resolve) => {
        clock.after(random.wait(8), () => void functions.invoke(id, payload).then(resolve));
      }),
    );
  const lambda = {
    send: async ({ input: { FunctionName: id = '', Payload: payload } }: InvokeCommand) => {
      const outcome = await invoked(id, JSON.parse(Buffer.from(payload as Uint8Array).toString()));
      if (outcome.ok) return { Payload: Buffer.from(JSON.stringify(outcome.value)) };
      if (outcome.error === 'Lambda.TooManyRequestsException')
        throw Object.assign(new Error(outcome.message), { name: 'TooManyRequestsException' });
      const said = { errorType: outcome.error, errorMessage: outcome.message };
      return { FunctionError: 'Unhandled', Payload: Buffer.from(JSON.stringify(said)) };
    },
  } as unknown as LambdaClient;

  const createUse = () =>
    createMemoryResources(clock.now, [
      standIn(theTable, table.table),
      standIn(theObjects, objects.objects),
      standIn(theClock, {
        now: clock.hostNow,
        sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
      }),
      standIn(theRandom, () => random.next()),
      standIn(theIds, () => crypto.randomUUID()),
      standIn(theExecutions, machines.executions),
      standIn(theTaskTokens, machines.tokens),
      standIn(theTrainerQueue, { send: (_, message) => jobsQueue.send(JSON.stringify(message)) }),
      standIn(theTrainingJobs, jobs.stopper),
      standIn(theTrainingJobLauncher, jobs.launcher),
      standIn(theCredentialLender, {
        lend: async () => ({
          access_key_id: 'id',
          secret_access_key: 'secret',
          session_token: 'session',
          expires_at: new Date(clock.now() + LENT_SECONDS * 1000).toISOString(),
        }),
      }),
      standIn(theModels, models),
      standIn(theAnsweringModels, async () => ({
        answering: () => answerer,
        imported: (arn) => createSimulatedAnswerer(cloud, () => imports.answers(arn)),
        onEndpoint: (name) => createSimulatedAnswerer(cloud, () => endpoints.answers(name)),
        served: { find: async () => null, list: async () => ({ ids: [], failure: null }) },
      })),
      standIn(theModelEndpoints, endpoints.port),
      standIn(theModelImporter, imports.port),
      standIn(theBaseModels, baseModels),
      standIn(theEventBus, async (_teamId, events) => {
        await requestOf(cloud, { where: 'PutEvents', isWrite: true }, () => {
          for (const { id } of events) published.set(id, (published.get(id) ?? 0) + 1);
        });
      }),
      standIn(theInvokers, (id) => ({
        start: async (payload) => {
          const where = `invoke ${id}`;
          const isRefused = faults.strikes('start refused', () => where);
          const isUnheard = faults.strikes('start unheard', () => where);
          await requestOf(cloud, { where, isWrite: true, mean: 10 }, () => {
            if (isRefused) throw serverError('ServiceException', 503);
            functions.start(id, payload);
            if (isUnheard) throw serverError('ServiceException', 503);
          });
        },
      })),
      standIn(thePost, receivers.post),
      standIn(theColumnReader, createColumnReader(COLUMN_READER, { client: lambda })),
      standIn(theFunctions, async (id, payload) => {
        const outcome = await invoked(id, payload);
        if (outcome.ok) return outcome.value;
        throw Object.assign(new Error(outcome.message), { name: outcome.error });
      }),
    ]).installed(settings);

  const functions: Functions = new Functions(cloud, createUse);
  const attempts = new SimulatedQueue(cloud, ATTEMPTS);
  const jobsQueue = new SimulatedQueue(cloud, {
    name: 'jobs of trainers',
    visibilitySeconds: JOBS.visibilitySeconds,
    receivesMax: JOBS.receivesMax[trainer ?? 'embedded'],
  });
  const machines: Machines = new Machines(cloud, functions, objects, (_, body) =>
    attempts.put(JSON.stringify(body)),
  );
  const workshop: Workshop = { cloud, functions, machines, objects, table, random: random.fork('trainers') };
  const jobs: TrainingJobs = new TrainingJobs(workshop);
  const handlers = new Map<EndpointContract, Promise<ServedHandler>>();

  async function streamed(
    contract: EndpointContract,
    request: Request,
    piecesMax: number | null,
  ): Promise<StreamedAnswer> {
    let heard: Heard = { status: 0, headers: {}, text: '', isWhole: false };
    let hasEnded: Promise<boolean> = Promise.resolve(false);
    const over = new Promise<void>((resolve) => {
      const ended = functions.run(contract.id, STREAMING_SECONDS, async (use, context) => {
        handlers.set(contract, handlers.get(contract) ?? loadHandler(contract));
        const handler = (await handlers.get(contract)) as ServedHandler;
        let isLeft = false;
        const stream = new AnswerStream((pieces) => {
          if (isLeft || piecesMax === null || pieces <= piecesMax) return;
          isLeft = true;
          clock.timer(random.wait(LEAVING_MILLISECONDS), () => stream.destroy());
        }, resolve);
        heard = stream.heard;
        const live = handler.with({ rateLimiter: use(rateLimiter) }, use) as unknown as StreamedHandler;
        await live(eventOf(contract, request), stream, context);
      });
      hasEnded = ended.then(({ ok }) => ok);
      // The connection breaks with the function.
      void ended.then(() => resolve());
    });
    await clock.awaiting(over);
    return { ...heard, hasEnded };
  }

  async function gateway(contract: EndpointContract, request: Request): Promise<Answer> {
    if (contract.streams !== undefined) {
      const { isWhole, ...heard } = await streamed(contract, request, null);
      return isWhole ? heard : UNHEARD;
    }
    const ended = functions.run(contract.id, GATEWAY_SECONDS + 1, async (use, context) => {
      handlers.set(contract, handlers.get(contract) ?? loadHandler(contract));
      const handler = (await handlers.get(contract)) as ServedHandler;
      return handler.with({ rateLimiter: use(rateLimiter) }, use)(eventOf(contract, request), context);
    });
    const outcome = await ended;
    if (!outcome.ok)
      return { status: outcome.error === 'Sandbox.Timedout' ? 504 : 502, headers: {}, text: '' };
    const { statusCode, headers, body } = outcome.value as {
      statusCode: number;
      headers: Record<string, string>;
      body: string;
    };
    return { status: statusCode, headers, text: body };
  }

  return {
    cloud,
    table,
    objects,
    functions,
    machines,
    jobs,
    receivers,
    endpoints,
    imports,
    published,
    async call(contract, request) {
      const where = (): string => `${contract.id} of team ${request.as.team_id.slice(0, 4)}`;
      if (faults.strikes('request lost', where)) {
        await clock.sleep(random.wait(2000));
        return UNHEARD;
      }
      const isLost = faults.strikes('response lost', where);
      const answer = new Promise<Answer>((resolve) => {
        clock.after(
          random.wait(30),
          () =>
            void gateway(contract, request).then((given) =>
              clock.after(random.wait(30), () => resolve(given)),
            ),
        );
      });
      if (!isLost) return clock.awaiting(answer);
      await clock.sleep(random.wait(1500));
      return UNHEARD;
    },
    async stream(contract, request, piecesMax) {
      const where = (): string => `${contract.id} of team ${request.as.team_id.slice(0, 4)}`;
      if (faults.strikes('request lost', where)) {
        await clock.sleep(random.wait(2000));
        return { ...UNHEARD, isWhole: false, hasEnded: Promise.resolve(true) };
      }
      const lostAfter = faults.strikes('response lost', where) ? random.below(6) : null;
      await clock.sleep(random.wait(30));
      return streamed(contract, request, lostAfter ?? piecesMax);
    },
    async put(key, body) {
      await clock.sleep(random.wait(200));
      await objects.atOnce.write(key, body, 'text/csv');
      return true;
    },
    begin() {
      attempts.feed(
        async ({ body }) => (await functions.invoke(queueAttempt.id, { Records: [{ body }] })).ok,
      );
      if (trainer === 'embedded') {
        for (let n = 0; n < TRAINERS; n += 1) startTrainer(workshop, `trainer ${n}`, jobsQueue);
      }
      if (trainer === 'gpu') {
        jobsQueue.feed(async ({ body, receipt }) => {
          const outcome = await functions.invoke(launchTrainingJob.id, {
            Records: [{ messageId: receipt, body }],
          });
          return (
            outcome.ok && (outcome.value as { batchItemFailures: unknown[] }).batchItemFailures.length === 0
          );
        });
      }
      const schedules = backgroundFunctions.filter(
        ({ id, trigger }) => trigger.kind === 'schedule' && !(id === watchTrainers.id && trainer === null),
      );
      const chances = random.fork('schedules');
      // A schedule may come at any moment, and twice: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-troubleshooting.html
      cloud.meetings.onStanding = (owner) => {
        const isEndpoint = owner?.name.includes('#') && !isFunctionId(owner.name.split('#')[0] ?? '');
        if (isEndpoint && chances.chance(0.3)) functions.start(chances.pick(schedules).id, {});
      };
      const anHourLater = (): void => {
        if (faults.strikes('redeployment', () => 'the service')) functions.redeploy();
        clock.after(HOUR_MILLISECONDS, anHourLater);
      };
      clock.after(random.next() * HOUR_MILLISECONDS, anHourLater);
      for (const { id, trigger } of schedules) {
        if (trigger.kind !== 'schedule') continue;
        const every = trigger.everyMinutes * 60_000;
        const again = (): void => {
          functions.start(id, {});
          clock.after(every, again);
        };
        clock.after(random.next() * every, again);
      }
    },
  };
}

/** The contract with this id. */
export function contractOf(id: string): EndpointContract {
  const found = contracts.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no endpoint ${id}.`);
  return found;
}
