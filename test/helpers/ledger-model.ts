import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { createSweepRuns } from '#shared/lifecycle/sweep-runs.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { runInterrupted } from '#shared/platform/errors/to-failure.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Ledger } from '#shared/runs/decide/ledger/repository.ts';
import { createEndRun } from '#shared/runs/end-run.ts';
import { createLaunchRun } from '#shared/runs/launch-run.ts';
import { RunContext } from '#shared/runs/schema/run-context.ts';
import { createMemoryExecutions, type MemoryExecutions } from './memory-executions.ts';
import type { Store } from './memory-store.ts';
import { makeCaller, NOW, seedDataset } from './records.ts';
import { faultsOf, interruption } from './store-contract.ts';

const DATASETS = 5;
const RUNS_AT_ONCE = 3;
const MINUTE = 60_000;

/** Where the process dies, or what fails, in the middle of a launch. */
type Mishap = 'none' | 'before commit' | 'after commit' | 'start fails';

interface ModelRun {
  readonly id: string;
  readonly dataset: number;
  readonly credits: number;
  billed: number | null;
  execution: 'missing' | 'running' | 'ended';
}

/** What the ledger of one team should hold. */
interface Model {
  granted: number;
  readonly runs: ModelRun[];
  readonly keys: Map<string, { readonly request: number; readonly run: ModelRun; readonly answer: string }>;
}

interface System {
  readonly store: Store;
  readonly caller: Caller;
  readonly datasets: readonly DatasetRecord[];
  readonly executions: MemoryExecutions;
  now: number;
}

interface Command {
  check(model: Readonly<Model>): boolean;
  run(model: Model, system: System): Promise<void>;
  toString(): string;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const active = (model: Model): ModelRun[] => model.runs.filter(({ billed }) => billed === null);
const available = (model: Model): number =>
  model.granted - sum(model.runs.map(({ billed, credits }) => billed ?? credits));

class ProcessDied extends Error {}

function dyingLedger(ledger: Ledger, mishap: Mishap): Ledger {
  return {
    ...ledger,
    launch: async (launch) => {
      if (mishap === 'before commit') throw new ProcessDied();
      const outcome = await ledger.launch(launch);
      if (mishap === 'after commit') throw new ProcessDied();
      return outcome;
    },
  };
}

interface LaunchArguments {
  readonly dataset: number;
  readonly credits: number;
  readonly key: string | null;
  readonly request: number;
  readonly mishap: Mishap;
}

async function launch(
  system: System,
  { dataset, credits, key, request, mishap }: LaunchArguments,
  runId: string,
) {
  const { store, caller, executions } = system;
  const { dataset_id } = system.datasets[dataset] as DatasetRecord;
  const found = (await store.datasets.find(dataset_id)) as DatasetRecord;
  executions.failStarts(mishap === 'start fails' ? new Error('start failed') : null);
  return createLaunchRun({
    ledger: dyingLedger(store.ledger, mishap),
    runs: store.runs,
    idempotency: store.idempotency,
    objects: {
      head: async () => ({ bytes: 1, contentType: null, etag: '', modifiedMs: NOW }),
      write: async () => {},
    },
    executions,
    endRun: createEndRun(store),
    unbilled: store.unbilled,
    freeUses: store.freeUses,
    clock: { now: () => NOW },
    newId: () => runId,
  })({
    caller,
    dataset: found,
    pipeline: 'adapt',
    request: { request },
    ...(key === null ? {} : { idempotency: { operation: 'adapt' as const, key, request } }),
    decide: () => ({ credits, rows: 1, response: (id: string) => ({ run_id: id, z: 1, a: credits }) }),
    now: system.now,
  }).then(
    (answer) => JSON.stringify(answer),
    (error: unknown) => {
      if (error instanceof ServiceError) return error.code;
      if (error instanceof ProcessDied) return 'died';
      throw error;
    },
  );
}

function launchCommand(given: LaunchArguments): Command {
  const { dataset, credits, key, request, mishap } = given;
  return {
    toString: () => `launch ${JSON.stringify(given)}`,
    check: () => true,
    run: async (model, system) => {
      const runId = randomUUID();
      const answer = await launch(system, given, runId);

      const scope = `${dataset} ${key}`;
      const earlier = key === null ? undefined : model.keys.get(scope);
      if (earlier !== undefined) {
        if (earlier.request !== request) {
          expect(answer).toBe('idempotency_mismatch');
          return;
        }
        if (earlier.run.billed === null && mishap === 'start fails') {
          // The first request may have started it: the run stays as it is, and the key with it.
          expect(answer).toBe('service_unavailable');
          return;
        }
        expect(answer).toBe(earlier.answer);
        if (earlier.run.billed === null && earlier.run.execution === 'missing')
          earlier.run.execution = 'running';
        return;
      }

      if (mishap === 'before commit') {
        expect(answer).toBe('died');
        return;
      }
      const running = active(model);
      if (running.some((run) => run.dataset === dataset)) {
        expect(answer).toBe('dataset_running');
        return;
      }
      if (credits > available(model)) {
        expect(answer).toBe('credits_insufficient');
        return;
      }
      if (running.length >= RUNS_AT_ONCE) {
        expect(answer).toBe('runs_limit_reached');
        return;
      }
      const run: ModelRun = { id: runId, dataset, credits, billed: null, execution: 'missing' };
      model.runs.push(run);
      if (mishap === 'start fails') {
        expect(answer).toBe('service_unavailable');
        run.billed = 0;
        return;
      }
      const first = JSON.stringify({ run_id: runId, z: 1, a: credits });
      if (mishap === 'none') run.execution = 'running';
      expect(answer).toBe(mishap === 'none' ? first : 'died');
      if (key !== null) model.keys.set(scope, { request, run, answer: first });
    },
  };
}

/** Ends one of the runs so far, `times` times over and at once, each with an outcome of its own. */
function settleCommand(pick: number, shares: readonly number[]): Command {
  return {
    toString: () => `settle run ${pick} with ${shares.join(', ')}`,
    check: (model) => model.runs.length > 0,
    run: async (model, system) => {
      const run = model.runs[pick % model.runs.length] as ModelRun;
      const endRun = createEndRun(system.store);
      const bills = shares.map((share) => Math.floor(share * run.credits));

      const outcomes = await Promise.all(
        bills.map((billedCredits) =>
          endRun({
            dataset_id: (system.datasets[run.dataset] as DatasetRecord).dataset_id,
            run_id: run.id,
            error: billedCredits === 0 ? interruption : null,
            billedCredits,
            now: system.now,
          }),
        ),
      );

      const billed = outcomes[0]?.settled_credits ?? null;
      expect(new Set(outcomes.map(({ settled_credits }) => settled_credits))).toEqual(new Set([billed]));
      if (run.billed === null) {
        expect(bills).toContain(billed);
        run.billed = billed;
        run.execution = 'ended';
        system.executions.set(run.id, 'succeeded');
      } else expect(billed).toBe(run.billed);
    },
  };
}

/** Launches on every dataset at once, each several times. */
function burstCommand(credits: number, each: number): Command {
  return {
    toString: () => `burst of ${each} on each dataset for ${credits}`,
    check: () => true,
    run: async (model, system) => {
      const before = active(model);
      const attempts = Array.from({ length: DATASETS * each }, (_, index) => ({
        runId: randomUUID(),
        given: { dataset: index % DATASETS, credits, key: null, request: 0, mishap: 'none' } as const,
      }));

      const answers = await Promise.all(attempts.map(({ given, runId }) => launch(system, given, runId)));

      const won = attempts.filter(({ runId }, index) => answers[index]?.includes(runId));
      const free = DATASETS - before.length;
      const affordable = credits === 0 ? free : Math.floor(available(model) / credits);
      expect(won).toHaveLength(Math.min(free, affordable, RUNS_AT_ONCE - before.length));
      for (const { given, runId } of won) {
        model.runs.push({ id: runId, dataset: given.dataset, credits, billed: null, execution: 'running' });
      }
    },
  };
}

function endExecutionCommand(pick: number): Command {
  return {
    toString: () => `execution of active run ${pick} dies`,
    check: (model) => active(model).length > 0,
    run: async (model, system) => {
      const running = active(model);
      const run = running[pick % running.length] as ModelRun;
      run.execution = 'ended';
      system.executions.set(run.id, 'failed');
    },
  };
}

const sweepCommand: Command = {
  toString: () => 'three minutes later, sweep',
  check: () => true,
  run: async (model, system) => {
    system.now += 3 * MINUTE;
    const { store, executions } = system;
    const sweep = createSweepRuns({
      runs: store.runs,
      executions,
      claims: store.claims,
      handOver: async ({ input }) => {
        const { dataset_id, run_id } = RunContext.parse(JSON.parse(input));
        const ending = { dataset_id, run_id, error: runInterrupted, billedCredits: 0, now: system.now };
        await createEndRun(store)(ending);
      },
    });

    expect((await sweep({ now: system.now, runsMax: 1000, handOverMax: 1000 })).failures).toEqual([]);

    for (const run of active(model)) if (run.execution !== 'running') run.billed = 0;
  },
};

function grantCommand(credits: number, twice: boolean): Command {
  return {
    toString: () => `grant ${credits}${twice ? ', twice over' : ''}`,
    check: () => true,
    run: async (model, system) => {
      const entry = {
        entry_id: randomUUID(),
        team_id: system.caller.team_id,
        type: 'grant' as const,
        credits,
        run_id: null,
        dataset_id: null,
        block: null,
        reason: null,
        created_at: timestamp(system.now),
      };
      await system.store.ledger.grant(entry);
      if (twice) await system.store.ledger.grant(entry);
      model.granted += credits;
    },
  };
}

/** After each command: the invariant holds, and the ledger is what the model says. */
function checked(command: Command): fc.AsyncCommand<Model, System> {
  return {
    toString: () => command.toString(),
    check: (model) => command.check(model),
    run: async (model, system) => {
      await command.run(model, system);

      const { store, caller, datasets } = system;
      expect(await faultsOf(store, caller.team_id)).toEqual([]);
      const running = active(model);
      expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({
        granted: model.granted,
        settled: sum(model.runs.map(({ billed }) => billed ?? 0)),
        held: sum(running.map(({ credits }) => credits)),
        available: available(model),
        active_runs: running.length,
      });
      for (const [index, { dataset_id }] of datasets.entries()) {
        const own = running.find(({ dataset }) => dataset === index);
        const dataset = await store.datasets.find(dataset_id);
        expect(dataset?.run_id).toBe(own?.id ?? null);
        expect(dataset?.state === 'running').toBe(own !== undefined);
      }
    },
  };
}

const commands = [
  fc
    .record({
      dataset: fc.nat(DATASETS - 1),
      credits: fc.nat(12),
      key: fc.option(fc.constantFrom('k1', 'k2')),
      request: fc.nat(1),
      mishap: fc.oneof(
        { weight: 3, arbitrary: fc.constant<Mishap>('none') },
        { weight: 2, arbitrary: fc.constantFrom<Mishap>('before commit', 'after commit', 'start fails') },
      ),
    })
    .map(launchCommand),
  fc
    .tuple(fc.nat(), fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 1, maxLength: 4 }))
    .map(([pick, shares]) => settleCommand(pick, shares)),
  fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 4 })).map(([credits, each]) => burstCommand(credits, each)),
  fc.nat().map(endExecutionCommand),
  fc.constant(sweepCommand),
  fc
    .tuple(fc.integer({ min: 1, max: 20 }), fc.boolean())
    .map(([credits, twice]) => grantCommand(credits, twice)),
].map((arbitrary) => arbitrary.map(checked));

/**
 * Drives the ledger of a fresh team through reserve, settle, release, replay, sweep and crashes between their steps,
 * in any order, and compares it with a model after each.
 */
export async function checkLedgerModel(
  store: Store,
  options: { readonly runs: number; readonly commandsMax: number; readonly seed?: number },
): Promise<void> {
  const { runs, commandsMax, seed } = options;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: commandsMax, size: 'max' }), async (sequence) => {
      const caller = makeCaller({ plan: { ...DEFAULT_PLAN, runs_at_once: RUNS_AT_ONCE } });
      await store.access.createTeam({
        team_id: caller.team_id,
        organization_id: caller.organization_id,
        name: caller.team_id,
        plan: 'default',
        created_at: timestamp(NOW),
      });
      const datasets: DatasetRecord[] = [];
      for (let index = 0; index < DATASETS; index += 1) datasets.push(await seedDataset(store, caller));
      await fc.asyncModelRun(
        () => ({
          model: { granted: 0, runs: [], keys: new Map() },
          real: { store, caller, datasets, executions: createMemoryExecutions(), now: NOW },
        }),
        sequence,
      );
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  );
}
