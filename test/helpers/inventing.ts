import { makeCandidates } from '#shared/growth/make-candidates.ts';
import type { PlannedRound } from '#shared/growth/plan-round.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { CandidatePlan, GrowPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { assembleInvention, planRound } from '#test/helpers/operations.ts';
import { linesOf } from './active-run.ts';
import { createFastClock } from './fast-clock.ts';
import { endGrowthNow, work as translateRows, translator } from './growing.ts';
import { NOW } from './records.ts';
import type { World } from './world.ts';

export interface Inventor extends ModelClient {
  /** Numbers of the requests that it was asked to invent. */
  readonly asked: number[];
}

/** Invents requests by their number, and answers well those that `isGood` says. */
export function inventor(
  rules: {
    readonly requestOf?: (number: number) => string;
    readonly isGood?: (number: number) => boolean;
    readonly beforeCall?: () => void;
  } = {},
): Inventor {
  const { requestOf = unlikeOthers, isGood = () => true, beforeCall } = rules;
  const asked: number[] = [];
  return {
    modelId: 'an-inventor',
    asked,
    generate: async ({ messages, jsonSchema }) => {
      beforeCall?.();
      const shown = messages.at(-1)?.content ?? '';
      const usage = { input_tokens: 10, output_tokens: 5 };
      const reply = (text: string) => ({ text, finishReason: 'stop' as const, usage });
      const number = /Write request number (\d+)/.exec(shown)?.[1];
      if (number !== undefined) {
        asked.push(Number(number));
        return reply(requestOf(Number(number)));
      }
      if (jsonSchema !== undefined) throw new Error(`Nobody grades here: ${jsonSchema.name}`);
      const request = / request>\n([\s\S]*?)\n<\//.exec(shown)?.[1] ?? '';
      const of = Number(/number-(\d+)/.exec(request)?.[1] ?? 0);
      return reply(
        isGood(of)
          ? `${request.replace('?', '')}: take it step by step. First prepare what you need, then do it carefully, and check the result before you go on with the rest.`
          : 'no no no no no no no no',
      );
    },
  };
}

const WORDS =
  'amber basil cedar delta ember fjord grove heron inlet jetty knoll larch maple north oasis plume'.split(
    ' ',
  );

export function unlikeOthers(number: number): string {
  const words = Array.from(
    { length: 12 },
    (_, n) => WORDS[(number * (n + 3) + n * n * 7 + (number >> n)) % 16],
  );
  return `How do I handle ${words.join(` ${number} `)} of number-${number}?`;
}

export const roundOf = (world: World, context: RunContext, round: number, now = NOW): Promise<PlannedRound> =>
  world.installed({ MODEL_CONCURRENCY: '4', MODEL_ID_REWRITE: 'an-inventor' })(planRound)(context, {
    round,
    now,
  });

export const chunksOf = (world: World, { plan_key: key }: PlannedRound): CandidatePlan[] =>
  linesOf(world.objects.text(key)).map((line) => CandidatePlan.parse(JSON.parse(line)));

export function write(world: World, chunk: CandidatePlan, model: ModelClient, seconds = 900) {
  const clock = createFastClock(10);
  return makeCandidates(
    {
      objects: world.objects,
      runs: world.store.runs,
      unbilled: world.store.unbilled,
      calibrations: { findCalibration: async () => null },
      models: { rewrite: model, answer: model, judge: null, embedder: null },
      callsPerWorker: 4,
      outageSecondsMax: 60,
      clock,
      random: () => 0.5,
    },
    chunk,
    { deadlineMs: clock.now() + seconds * 1000, attempt: crypto.randomUUID() },
  );
}

/** What the machine does. Answers how many rounds it took. */
export async function executeInvention(
  world: World,
  context: RunContext,
  model: ModelClient,
): Promise<number> {
  let round = 0;
  for (;;) {
    const planned = await roundOf(world, context, round);
    if (planned.next === 'candidates') {
      for (const chunk of chunksOf(world, planned)) await write(world, chunk, model);
      round += 1;
      continue;
    }
    if (planned.next === 'languages') {
      for (const line of linesOf(world.objects.text(objectKeys.expansionPlan(context.run_id)))) {
        await translateRows(world, GrowPlan.parse(JSON.parse(line)), translator());
      }
    }
    break;
  }
  await endInvention(world, context);
  return round;
}

export const endInvention = (world: World, context: RunContext): Promise<void> =>
  endGrowthNow(world, context, () => world.use(assembleInvention)(context, NOW));
