import { randomUUID } from 'node:crypto';
import { handler as createEval } from '#functions/api/evals/create.ts';
import { handler as createEvalRun } from '#functions/api/evals/runs/create.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { administration } from '#shared/access/wire.ts';
import type { EvalRunRecord } from '#shared/evals/decide/records.ts';
import { evals } from '#shared/evals/wire.ts';
import { type WorkEvalRunPorts, workEvalRun } from '#shared/evals/work-eval-run.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { AccessAdministration } from '#shared/platform/access/repository.ts';
import type { ModelResponse, ResponseEvent } from '#shared/responses/schema/response.ts';
import type { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { verdicts } from '#shared/review/wire.ts';
import type { World } from './world.ts';

/** Whether an answer contains the one that the row has. */
export const CONTAINS = {
  type: 'string_check',
  name: 'contains',
  input: '{{ sample.output_text }}',
  reference: '{{ item.answer }}',
  operation: 'ilike',
} as const;

export const EVAL = {
  name: 'Capitals',
  data_source_config: { type: 'custom', item_schema: { type: 'object' }, include_sample_schema: true },
  testing_criteria: [CONTAINS],
};

export const seedEval = async (world: World, as: Caller, fields: object = {}) =>
  (await world.call(createEval, { as, body: { ...EVAL, ...fields } })).body;

/** Rows with answers, the first `right` of which are right. */
export const content = (rows: number, right: number) => ({
  type: 'file_content',
  content: Array.from({ length: rows }, (_, n) => ({
    item: { question: `q${n}`, answer: `a${n}.` },
    sample: { output_text: n < right ? `It is a${n}.` : 'No.' },
  })),
});

const seeded = new WeakMap<World, Map<string, Promise<void>>>();

/** Keeps the key and the plan of a caller, which workers look up. */
export async function keepKey(
  access: Pick<AccessAdministration, 'savePlan' | 'createKey'>,
  { plan, ...caller }: Caller,
): Promise<void> {
  await access.savePlan(plan);
  await access.createKey({
    ...caller,
    key_hash: randomUUID(),
    ending: 'abcd',
    created_at: new Date(0).toISOString(),
    revoked_at: null,
  });
}

/** Keeps the key and the plan of a caller, which workers look up, once. */
export function seedKey(world: World, { plan, ...caller }: Caller): Promise<void> {
  const known = seeded.get(world) ?? new Map<string, Promise<void>>();
  seeded.set(world, known);
  const made =
    known.get(caller.key_id) ?? keepKey(createAccessAdministration(world.table), { plan, ...caller });
  known.set(caller.key_id, made);
  return made;
}

export async function seedRun(world: World, as: Caller, evalId: string, data_source: object) {
  return (await world.call(createEvalRun, { as, params: { eval_id: evalId }, body: { data_source } })).body;
}

/** A model that answers `answerOf` of the last message, or fails. */
export function answering(
  answerOf: (asked: string, request: CreateResponseRequest) => string | Error,
): WorkEvalRunPorts['respond'] {
  return async function* ({ request }) {
    const { input, model } = request;
    const last = Array.isArray(input) ? (input.at(-1) as { content?: unknown }).content : input;
    const answer = answerOf(String(last), request);
    if (answer instanceof Error) throw answer;
    const response = {
      id: 'resp_0a1b2c',
      object: 'response',
      created_at: 1,
      incomplete_details: null,
      model,
      status: 'completed',
      temperature: request.temperature ?? 1,
      top_p: 1,
      max_output_tokens: null,
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: answer, annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        total_tokens: 15,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    } as unknown as ModelResponse;
    yield { type: 'response.completed', response } as ResponseEvent;
  };
}

/** A clock whose waits are `sleep`; what waits until the work is over does so. */
export const clockOf = (
  sleep: (milliseconds: number) => Promise<void>,
  now: () => number = Date.now,
): WorkEvalRunPorts['clock'] => ({
  now,
  sleep: (milliseconds, signal) =>
    signal === undefined
      ? sleep(milliseconds)
      : new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
});

/** Works on the last run that was started, as its function does. */
export async function workRun(
  world: World,
  changes: Partial<WorkEvalRunPorts> = {},
  deadline = Date.now() + 900_000,
): Promise<{ status: string }> {
  const started = world.invoked.findLast(({ functionId }) => functionId === 'consumers/work-eval-run');
  if (started === undefined) throw new Error('No run of an eval was started.');
  const { team_id, eval_id, run_id } = started.payload as Pick<
    EvalRunRecord,
    'team_id' | 'eval_id' | 'run_id'
  >;
  const run = await world.use(evals('read')).findRun(team_id, eval_id, run_id);
  if (run !== null) await seedKey(world, run.caller);
  return workEvalRun(
    {
      ...world.store,
      objects: world.objects,
      evals: world.use(evals('write')),
      verdicts: world.use(verdicts('read')),
      respond: answering(() => 'Yes.'),
      runCode: async () => ({ ran: [] }),
      start: async () => undefined,
      clock: clockOf(async () => undefined),
      random: () => 0,
      newId: randomUUID,
      access: world.use(administration),
      onFailure: () => undefined,
      ...changes,
    },
    { team_id, eval_id, run_id },
    deadline,
  );
}
