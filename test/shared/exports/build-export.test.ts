import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { assembleResults } from '#shared/adaptation/assemble-results.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import { type BuildExportPorts, buildExport, buildExportsOfRun } from '#shared/exports/build-export.ts';
import { safetyCell } from '#shared/judging/decide/safety/safety-scores.ts';
import type { ExportFormat, ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import {
  type ActiveRun,
  answerOf,
  endRunNow,
  finishBatches,
  linesOf,
  questionOf,
  requestOf,
  resultOf,
  resultsOf,
  startRun,
  writeResults,
  writeRows,
} from '#test/helpers/active-run.ts';
import { PNG } from '#test/helpers/images.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';
import { query } from '../tabular/adapters/harness.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const ports = (): BuildExportPorts => ({
  datasets: world.store.datasets,
  runs: world.store.runs,
  objects: world.objects,
  claims: world.store.claims,
  exportRows,
});

/** The text of the export that a download of the format would answer. */
async function built({ dataset }: Pick<ActiveRun, 'dataset'>, format: ExportFormat): Promise<string> {
  const { dataset_id, team_id } = dataset;
  return world.objects.text((await buildExport(ports(), { dataset_id, team_id, format })).key);
}

const COLUMNS = [
  'question',
  'answer',
  'enhanced_prompt',
  'enhanced_completion',
  'note',
  'prompt_safety_issues',
  'response_safety_issues',
];

test('the export of an adapted dataset has the reasoning in a column of its own, where it was asked for', async () => {
  const request = { recipe_specification: { recipes: { reasoning_traces: true } } };
  const active = await startRun(world, { rows: 2, request });
  const [batch] = active.batches;
  const results = resultsOf(batch as NonNullable<typeof batch>, () => 'changed').map((result) => ({
    ...result,
    cells: { ...result.cells, reasoning_trace: result.row === 0 ? 'step by step' : null },
  }));
  await writeResults(world, objectKeys.result(active.run.run_id, 0), results);
  await endRunNow(world, active);

  const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line));

  expect(Object.keys(rows[0])).toEqual([...COLUMNS.slice(0, 4), 'reasoning_trace', ...COLUMNS.slice(4)]);
  expect(rows.map(({ reasoning_trace: trace }) => trace)).toEqual(['step by step', null]);
});

test.each(['flag', 'correct', undefined] as const)(
  'the export of an adapted dataset has columns of doubts where a model was asked: verification %s',
  async (verification) => {
    const recipes = verification === undefined ? {} : { verification };
    const active = await startRun(world, { rows: 3, request: { recipe_specification: { recipes } } });
    const [batch] = active.batches;
    const results = resultsOf(batch as NonNullable<typeof batch>, () => 'kept').map((result) => ({
      ...result,
      cells: {
        ...result.cells,
        ...(result.row === 1 ? { doubt: '0.94', doubt_reasons: 'It "fails".' } : {}),
      },
    }));
    await writeResults(world, objectKeys.result(active.run.run_id, 0), results);
    await endRunNow(world, active);
    const hasColumns = verification !== undefined;

    const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line));
    const [head, , second] = linesOf(await built(active, 'csv'));

    expect(Object.keys(rows[0])).toEqual([...COLUMNS, ...(hasColumns ? ['doubt', 'doubt_reasons'] : [])]);
    expect(rows.map(({ doubt }) => doubt)).toEqual(
      hasColumns ? [null, 0.94, null] : [undefined, undefined, undefined],
    );
    expect(rows[1].doubt_reasons).toBe(hasColumns ? 'It "fails".' : undefined);
    expect(head?.endsWith(',doubt,doubt_reasons')).toBe(hasColumns);
    expect(second?.endsWith(',0.94,"It ""fails""."')).toBe(hasColumns);
  },
);

test('the export of an adapted dataset for trainers has what the run wrote, in the form of each', async () => {
  const active = await startRun(world, { rows: 1 });
  const [batch] = active.batches;
  const results = resultsOf(batch as NonNullable<typeof batch>, () => 'changed');
  await writeResults(world, objectKeys.result(active.run.run_id, 0), results);
  await endRunNow(world, active);
  const { enhanced_prompt: asked, enhanced_completion: answer } = JSON.parse(await built(active, 'jsonl'));

  expect(JSON.parse(await built(active, 'openai'))).toEqual({
    messages: [
      { role: 'user', content: asked },
      { role: 'assistant', content: answer },
    ],
  });
  expect(JSON.parse(await built(active, 'sharegpt'))).toEqual({
    conversations: [
      { from: 'human', value: asked },
      { from: 'gpt', value: answer },
    ],
  });
  expect(JSON.parse(await built(active, 'alpaca'))).toEqual({
    instruction: asked,
    input: '',
    output: answer,
  });
  expect(JSON.parse(await built(active, 'trl'))).toEqual({
    prompt: [{ role: 'user', content: asked }],
    completion: [{ role: 'assistant', content: answer }],
  });
});

test('the export of an adapted dataset for trainers has the files that tell them how to read it', async () => {
  const pairs = await startRun(world, { rows: 1, request: { training_type: 'preference_pairs' } });
  await endRunNow(world, pairs);
  const info = async (active: ActiveRun) =>
    Object.entries(JSON.parse(await built(active, 'dataset_info')) as Record<string, object>);

  const [[name, entry] = ['', {}]] = await info(pairs);
  expect(entry).toMatchObject({
    file_name: `${name}.sharegpt.jsonl`,
    formatting: 'sharegpt',
    ranking: true,
    columns: { messages: 'conversations', chosen: 'chosen', rejected: 'rejected' },
    tags: { role_tag: 'from', content_tag: 'value', user_tag: 'human', assistant_tag: 'gpt' },
  });
  expect(await built(pairs, 'axolotl')).toBe(
    `rl: dpo\ndatasets:\n  - path: "${name}.trl.jsonl"\n    ds_type: json\n    split: train\n    type: chat_template.default\n    field_messages: prompt\n    field_chosen: chosen\n    field_rejected: rejected\n`,
  );
  const active = await startRun(world, { rows: 1 });
  await endRunNow(world, active);
  expect((await info(active))[0]?.[1]).not.toHaveProperty('ranking');
  expect(await built(active, 'axolotl')).toContain(
    'openai.jsonl"\n    ds_type: json\n    type: chat_template\n',
  );
});

test('the export of an adapted dataset has both answers of preference pairs, and none where there was no clear winner', async () => {
  const active = await startRun(world, { rows: 2, request: { training_type: 'preference_pairs' } });
  const [batch] = active.batches;
  const results = resultsOf(batch as NonNullable<typeof batch>, () => 'changed').map((result) => ({
    ...result,
    cells: {
      ...result.cells,
      chosen: result.row === 0 ? 'good' : null,
      rejected: result.row === 0 ? 'bad' : null,
    },
  }));
  await writeResults(world, objectKeys.result(active.run.run_id, 0), results);
  await endRunNow(world, active);

  const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line));

  expect(Object.keys(rows[0])).toEqual([...COLUMNS.slice(0, 4), 'chosen', 'rejected', ...COLUMNS.slice(4)]);
  expect(rows).toMatchObject([
    { chosen: 'good', rejected: 'bad' },
    { chosen: null, rejected: null },
  ]);
});

test('the export of an adapted dataset has the mapped columns, their enhanced texts, then the others, in every row', async () => {
  const active = await startRun(world, { rows: 30 });
  await finishBatches(world, active, (row) => (row % 2 === 0 ? 'changed' : 'kept'));
  await endRunNow(world, active);

  const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line));

  expect(rows).toHaveLength(30);
  for (const row of rows) expect(Object.keys(row)).toEqual(COLUMNS);
  expect(rows[4]).toEqual({
    question: questionOf(4),
    answer: answerOf(4),
    enhanced_prompt: `better ${questionOf(4)}`,
    enhanced_completion: `better ${answerOf(4)}`,
    note: 4,
    prompt_safety_issues: null,
    response_safety_issues: null,
  });
  expect(rows[5]).toMatchObject({ enhanced_prompt: questionOf(5), enhanced_completion: answerOf(5) });
});

test('the export of an adapted dataset says in the safety columns of rows that max_rows left out that they were not scored', async () => {
  const request = {
    column_mapping: { prompt: 'question', completion: 'answer' },
    job_specification: { max_rows: 3 },
    brand_controls: { safety_categories: ['hate' as const] },
  };
  const active = await startRun(world, { rows: 30, request });
  for (const batch of active.batches) {
    const results = resultsOf(batch, () => 'changed').map((result) => ({
      ...result,
      cells:
        result.outcome === 'changed'
          ? { ...result.cells, prompt_safety_issues: '{}', response_safety_issues: '{}' }
          : (result.cells ?? {}),
    }));
    await writeResults(world, objectKeys.result(active.run.run_id, batch.n), results);
  }
  await endRunNow(world, active);

  const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line));

  const cell = safetyCell('not_selected');
  const scored = rows.filter(({ prompt_safety_issues: prompt }) => prompt === '{}');
  const left = rows.filter((row) => row.prompt_safety_issues === cell && row.response_safety_issues === cell);
  expect([scored.length, left.length]).toEqual([3, 27]);
});

test('the export of an adapted dataset says the same in csv, json and jsonl', async () => {
  const active = await startRun(world, { rows: 30 });
  await finishBatches(world, active);
  await endRunNow(world, active);

  const [header, firstRow] = (await built(active, 'csv')).split('\r\n').flatMap((line) => line.split('\n'));
  const json = JSON.parse(await built(active, 'json'));
  const jsonl = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line));

  expect(header?.split(',')).toEqual(COLUMNS);
  const [asked, answered] = [questionOf(0), answerOf(0)];
  expect(firstRow).toContain(`${asked},${answered},better ${asked},better ${answered},0`);
  expect(json).toEqual(jsonl);
});

test('the export of an adapted dataset is Parquet where that is asked for', async () => {
  const active = await startRun(world, { rows: 30 });
  await finishBatches(world, active);
  await endRunNow(world, active);

  const text = await built(active, 'parquet');

  expect(text.startsWith('PAR1')).toBe(true);
  expect(text.endsWith('PAR1')).toBe(true);
});

test('the export of an adapted dataset gives cells back exactly as they came', async () => {
  const notes = ['12345678901234567890', '1.50', '[{"role":"user","content":"é\\u0000"}]', 'null'];
  const active = await startRun(world, {
    rows: notes.length,
    line: (row) => `{"question":"q${row}","answer":"a${row}","note":${notes[row]}}`,
  });
  await finishBatches(world, active);
  await endRunNow(world, active);

  const lines = linesOf(await built(active, 'jsonl'));

  for (const [row, note] of notes.entries()) expect(lines[row]).toContain(`"note":${note},`);
});

test('the export of an adapted dataset leaves rows out that were dropped, and keeps those that max_rows left out', async () => {
  const active = await startRun(world, {
    rows: 200,
    request: { job_specification: { max_rows: 20 } },
  });
  const [first] = active.batches;
  const dropped = (first?.first_row ?? 0) + (first?.selected?.[0] ?? 0);
  await finishBatches(world, active, (row) => (row === dropped ? 'dropped' : 'changed'));
  await endRunNow(world, active);

  const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line) as { note: number });

  expect(rows.map(({ note }) => note)).toEqual(
    Array.from({ length: 200 }, (_, row) => row).filter((row) => row !== dropped),
  );
  expect(rows.filter((row) => JSON.stringify(row).includes('better'))).toHaveLength(19);
});

test('the export of an adapted dataset of a run that failed holds the rows that it finished, and no others', async () => {
  const active = await startRun(world, { rows: 60, chunkRows: 30 });
  await finishBatches(world, { ...active, batches: active.batches.slice(0, 1) });
  await writeResults(world, `${objectKeys.checkpoints(active.run.run_id, 1)}a.jsonl`, [
    resultOf(40),
    resultOf(35),
    resultOf(36, 'failed'),
  ]);
  await assembleResults(world.objects, active.run, requestOf(world, active), 60);
  await endRunNow(world, active, 'failed');

  const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line) as { note: number });

  expect(rows.map(({ note }) => note)).toEqual([...Array.from({ length: 30 }, (_, row) => row), 35, 40]);
});

test('the export of an adapted dataset of a run that failed holds no row that its sample left out', async () => {
  const request = { job_specification: { max_rows: 6 } };
  const active = await startRun(world, { rows: 60, chunkRows: 30, request });
  const [first] = active.batches;
  await finishBatches(world, { ...active, batches: active.batches.slice(0, 1) });
  await assembleResults(world.objects, active.run, requestOf(world, active), 60);
  await endRunNow(world, active, 'failed');

  const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line) as { note: number });

  // The sample of some datasets lies in their second chunk alone.
  expect(rows.map(({ note }) => note)).toEqual(first?.selected?.map((place) => first.first_row + place));
});

describe('the export of a dataset with an image in its context', () => {
  const cells = [
    JSON.stringify({ bytes: PNG, path: 'a.png' }),
    '"images/cat.png"',
    '"images/gone.png"',
    '"https://example.com/dog.png"',
    'null',
  ];

  async function exported(format: ExportFormat, imageFormat: ImageColumnFormat): Promise<string> {
    const active = await startRun(world, {
      rows: cells.length,
      line: (row) => `{"question":"q${row}","answer":"a${row}","note":${cells[row]}}`,
      request: { column_mapping: { prompt: 'question', completion: 'answer', image: 'note' } },
      dataset: { image_column_formats: { note: imageFormat } },
    });
    const { dataset_id } = active.dataset;
    const manifest = world.objects.text(objectKeys.manifest(dataset_id)).replace('BIGINT', 'JSON');
    await world.objects.write(objectKeys.manifest(dataset_id), manifest, 'application/json');
    await world.objects.write(objectKeys.file(dataset_id, 'images/cat.png'), 'x', 'image/png');
    await finishBatches(world, active);
    await endRunNow(world, active);
    return built(active, format);
  }
  const imagesOf = (text: string) =>
    linesOf(text).map((line) => (JSON.parse(line) as { original_image: unknown }).original_image);

  test('the export of a dataset with an image in its context has bytes of what is embedded, links to files that are there, links of others, and else null', async () => {
    const [embedded, file, ...others] = imagesOf(await exported('jsonl', 'file_reference'));

    expect(embedded).toEqual({ bytes: PNG, path: null });
    const url = new URL(String(file));
    expect([url.protocol, url.searchParams.get('expires'), url.searchParams.get('type')]).toEqual([
      'https:',
      '3600',
      'image/png',
    ]);
    expect(url.pathname).toMatch(/\/files\/images\/cat\.png$/);
    expect(others).toEqual([null, 'https://example.com/dog.png', null]);
  });

  test('the export of a dataset with an image in its context makes no link that would outlive its half hour where images are embedded', async () => {
    expect(imagesOf(await exported('jsonl', 'embedded_bytes'))[1]).toBeNull();
  });

  test('the export of a dataset with an image in its context writes bytes as JSON text into csv, after the source columns', async () => {
    const [header, first] = (await exported('csv', 'file_reference')).split('\n');

    expect(header?.split(',').slice(-4)).toEqual([
      'note',
      'original_image',
      'prompt_safety_issues',
      'response_safety_issues',
    ]);
    expect(first).toContain(`"{""bytes"":""${PNG}"",""path"":null}"`);
  });

  test('the export of a dataset with an image in its context writes bytes as JSON text into Parquet', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'images-')), 'rows.parquet');
    await exported('parquet', 'file_reference');
    const key = world.objects.keys().find((each) => each.endsWith('data.parquet')) ?? '';
    await writeFile(path, (await world.objects.read(key)) ?? '');

    const rows = await query(`SELECT original_image, typeof(original_image) AS type FROM '${path}'`);

    expect(rows[0]).toEqual({ original_image: JSON.stringify({ bytes: PNG, path: null }), type: 'VARCHAR' });
    expect(rows.at(-1)).toEqual({ original_image: null, type: 'VARCHAR' });
    await rm(dirname(path), { recursive: true });
  });
});

describe('the export of a conversation', () => {
  const turns = (row: number) => [
    { role: 'user', content: `q${row}` },
    { role: 'assistant', content: `a${row}` },
  ];

  test('the export of a conversation shows the turns before the reply also of rows that max_rows left out', async () => {
    const active = await startRun(world, {
      rows: 3,
      chunkRows: 1,
      line: (row) => JSON.stringify({ note: turns(row), question: 'x' }),
      request: { column_mapping: { chat: 'note' }, job_specification: { max_rows: 1 } },
    });
    const reader = materialReader({ mode: 'chat', mapping: { chat: 'note', context: [] } });
    for (const batch of active.batches) {
      const results = resultsOf(batch, () => 'changed').map((result) => {
        if (result.outcome !== 'not_selected') return result;
        const cells = readCells(JSON.stringify({ note: turns(result.row) }), reader.columns);
        const { prompt, completion } = reader.original(cells);
        return { ...result, cells: { enhanced_prompt: prompt, enhanced_completion: completion } };
      });
      await writeResults(world, objectKeys.result(active.run.run_id, batch.n), results);
    }
    await endRunNow(world, active);

    const rows = linesOf(await built(active, 'jsonl')).map((line) => JSON.parse(line));

    expect(active.batches).toHaveLength(3);
    expect(Object.keys(rows[0]).slice(0, 3)).toEqual(['note', 'enhanced_prompt', 'enhanced_completion']);
    const untouched = rows.filter((row) => !String(row.enhanced_completion).includes('better'));
    expect(untouched).toHaveLength(2);
    for (const row of untouched) {
      expect(row.enhanced_prompt).toBe(JSON.stringify(row.note.slice(0, 1)));
      expect(row.enhanced_completion).toBe(row.note[1].content);
    }
  });
});

test('the export of a dataset that was never adapted holds its rows as they came, in the order of its columns', async () => {
  const owner = await seedTeam(world.store, 0);
  const dataset = await seedDataset(world.store, owner);
  await writeRows(world, dataset.dataset_id, ['{"note":1.0,"question":"q","answer":"a"}'], 10);

  expect(await built({ dataset }, 'jsonl')).toBe('{"note":1.0,"question":"q","answer":"a"}\n');
  expect(world.objects.keys()).toContain(objectKeys.export(dataset.dataset_id, 'source', 'jsonl'));
});

test('the export of rows as they came for trainers follows the mapping that the dataset has by then', async () => {
  const owner = await seedTeam(world.store, 0);
  const { dataset_id, team_id } = await seedDataset(world.store, owner);
  await writeRows(world, dataset_id, ['{"question":"Why?","answer":"So.","note":"Thus."}'], 10);
  const answerBy = async (completion: string) => {
    const configured_column_mapping = { prompt: 'question', completion, context: [] };
    const find = async (id: string) => {
      const dataset = await world.store.datasets.find(id);
      return dataset && { ...dataset, configured_column_mapping };
    };
    const input = { dataset_id, team_id, format: 'openai' as const };
    const { key } = await buildExport({ ...ports(), datasets: { find } }, input);
    return { key, answer: JSON.parse(world.objects.text(key)).messages.at(-1).content };
  };

  const [first, second] = [await answerBy('answer'), await answerBy('note')];

  expect([first.answer, second.answer]).toEqual(['So.', 'Thus.']);
  expect(first.key).not.toBe(second.key);
  expect(first.key.startsWith(objectKeys.exportsOf(dataset_id, 'source'))).toBe(true);
});

describe('before a run ends', () => {
  test('the format of the upload and JSONL are built under its id', async () => {
    const active = await startRun(world, { rows: 30 });
    await finishBatches(world, active);

    await buildExportsOfRun(ports(), active.context);

    const exports = world.objects.keys().filter((key) => key.startsWith('exports/'));
    const { dataset_id } = active.dataset;
    expect(exports).toEqual([
      objectKeys.export(dataset_id, active.run.run_id, 'csv'),
      objectKeys.export(dataset_id, active.run.run_id, 'jsonl'),
    ]);
    expect(world.objects.text(exports[1] ?? '')).toContain(`better ${answerOf(29)}`);
  });

  test('nothing is built of a run that is gone', async () => {
    const active = await startRun(world, { rows: 30 });

    await expect(buildExportsOfRun(ports(), { ...active.context, run_id: 'gone' })).rejects.toMatchObject({
      code: 'run_interrupted',
    });
  });
});

test('a build for another team finds no dataset', async () => {
  const { dataset } = await startRun(world, { rows: 30 });

  await expect(
    buildExport(ports(), { dataset_id: dataset.dataset_id, team_id: 'another', format: 'csv' }),
  ).rejects.toMatchObject({ code: 'dataset_not_found' });
});

test('the temporary file is gone once it is stored', async () => {
  const active = await startRun(world, { rows: 30 });
  await finishBatches(world, active);
  await endRunNow(world, active);
  let path = '';
  const { dataset_id, team_id } = active.dataset;

  await buildExport(
    {
      ...ports(),
      exportRows: (format, rows, use) =>
        exportRows(format, rows, (file) => {
          path = file.path;
          return use(file);
        }),
    },
    { dataset_id, team_id, format: 'csv' },
  );

  await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a build that fails leaves word of it, and one that succeeds takes it back', async () => {
  const active = await startRun(world, { rows: 2 });
  const { dataset_id, team_id } = active.dataset;
  await endRunNow(world, active);
  const failing: BuildExportPorts = {
    ...ports(),
    exportRows: async () => {
      throw new Error('a cell does not fit');
    },
  };
  const input = { dataset_id, team_id, format: 'parquet' } as const;

  await expect(buildExport(failing, input)).rejects.toThrow('a cell does not fit');
  const failures = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const key of world.objects.list(`exports/${dataset_id}/`)) keys.push(key);
    return keys.filter((key) => key.endsWith('.failed'));
  };
  expect(await failures()).toHaveLength(1);

  await buildExport(ports(), input);
  expect(await failures()).toEqual([]);
});

test('an export that a store interrupts is not said to have failed: whoever waits has it built again', async () => {
  const active = await startRun(world, { rows: 1 });
  const { team_id, dataset_id } = active.dataset;
  await endRunNow(world, active);
  const away = Object.assign(new Error('Slow down'), { $metadata: { httpStatusCode: 503 } });
  const interrupted = { ...ports(), exportRows: () => Promise.reject(away) };

  await expect(buildExport(interrupted, { dataset_id, team_id, format: 'parquet' })).rejects.toThrow(away);

  expect(world.objects.keys().filter((key) => key.endsWith('.failed'))).toEqual([]);
});
