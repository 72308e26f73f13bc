import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { MICROCREDITS, type UsageRecord } from '#shared/access/decide/meter.ts';
import type { Admission, AnswerUsage, UsageMeter } from '#shared/access/decide/usage-meter.ts';
import { createUsageMeter } from '#shared/access/meter-usage.ts';
import { createSweepMeters } from '#shared/access/sweep-meters.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Store } from './memory-store.ts';
import { makeCaller, NOW } from './records.ts';
import { faultsOf } from './store-contract.ts';

const PROCESSES = 3;
const MINUTE = 60_000;
/** A plan by which the minute's tokens never run out, nor the answers at once. */
const PLAN = {
  ...DEFAULT_PLAN,
  response_tokens_per_minute: Number.MAX_SAFE_INTEGER,
  responses_at_once: 1000,
};

interface Answer {
  readonly admission: Admission;
  /** Set aside for it. */
  need: number;
  readonly responseId: string;
  readonly admittedAt: number;
  state: 'open' | 'ended';
}

interface Model {
  granted: number;
  readonly answers: Answer[];
  /** What each response was billed, once it was. */
  readonly billed: Map<string, number>;
}

interface System {
  readonly store: Store;
  readonly caller: Caller;
  readonly meters: readonly UsageMeter[];
  readonly unbilled: UsageRecord[];
  now: number;
}

interface Command {
  check(model: Readonly<Model>): boolean;
  run(model: Model, system: System): Promise<void>;
  toString(): string;
}

/** Microcredits for a token in and a token out. */
const PRICE = 2000;
const needOf = (tokens: number): number => PRICE * tokens;
const usageOf = (response_id: string, tokens: number): AnswerUsage => ({
  response_id,
  model: 'm',
  microcredits: needOf(tokens),
  input_tokens: tokens,
  output_tokens: tokens,
});
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

async function spendable({ store, caller }: System): Promise<number> {
  const { balance, shards } = await store.meter.read(caller.team_id);
  return (balance?.available ?? 0) * MICROCREDITS + sum(shards.map(({ free }) => free));
}

const codeOf = (error: unknown): string => {
  if (error instanceof ServiceError) return error.code;
  throw error;
};

function admitCommand(process: number, tokens: number, times: number): Command {
  return {
    toString: () => `process ${process} admits ${times} answers of ${tokens} tokens`,
    check: () => true,
    run: async (model, system) => {
      const need = needOf(tokens);
      const before = await spendable(system);

      const outcomes = await Promise.all(
        Array.from({ length: times }, (_, index) =>
          (system.meters[(process + index) % PROCESSES] as UsageMeter)
            .admit(system.caller, { microcredits: need, tokens: 2 * tokens }, system.now)
            .catch(codeOf),
        ),
      );

      const admitted = outcomes.filter((outcome) => typeof outcome !== 'string');
      expect(outcomes.filter((outcome) => typeof outcome === 'string')).toEqual(
        Array(times - admitted.length).fill('credits_insufficient'),
      );
      expect(admitted).toHaveLength(Math.min(times, Math.floor(before / need)));
      for (const admission of admitted) {
        const responseId = randomUUID();
        model.answers.push({ admission, need, responseId, admittedAt: system.now, state: 'open' });
      }
    },
  };
}

const pickOf = (model: Model, pick: number): Answer => model.answers[pick % model.answers.length] as Answer;

/** Settles an answer, `times` times over and at once. */
function settleCommand(pick: number, share: number, times: number): Command {
  return {
    toString: () => `answer ${pick} is settled at ${share} of its estimate, ${times} times`,
    check: (model) => model.answers.length > 0,
    run: async (model, system) => {
      const answer = pickOf(model, pick);
      const tokens = Math.floor((share * answer.need) / PRICE);
      const usage = usageOf(answer.responseId, tokens);
      const cost = needOf(tokens);
      const spendableBefore = await spendable(system);

      await Promise.all(Array.from({ length: times }, () => answer.admission.settle(usage)));

      const recorded = await system.store.meter.findUsage(system.caller.team_id, answer.responseId);
      const billed = recorded?.billed_microcredits ?? -1;
      const known = model.billed.get(answer.responseId);
      if (known !== undefined) expect(billed).toBe(known);
      else if (answer.state === 'ended') expect(billed).toBe(0);
      else {
        expect(billed).toBe(Math.min(cost, answer.need + spendableBefore));
        const told = system.unbilled.some(({ response_id }) => response_id === answer.responseId);
        expect(told).toBe(billed < cost);
      }
      model.billed.set(answer.responseId, billed);
      answer.state = 'ended';
    },
  };
}

/** Settles one answer's response through the admission of another. */
function confuseCommand(pick: number, other: number): Command {
  return {
    toString: () => `answer ${other} is settled as the response of answer ${pick}`,
    check: (model) => model.answers.length > 0 && model.billed.has(pickOf(model, pick).responseId),
    run: async (model, system) => {
      const { responseId } = pickOf(model, pick);
      const through = pickOf(model, other);

      await through.admission.settle(usageOf(responseId, 3));

      const recorded = await system.store.meter.findUsage(system.caller.team_id, responseId);
      expect(recorded?.billed_microcredits).toBe(model.billed.get(responseId));
      through.state = 'ended';
    },
  };
}

/** Covers further calls of an answer's model, `times` of them one after another. */
function coverCommand(pick: number, tokens: number, times: number): Command {
  return {
    toString: () => `answer ${pick} sets ${times} times ${tokens} tokens aside`,
    check: (model) => model.answers.length > 0 && pickOf(model, pick).state === 'open',
    run: async (model, system) => {
      const answer = pickOf(model, pick);
      for (let n = 0; n < times; n += 1) {
        const before = await spendable(system);
        const total = answer.need + needOf(tokens);
        const outcome = await answer.admission.reserve(total).catch(codeOf);
        expect(outcome).toBe(before >= needOf(tokens) ? undefined : 'credits_insufficient');
        if (outcome === undefined) answer.need = total;
        await answer.admission.reserve(answer.need);
      }
    },
  };
}

function releaseCommand(pick: number, times: number): Command {
  return {
    toString: () => `answer ${pick} is released ${times} times`,
    check: (model) => model.answers.length > 0,
    run: async (model) => {
      const answer = pickOf(model, pick);
      await Promise.all(Array.from({ length: times }, () => answer.admission.release()));
      answer.state = 'ended';
    },
  };
}

/** Answers that have not ended by then are those of processes that died. */
function sweepCommand(minutes: number): Command {
  return {
    toString: () => `${minutes} minutes later, sweep`,
    check: () => true,
    run: async (model, system) => {
      system.now += minutes * MINUTE;
      const lost = model.answers.filter(
        ({ state, admittedAt }) => state === 'open' && system.now - admittedAt >= 20 * MINUTE,
      );

      const { ledger, meter, access } = system.store;
      const team = await access.findTeam(system.caller.team_id);
      const own = { listTeams: async () => (team === null ? [] : [team]) };
      const swept = await createSweepMeters({ ledger, meter, access: own })(system.now);

      expect(swept).toMatchObject({ lost: lost.length, failures: [] });
      for (const answer of lost) answer.state = 'ended';
      if (minutes >= 5) {
        const { shards } = await system.store.meter.read(system.caller.team_id);
        expect(sum(shards.map(({ free, unsettled }) => free + unsettled))).toBeLessThan(2 * MICROCREDITS);
        expect(shards.filter(({ shard, free, unsettled }) => shard > 0 && free + unsettled > 0)).toEqual([]);
      }
    },
  };
}

function grantCommand(credits: number): Command {
  return {
    toString: () => `grant ${credits}`,
    check: () => true,
    run: async (model, { store, caller, now }) => {
      await store.ledger.grant({
        entry_id: randomUUID(),
        team_id: caller.team_id,
        type: 'grant',
        credits,
        run_id: null,
        dataset_id: null,
        block: null,
        reason: null,
        created_at: timestamp(now),
      });
      model.granted += credits;
    },
  };
}

/** After each command: the invariant holds, and what is there is what was granted less what was billed. */
function checked(command: Command): fc.AsyncCommand<Model, System> {
  return {
    toString: () => command.toString(),
    check: (model) => command.check(model),
    run: async (model, system) => {
      await command.run(model, system);

      const { store, caller } = system;
      expect(await faultsOf(store, caller.team_id)).toEqual([]);
      const { shards } = await store.meter.read(caller.team_id);
      const billed = sum([...model.billed.values()]);
      const open = sum(model.answers.filter(({ state }) => state === 'open').map(({ need }) => need));
      expect(sum(shards.map(({ spent }) => spent))).toBe(billed);
      expect(sum(shards.map(({ pending }) => pending))).toBe(open);
      const underWay = model.answers.filter(({ state }) => state === 'open').length;
      expect(sum(shards.map((shard) => shard.open))).toBe(underWay);
      expect(await spendable(system)).toBe(model.granted * MICROCREDITS - billed - open);
    },
  };
}

const commands = [
  fc
    .tuple(
      fc.nat(PROCESSES - 1),
      fc.oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 30_000 })),
      fc.integer({ min: 1, max: 12 }),
    )
    .map(([process, tokens, times]) => admitCommand(process, tokens, times)),
  fc
    .tuple(fc.nat(), fc.constantFrom(0, 0.1, 0.5, 1, 1.5, 20), fc.integer({ min: 1, max: 3 }))
    .map(([pick, share, times]) => settleCommand(pick, share, times)),
  fc
    .tuple(fc.nat(), fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 3 }))
    .map(([pick, tokens, times]) => coverCommand(pick, tokens, times)),
  fc.tuple(fc.nat(), fc.nat()).map(([pick, other]) => confuseCommand(pick, other)),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 2 })).map(([pick, times]) => releaseCommand(pick, times)),
  fc.constantFrom(1, 6, 25).map(sweepCommand),
  fc.integer({ min: 1, max: 60 }).map(grantCommand),
].map((arbitrary) => arbitrary.map(checked));

/**
 * Drives the meter of a fresh team through answers that are admitted, settled, released, lost and swept, in any order
 * and several at once, and compares it with a model after each.
 */
export async function checkMeterModel(
  createStore: () => Promise<Store>,
  options: { readonly runs: number; readonly commandsMax: number; readonly seed?: number },
): Promise<void> {
  const { runs, commandsMax, seed } = options;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: commandsMax, size: 'max' }), async (sequence) => {
      const store = await createStore();
      const caller = makeCaller({ plan: PLAN });
      await store.access.createTeam({
        team_id: caller.team_id,
        organization_id: caller.organization_id,
        name: caller.team_id,
        plan: 'default',
        created_at: timestamp(NOW),
      });
      await fc.asyncModelRun(() => {
        const unbilled: UsageRecord[] = [];
        const real: System = { store, caller, unbilled, now: NOW, meters: [] };
        const meters = Array.from({ length: PROCESSES }, (_, index) =>
          createUsageMeter({
            meter: store.meter,
            limiter: store.tokenLimiter,
            newId: randomUUID,
            now: () => real.now,
            random: () => index / PROCESSES,
            onUnbilled: (usage) => unbilled.push(usage),
          }),
        );
        return {
          model: { granted: 0, answers: [], billed: new Map() },
          real: Object.assign(real, { meters }),
        };
      }, sequence);
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  );
}
