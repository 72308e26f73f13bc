import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/runs/output-items/get.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { content, seedEval, seedRun, workRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('an output item has the row, the answer and what each grader says', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(25, 1) });
  await workRun(world);
  const itemId = `${run.id.replace('evalrun_', 'outputitem_')}_22`;
  const read = (output_item_id: string, as = owner) =>
    world.call(handler, { as, params: { eval_id: id, run_id: run.id, output_item_id } });

  expect((await read(itemId)).body).toMatchObject({
    id: itemId,
    status: 'fail',
    datasource_item: { question: 'q22', answer: 'a22.' },
    results: [{ name: 'contains', type: 'string_check', score: 0, passed: false, error: null }],
    sample: { model: '', output: [{ role: 'assistant', content: 'No.' }] },
  });
  expect((await read(`${itemId}2`)).problem.code).toBe('eval_not_found');
  expect((await read(itemId, strangerTo(owner))).problem.code).toBe('eval_not_found');
});
