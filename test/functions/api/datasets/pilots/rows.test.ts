import { beforeEach, expect, test } from 'vitest';
import { handler as rows } from '#functions/api/datasets/pilots/rows.ts';
import { PILOT_TEXT_CHARACTERS_MAX } from '#shared/pilots/schema/pilot.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import {
  endPilotNow,
  type Piloted,
  runPilot,
  SIGNATURES,
  seedQuestions,
  startPilot,
} from '#test/helpers/piloting.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const ARMS = [{}, { brand_controls: { length: 'concise' } }];

let world: World;
let piloted: Piloted;

beforeEach(async () => {
  world = createWorld(() => NOW);
  piloted = await seedQuestions(world);
});

const read = (pilotId: string, query: Record<string, string> = {}, as = piloted.caller) =>
  world.call(rows, { as, params: { dataset_id: piloted.dataset.dataset_id, pilot_id: pilotId }, query });

test('the answers of all arms stand side by side, with their reasons and verdicts', async () => {
  const context = await startPilot(world, piloted, { arms: ARMS, sample_rows: 20 });
  await runPilot(world, context, {
    adapt: (arm) => ({ outcome: arm === 1 ? 'changed' : 'kept' }),
    judge: () => 'before',
  });
  await endPilotNow(world, context);
  const { rows: places } = JSON.parse(world.objects.text(objectKeys.pilotRows(context.run_id)));

  const { body } = await read(context.run_id, { limit: '50' });

  expect(body).toMatchObject({ total: 20 });
  expect(body.items.map(({ row }) => row)).toEqual(places);
  const [first] = body.items;
  expect(first?.request?.text).toContain(`town number ${first?.row}`);
  expect(first?.original?.text).toContain('old mill');
  expect(first?.answers).toMatchObject([
    { arm: 1, outcome: 'changed', code: null, verdict: 'worse' },
    { arm: 2, outcome: 'kept', code: 'sound', message: 'Nothing is wrong.', verdict: 'same' },
  ]);
  expect(first?.answers[0]?.answer?.text).toContain(SIGNATURES[1]);
  expect(first?.answers[1]?.answer?.text).toBe(first?.original?.text);
});

test('pages follow each other, and there is none before the rows are adapted', async () => {
  const context = await startPilot(world, piloted, { arms: [{}], sample_rows: 20 });
  expect((await read(context.run_id)).body).toEqual({ items: [], total: 0 });
  await runPilot(world, context, { adapt: () => ({ outcome: 'kept' }) }, 2);

  const page = (await read(context.run_id, { limit: '15' })).body;
  const last = (await read(context.run_id, { offset: '15', limit: '15' })).body;

  expect([page.items.length, page.total, last.items.length]).toEqual([15, 20, 5]);
  expect(page.items[0]?.answers).toHaveLength(1);
});

test('long answers are cut, between characters', async () => {
  const context = await startPilot(world, piloted, { arms: [{}], sample_rows: 2 });
  const long = `x${'\u{1F600}'.repeat(PILOT_TEXT_CHARACTERS_MAX)}`;
  await runPilot(world, context, {
    adapt: () => ({ outcome: 'changed', cells: { enhanced_prompt: 'p', enhanced_completion: long } }),
    judge: () => 'after',
  });

  const [first] = (await read(context.run_id)).body.items;

  expect(first?.answers[0]?.answer).toMatchObject({ truncated: true });
  expect(first?.answers[0]?.answer?.text).toHaveLength(PILOT_TEXT_CHARACTERS_MAX - 1);
  expect(first?.answers[0]?.answer?.text).toMatch(/\u{1F600}$/u);
});

test('the rows of others are not there', async () => {
  const context = await startPilot(world, piloted);

  expect((await read(context.run_id, {}, strangerTo(piloted.caller))).problem.code).toBe('dataset_not_found');
  expect((await read('nothing')).problem.code).toBe('pilot_not_found');
});
