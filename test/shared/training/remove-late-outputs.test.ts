import { beforeEach, expect, test } from 'vitest';
import { handler as cancelComparison } from '#functions/api/autoscientist/comparisons/cancel.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { removeLateOutputs as removeLate } from '#shared/training/remove-late-outputs.ts';
import type { ActiveRun } from '#test/helpers/active-run.ts';
import { seedComparable, startComparison } from '#test/helpers/comparing.ts';
import { queueIteration } from '#test/helpers/iterating.ts';
import { eraseDataset, removeLateOutputs } from '#test/helpers/operations.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const MINUTE = 60_000;
const AFTER = 121 * MINUTE;

let now: number;
let world: World;
let active: ActiveRun;
let context: RunContext;

beforeEach(async () => {
  now = NOW;
  world = createWorld(() => now);
  active = await seedComparable(world);
  context = await startComparison(world, active);
});

const outputOf = (attempt = 1): string => objectKeys.trainerOutput(context.run_id, 1, attempt);

/** What a trainer writes: a model twice, a checkpoint, and its report. */
async function writeOutput(attempt = 1): Promise<void> {
  for (const name of ['artifact.tar.gz', 'adapter.gguf', 'checkpoints/1.tar', 'report.json']) {
    await world.objects.write(`${outputOf(attempt)}${name}`, 'x', 'x');
  }
}

const modelsAndCheckpoints = (): string[] =>
  world.objects.keys().filter((key) => /\.tar|\.gguf/.test(key) && key.startsWith('trainings/'));

const cancel = () =>
  world.call(cancelComparison, { as: active.caller, params: { comparison_id: context.run_id } });

test('what a trainer writes after the cancellation of its comparison is removed once no trainer of the attempt can write any more', async () => {
  await queueIteration(world, context);
  const { status } = await cancel();
  await writeOutput();
  const cancelledAt = Date.now();

  expect(status).toBe(200);
  expect(await world.use(removeLateOutputs)(cancelledAt + 119 * MINUTE)).toEqual({
    cleared: 0,
    failures: [],
  });
  expect(modelsAndCheckpoints()).toHaveLength(3);
  expect(await world.use(removeLateOutputs)(cancelledAt + AFTER)).toEqual({ cleared: 1, failures: [] });

  expect(modelsAndCheckpoints()).toEqual([]);
  expect(world.objects.keys()).toContain(`${outputOf()}report.json`);
  expect(await world.use(removeLateOutputs)(cancelledAt + AFTER)).toEqual({ cleared: 0, failures: [] });
});

test('what a trainer writes after the cancellation of its comparison is removed also where its dataset was deleted meanwhile', async () => {
  await queueIteration(world, context);
  await cancel();
  await world.use(eraseDataset)(active.dataset.dataset_id, Date.now());
  await writeOutput();

  expect((await world.use(removeLateOutputs)(Date.now() + AFTER)).cleared).toBe(1);

  expect(modelsAndCheckpoints()).toEqual([]);
});

test('what a trainer writes after the cancellation of its comparison is tried again where it could not be removed, and holds up no other', async () => {
  await queueIteration(world, context);
  await cancel();
  await writeOutput();
  const first = context;
  active = await seedComparable(world);
  context = await startComparison(world, active);
  await queueIteration(world, context);
  await cancel();
  await writeOutput();
  const cause = new Error('throttled');
  const failing = {
    ...world.objects,
    list: (prefix: string) => {
      if (prefix.includes(first.run_id)) throw cause;
      return world.objects.list(prefix);
    },
  };
  const at = Date.now() + AFTER;

  const { cleared, failures } = await removeLate({ trainings: world.store.trainings, objects: failing }, at);

  expect(cleared).toBe(1);
  expect(failures).toEqual([{ experiment_id: first.run_id, iteration: 1, attempt: 1, cause }]);
  expect(await world.use(removeLateOutputs)(at)).toEqual({ cleared: 1, failures: [] });
  expect(modelsAndCheckpoints()).toEqual([]);
});

test('the output of a lost attempt stays while its training goes on, and goes after its end', async () => {
  await queueIteration(world, context);
  await queueIteration(world, context, { attempt: 2 });
  await writeOutput(1);

  expect((await world.use(removeLateOutputs)(now + AFTER)).cleared).toBe(0);
  expect(modelsAndCheckpoints()).toHaveLength(3);

  await world.endRun({ ...context, error: null, billedCredits: 0, now });
  expect((await world.use(removeLateOutputs)(now + AFTER)).cleared).toBe(2);
  expect(modelsAndCheckpoints()).toEqual([]);
});

test('the model of a training that was interrupted is kept, and a later one is removed', async () => {
  const caller = await seedTeam(world.store, 100);
  const dataset = await seedTrainable(world, caller);
  const training = await launchTraining(world, dataset);
  const id = training.experiment_id;
  const queued_at = new Date(now).toISOString();
  const best = { ...bestOf(id), gguf_key: `trainings/${id}/iterations/2/attempts/1/adapter.gguf` };
  await world.objects.write(best.artifact_key, 'x', 'x');
  await world.objects.write(best.gguf_key, 'x', 'x');
  await world.store.trainings.queueAttempt(
    { experiment_id: id, iteration: 3, attempt: 1 },
    { job_key: 'k', queued_at },
  );
  await world.store.trainings.recordProgress(id, { attempt: { iteration: 3, attempt: 1, queued_at } });
  await endTrainingNow(world, training, { best, now });
  await world.objects.write(`trainings/${id}/iterations/3/attempts/1/artifact.tar.gz`, 'x', 'x');

  expect((await world.use(removeLateOutputs)(now + AFTER)).cleared).toBe(1);

  expect(modelsAndCheckpoints().sort()).toEqual([best.gguf_key, best.artifact_key].sort());
});
