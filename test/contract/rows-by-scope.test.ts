import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import { SCOPES, type Scope } from '#shared/platform/schema/scope.ts';
import { theConnections } from '#shared/platform/wire.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { assembleIteration } from '#shared/training/compare-iteration.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { iterateComparison, seedComparable, startComparison } from '#test/helpers/comparing.ts';
import { seedEval, seedRun } from '#test/helpers/evaluating.ts';
import { jobParams } from '#test/helpers/fine-tuning.ts';
import { loadHandler } from '#test/helpers/handlers.ts';
import { deliverIteration, queueIteration } from '#test/helpers/iterating.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { pathParams } from '#test/helpers/path-params.ts';
import { bodies, forms, queries } from '#test/helpers/sample-bodies.ts';
import { launchTraining } from '#test/helpers/training.ts';
import { createWorld } from '#test/helpers/world.ts';

/** Stands in each row, and nowhere else. */
const MARKER = 'Zyzzogeton';
const line = (row: number): string =>
  JSON.stringify({ note: row, question: `${MARKER} ${row}?`, answer: `${MARKER} has ${row}.` });

const handlers = new Map<string, ServedHandler>();
beforeAll(async () => {
  for (const contract of contracts) handlers.set(contract.id, await loadHandler(contract));
});

/** A team with an adapted dataset, a training of it with its metrics, and a comparison, whose rows have the marker. */
async function seedAll() {
  const world = createWorld(Date.now, [standIn(theConnections, async () => 'hf_token')]);
  const active = await seedComparable(world, {
    line,
    result: (row) => ({
      row,
      outcome: 'changed',
      cells: { enhanced_prompt: `${MARKER} ${row}?`, enhanced_completion: `${MARKER} has ${row}, it seems.` },
      tokens: { input: 1, output: 1 },
      calls: 1,
    }),
  });
  const { caller } = active;
  const answer = (_won: boolean, row: number): string => `${MARKER} has ${row}.`;
  const comparison = await startComparison(world, active);
  await iterateComparison(world, comparison, { wins: 9, answer });
  const types = { note: 'BIGINT', question: 'VARCHAR', answer: 'VARCHAR' };
  const lines = Array.from({ length: 60 }, (_, row) => line(row));
  const training = await launchTraining(world, await seedRows(world, caller, types, lines), {
    recommended: [{ method: 'sft', hyperparams: { n_epochs: 2, batch_size: 'max', learning_rate: 0.001 } }],
  });
  const context = {
    run_id: training.experiment_id,
    dataset_id: training.dataset_id,
    team_id: training.team_id,
  };
  const job = await queueIteration(world, context);
  await deliverIteration(world, job, 9, {}, (won, row) => ({
    base: answer(won, row),
    tuned: answer(won, row),
  }));
  const { iteration, attempt } = job;
  const ports = { ...world.store, objects: world.objects, judgeId: null };
  await assembleIteration(ports, { ...context, iteration, attempt }, null);
  const { dataset_id } = active.dataset;
  const ofEval = await seedEval(world, caller);
  const source = { type: 'file_id', id: fileIdOf(training.dataset_id) };
  const { id } = await seedRun(world, caller, ofEval.id, { type: 'jsonl', source });
  const known: Readonly<Record<string, string>> = {
    dataset_id,
    file_id: fileIdOf(dataset_id),
    experiment_id: training.experiment_id,
    comparison_id: comparison.run_id,
    ...jobParams(training),
    eval_id: ofEval.id,
    run_id: id,
  };
  return { world, caller, known };
}

/** Reads come first, and what deletes comes last. */
const ORDER = ['GET', 'POST', 'DELETE'];
const inOrder = contracts.toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));

/** The endpoints that show the marker to a key of these scopes. */
async function shownTo(scopes: readonly Scope[], asked = inOrder): Promise<string[]> {
  const { world, caller, known } = await seedAll();
  const shown: string[] = [];
  for (const contract of asked) {
    const { id } = contract;
    const params = { ...pathParams(contract, randomUUID()), ...known };
    const named = Object.keys(pathParams(contract, randomUUID()));
    const { text } = await world.call(handlers.get(id) as ServedHandler, {
      as: { ...caller, scopes: [...scopes] },
      params: Object.fromEntries(named.map((name) => [name, params[name] ?? ''])),
      ...(id in bodies ? { body: bodies[id] } : {}),
      ...(id in forms ? { form: forms[id] } : {}),
      ...(id in queries ? { query: queries[id] ?? {} } : {}),
    });
    if (text.includes(MARKER)) shown.push(id);
  }
  return shown;
}

test.each(SCOPES.filter((scope) => scope !== 'datasets:read'))(
  'no endpoint shows a text of a row to a key that has the scope %s alone',
  async (scope) => {
    expect(await shownTo([scope])).toEqual([]);
  },
);

test('a key with all scopes is shown the texts of rows by the endpoints that are for them', async () => {
  const ids = ['datasets.rows.list', 'autoscientist.metrics', 'autoscientist.comparisons.get'];
  const asked = inOrder.filter(({ id }) => ids.includes(id));
  expect((await shownTo(SCOPES, asked)).toSorted()).toEqual(ids.toSorted());
});
