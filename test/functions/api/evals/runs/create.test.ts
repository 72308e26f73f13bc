import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/evals/runs/create.ts';
import { evals } from '#shared/evals/wire.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { content, seedEval } from '#test/helpers/evaluating.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

const run = (evalId: string, data_source: object, as = owner) =>
  world.call(handler, { as, params: { eval_id: evalId }, body: { data_source } });

test('a run is queued, starts its worker, and does not show the rows of its request again', async () => {
  const { id } = await seedEval(world, owner);
  const { body } = await run(id, { type: 'jsonl', source: content(3, 3) });

  expect(body).toMatchObject({
    id: expect.stringMatching(/^evalrun_[0-9a-f]{32}$/),
    object: 'eval.run',
    eval_id: id,
    name: 'Capitals',
    status: 'queued',
    model: '',
    data_source: { type: 'jsonl', source: { type: 'file_content', content: [] } },
    result_counts: { total: 0, passed: 0, failed: 0, errored: 0 },
    pass_rate: null,
    interval: null,
  });
  expect(body.report_url).toContain(body.id);
  expect(world.invoked).toEqual([
    { functionId: 'consumers/work-eval-run', payload: expect.objectContaining({ team_id: owner.team_id }) },
  ]);
});

test('a run is refused for a model that is not there, of what answers and of what grades', async () => {
  const judge = {
    type: 'score_model',
    name: 'judge',
    model: 'nobody',
    input: [{ role: 'user', content: '{{ sample.output_text }}' }],
  };
  const { id } = await seedEval(world, owner);
  const judged = await seedEval(world, owner, { testing_criteria: [judge] });
  const asking = {
    type: 'completions',
    source: content(1, 1),
    input_messages: { type: 'template', template: [{ role: 'user', content: '{{ item.question }}' }] },
  };

  expect((await run(id, { ...asking, model: 'gpt-4o' })).problem.code).toBe('model_not_found');
  expect((await run(judged.id, { type: 'jsonl', source: content(1, 1) })).problem.code).toBe(
    'model_not_found',
  );
  expect((await run(id, { ...asking, model: 'scripted' })).status).toBe(200);
});

test('a run refuses what its model cannot be asked, by the path', async () => {
  const { id } = await seedEval(world, owner);
  const asking = {
    type: 'completions',
    source: content(1, 1),
    model: 'scripted',
    input_messages: { type: 'item_reference', item_reference: 'item.input' },
  };
  const param = async (data_source: object) => (await run(id, data_source)).problem.error?.param;

  expect(
    await param({
      ...asking,
      sampling_params: { response_format: { type: 'json_schema', json_schema: {} } },
    }),
  ).toContain('data_source.sampling_params.text.format');
  expect(
    await param({ ...asking, input_messages: { type: 'item_reference', item_reference: 'row.input' } }),
  ).toContain('data_source.input_messages');
  const long = Array.from({ length: 4 }, () => ({ role: 'user', content: 'x'.repeat(90_000) }));
  expect(await param({ ...asking, input_messages: { type: 'template', template: long } })).toBe(
    'data_source',
  );
  const image = { type: 'input_image', image_url: 'https://example.com/a.png' };
  const shown = { type: 'template', template: [{ role: 'user', content: image }] };
  const words = async (changes: object) => (await run(id, { ...asking, ...changes })).problem.message;
  expect(await words({ input_messages: shown })).toContain('images and audio are not taken');
  expect(await words({ source: { type: 'stored_completions' } })).toContain(
    'chat completions are not stored',
  );
  expect(await param({ type: 'responses', source: content(1, 1) })).toBe('data_source.model');
});

test('a file of a run is read by keys that may read rows, of its own team', async () => {
  const { id } = await seedEval(world, owner);
  const file = await seedRows(world, owner, { question: 'VARCHAR' }, ['{"question":"q"}']);
  const source = { type: 'jsonl', source: { type: 'file_id', id: fileIdOf(file.dataset_id) } };
  const other = await seedTeam(world.store, 100);
  const foreign = await seedEval(world, other);

  expect((await run(id, source)).status).toBe(200);
  expect((await run(id, source, { ...owner, scopes: ['responses'] })).problem.code).toBe('scope_missing');
  expect((await run(foreign.id, source, other)).problem.code).toBe('dataset_not_found');
});

test('a file that cannot be read starts no run, and says why', async () => {
  const { id } = await seedEval(world, owner);
  const { dataset_id } = await seedDataset(world.store, owner, {
    state: 'failed',
    row_count: null,
    error_data: { code: 'file_unreadable', level: 'error', message: 'Line 3 is no JSON.' },
  });

  const { problem } = await run(id, { type: 'jsonl', source: { type: 'file_id', id: fileIdOf(dataset_id) } });

  expect(problem.message).toContain('data_source.source.id: cannot be read: Line 3 is no JSON.');
});

test('stored responses are read by keys that may read rows: all keys of the team have asked for them', async () => {
  const { id } = await seedEval(world, owner);
  const source = { type: 'responses', source: { type: 'responses' } };

  expect((await run(id, source, { ...owner, scopes: ['responses'] })).problem.code).toBe('scope_missing');
});

test('a team has two runs with programs at a time, those within other graders too, and others beside them', async () => {
  const code = { type: 'python', name: 'code', source: 'def grade(sample, item): return 1' };
  const { id } = await seedEval(world, owner, {
    testing_criteria: [{ type: 'multi', name: 'all', graders: { code }, calculate_output: 'code' }],
  });
  const plain = await seedEval(world, owner);
  for (let n = 0; n < 2; n += 1) await run(id, { type: 'jsonl', source: content(1, 1) });
  expect(world.invoked).toHaveLength(2);

  expect((await run(id, { type: 'jsonl', source: content(1, 1) })).body.status).toBe('queued');
  expect(world.invoked).toHaveLength(2);
  expect((await run(plain.id, { type: 'jsonl', source: content(1, 1) })).status).toBe(200);
  expect(world.invoked).toHaveLength(3);
});

test('a run takes functions as tools, and nothing that could hold a credential', async () => {
  const { id } = await seedEval(world, owner);
  const sampling_params = { tools: [{ type: 'mcp', server_label: 'a', authorization: 'Bearer secret' }] };

  const { problem } = await run(id, {
    type: 'completions',
    model: 'scripted',
    source: content(1, 1),
    input_messages: { type: 'item_reference', item_reference: 'item.input' },
    sampling_params,
  });

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.message).toContain('must be a function');
});

test('a run that cannot be queued leaves no rows that nobody knows of, also if the process dies as it tidies up', async () => {
  const { id } = await seedEval(world, owner);
  vi.spyOn(world.objects, 'remove').mockRejectedValue(new Error('The process died.'));
  const send = world.table.client.send.bind(world.table.client) as (command: unknown) => Promise<unknown>;
  vi.spyOn(world.table.client, 'send').mockImplementation(((command: unknown) =>
    JSON.stringify((command as { input?: unknown }).input).includes('QUEUED_EVAL_RUNS')
      ? Promise.reject(new Error('It is refused.'))
      : send(command)) as never);
  const data_source = { type: 'jsonl', source: content(1, 1) };

  const { status } = await world.call(handler, { as: owner, params: { eval_id: id }, body: { data_source } });

  vi.restoreAllMocks();
  expect(status).toBe(500);
  const repository = world.use(evals('read'));
  const [head] = await repository.list(owner.team_id);
  const runs = await repository.listRuns(owner.team_id, head?.eval_id ?? '');
  const rows = world.objects.keys().filter((key) => key.startsWith('evals/'));
  expect(rows).toHaveLength(1);
  expect(runs.map(({ run_id }) => run_id)).toEqual([rows[0]?.split('/')[2]]);
});

test('a run over stored responses reads those with the metadata of its eval, beside its own', async () => {
  const of = async (wanted: object | null, source: object) => {
    const { id } = await seedEval(world, owner, {
      data_source_config: { type: 'logs', ...(wanted === null ? {} : { metadata: wanted }) },
    });
    return run(id, { type: 'responses', source: { type: 'responses', ...source } });
  };
  const read = async (wanted: object | null, source: object) =>
    (await of(wanted, source)).body.data_source.source;

  expect(await read({ usecase: 'chatbot' }, { limit: 2 })).toEqual({
    type: 'responses',
    limit: 2,
    metadata: { usecase: 'chatbot' },
  });
  expect(await read({ usecase: 'chatbot' }, { metadata: { of: 'a', usecase: 'chatbot' } })).toMatchObject({
    metadata: { of: 'a', usecase: 'chatbot' },
  });
  expect(await read(null, { metadata: { of: 'a' } })).toMatchObject({ metadata: { of: 'a' } });
  const { status, problem } = await of({ usecase: 'chatbot' }, { metadata: { usecase: 'search' } });
  expect(status).toBe(400);
  expect(problem.error?.param).toBe('data_source.source.metadata');
  const ofNumber = await of(null, { metadata: { usecase: 1 } });
  expect([ofNumber.status, ofNumber.problem.error?.param]).toEqual([
    400,
    'data_source.source.metadata.usecase',
  ]);
});

test('a run whose messages name an answer, or nothing of a row, is refused before a model is asked', async () => {
  const { id } = await seedEval(world, owner);
  const refuse = async (text: string) => {
    const input_messages = { type: 'template', template: [{ role: 'user', content: text }] };
    const source = { type: 'completions', model: 'scripted', source: content(1, 0), input_messages };
    return (await run(id, source)).problem.error?.param;
  };

  const path = 'data_source.input_messages.template[0].content';
  expect([await refuse('{{ sample.output_text }}'), await refuse('{{ question }}')]).toEqual([path, path]);
});
