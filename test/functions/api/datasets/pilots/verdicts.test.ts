import { beforeEach, expect, test } from 'vitest';
import { handler as verdicts } from '#functions/api/datasets/pilots/verdicts.ts';
import { startRun } from '#test/helpers/active-run.ts';
import { endPilotNow, type Piloted, runPilot, seedQuestions, startPilot } from '#test/helpers/piloting.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let piloted: Piloted;

beforeEach(async () => {
  world = createWorld(() => NOW);
  piloted = await seedQuestions(world);
});

const send = (pilot_id: string, body: object, as = piloted.caller) =>
  world.call(verdicts, {
    as,
    params: { dataset_id: piloted.dataset.dataset_id, pilot_id },
    body: body as never,
  });

/** A pilot of one arm whose answers are compared. */
async function endedPilot(): Promise<string> {
  const context = await startPilot(world, piloted, { arms: [{ name: 'One' }], sample_rows: 40 });
  await runPilot(world, context, { adapt: () => ({ outcome: 'changed' }), judge: () => 'after' });
  await endPilotNow(world, context);
  return context.run_id;
}

test('verdicts on the pairs that were named bring the win rate of all pairs', async () => {
  const pilotId = await endedPilot();
  const { body: first } = await send(pilotId, { verdicts: [], next: 40 });
  const [arm] = first.arms;
  const given = (arm?.next ?? []).slice(0, 32).map((row, place) => ({
    arm: 1,
    row,
    verdict: place % 5 === 0 ? 'worse' : 'better',
  }));

  const { status, body } = await send(pilotId, { verdicts: given });

  expect(status).toBe(200);
  expect(arm).toMatchObject({ arm: 1, pairs: 40, missing: 30, result: null });
  expect(body.arms).toMatchObject([{ verdicts: 32, drawn: 32, missing: 0, result: { is_better: true } }]);
  expect(body.arms[0]?.result?.win_rate).toBeCloseTo(0.78, 1);
  expect(body.arms[0]?.next).toEqual((arm?.next ?? []).slice(32));
});

test('a verdict on a row that is no pair is refused with its place', async () => {
  const pilotId = await endedPilot();

  const { status, problem } = await send(pilotId, { verdicts: [{ arm: 1, row: 999, verdict: 'better' }] });

  expect([status, problem.details[0]?.path]).toEqual([400, 'verdicts.0.row']);
  expect((await send(pilotId, { verdicts: [], next: 51 })).status).toBe(400);
});

test('a pilot that is active, a run that is none, and one of another team are refused', async () => {
  const { run_id: active } = await startPilot(world, piloted, { arms: [{}], sample_rows: 10 });
  const other = await pilotOfOther();
  const { run } = await startRun(world);

  expect((await send(active, { verdicts: [] })).problem.code).toBe('pilot_running');
  expect((await send(run.run_id, { verdicts: [] })).problem.code).toBe('pilot_not_found');
  expect((await send(other, { verdicts: [] })).problem.code).toBe('pilot_not_found');
  expect((await send(active, { verdicts: [] }, strangerTo(piloted.caller))).status).toBe(404);
});

/** A pilot of another dataset. */
async function pilotOfOther(): Promise<string> {
  const other = await seedQuestions(world);
  const context = await startPilot(world, other, { arms: [{}], sample_rows: 10 });
  return context.run_id;
}
