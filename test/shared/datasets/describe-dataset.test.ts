import { beforeEach, expect, test } from 'vitest';
import { describeDataset } from '#shared/datasets/describe-dataset.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import { writeRows } from '#test/helpers/active-run.ts';
import { makeRun, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let ids: { dataset_id: string; run_id: string };
let asked: GenerateRequest[];

beforeEach(async () => {
  world = createWorld();
  asked = [];
  const owner = await seedTeam(world.store, 0);
  const dataset = await seedDataset(world.store, owner, { state: 'awaiting_upload' });
  const run = makeRun(dataset, { pipeline: 'ingest', reserved_credits: 0 });
  await world.store.ledger.launch(launchOf(run));
  ids = { dataset_id: dataset.dataset_id, run_id: run.run_id };
  const lines = Array.from({ length: 30 }, (_, row) => JSON.stringify({ question: `question ${row}.` }));
  await writeRows(world, dataset.dataset_id, lines, 20);
});

const modelSaying = (text: string): ModelClient => ({
  modelId: 'a-model',
  generate: async (request) => {
    asked.push(request);
    return { text, finishReason: 'stop', usage: { input_tokens: 1, output_tokens: 1 } };
  },
});
const run = (model: ModelClient | null, runId = ids.run_id) =>
  describeDataset(
    { datasets: world.store.datasets, objects: world.objects, model },
    { ...ids, run_id: runId, now: NOW },
  );
const description = async () => (await world.store.datasets.find(ids.dataset_id))?.description;

test('a description is the one sentence that the model says of column names and the first ten rows', async () => {
  expect(await run(modelSaying('Questions by number. And more.'))).toEqual({ described: true });

  expect(await description()).toBe('Questions by number.');
  const shown = asked[0]?.messages.map(({ content }) => content).join('\n') ?? '';
  expect(shown).toContain('note, question, answer');
  expect(shown).toContain('question 9.');
  expect(shown).not.toContain('question 10.');
});

test('a description stays null where there is no model', async () => {
  expect(await run(null)).toEqual({ described: false });
  expect(await description()).toBeNull();
});

test('a description stays null where the model says nothing', async () => {
  expect(await run(modelSaying('  \n'))).toEqual({ described: false });
  expect(await description()).toBeNull();
});

test('a description of a run that has ended is not kept', async () => {
  expect(await run(modelSaying('Late.'), 'an-earlier-run')).toEqual({ described: false });
  expect(await description()).toBeNull();
});

test('a description that fails is an error, for the machine to pass over', async () => {
  const failing: ModelClient = {
    modelId: 'a-model',
    generate: async () => {
      throw new ModelError('unavailable', 'HTTP 503');
    },
  };

  await expect(run(failing)).rejects.toThrow('HTTP 503');
  expect(await description()).toBeNull();
});
