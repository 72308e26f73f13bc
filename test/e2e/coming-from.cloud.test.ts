import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '#local/child.ts';
import { localDirectory, repositoryRoot } from '#local/paths.ts';
import { ensurePython, pipInstall } from '#local/python.ts';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { readPage } from '#test/helpers/pages.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { type ScriptedTrainer, startScriptedTrainer } from '#test/helpers/scripted-trainer.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const fixtures = join(repositoryRoot, 'test/fixtures/other-tools');

/** Below the checkout, where `npx tunesmith` and `npm run` are found. */
let work = '';
let trainer: ScriptedTrainer;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  mkdirSync(localDirectory, { recursive: true });
  work = await mkdtemp(join(localDirectory, 'coming-from-'));
  symlinkSync(join(repositoryRoot, 'examples'), join(work, 'examples'));
  mkdirSync(join(work, 'data'));
  for (const name of ['records.json', 'observations.csv'])
    copyFileSync(join(fixtures, name), join(work, name));
  copyFileSync(join(fixtures, 'shop.json'), join(work, 'data/shop.json'));
  trainer = startScriptedTrainer(cloud);
  environment = {
    ...process.env,
    NO_PROXY: '127.0.0.1,localhost',
    ...cloud.environment,
    ADAPTION_API_KEY: await createCloudAdmin(cloud).createKey('movers', '--credits', '1000'),
    XDG_STATE_HOME: join(work, 'state'),
  };
});
afterAll(async () => {
  await trainer.stop();
  await rm(work, { recursive: true });
});

/** Runs the blocks of a part of a page in their order; answers what they printed. */
async function runBlocks(part: string): Promise<string> {
  const python = await ensurePython(['emulator', 'test']);
  const programs: { command: string; code: string }[] = [];
  for (const [, language, block = ''] of part.matchAll(/^```(python|sh)\n([\s\S]*?)^```$/gm)) {
    const command = language === 'python' ? python : 'bash';
    const last = programs.at(-1);
    // Blocks in one language are one program: each goes on from the ones before it.
    if (last?.command === command) last.code += block;
    else programs.push({ command, code: block });
  }
  let printed = '';
  for (const { command, code } of programs) {
    const flags = command === 'bash' ? '-euc' : '-c';
    printed += await runCommand(command, [flags, code], { what: code, directory: work, environment });
  }
  return printed;
}

const sectionOf = (page: string, heading: string): string => {
  const [, section = ''] = readPage(page).split(`\n## ${heading}\n`);
  expect(section).not.toBe('');
  return section.split('\n## ')[0] ?? '';
};

test('the migrations of fine-tuning and of evals run as the page says', async () => {
  const page = 'docs/coming-from-openai.md';
  const printed = await runBlocks(`${sectionOf(page, 'Move fine-tuning')}\n${sectionOf(page, 'Move evals')}`);

  expect(printed).toMatch(/^succeeded ft:/m);
  expect(printed).toMatch(/names it/);
}, 240_000);

test.each(['Langfuse', 'Argilla', 'LLaMA-Factory'])(
  'the commands for users of %s run as the page says',
  async (tool) => {
    const printed = await runBlocks(sectionOf('docs/coming-from-other-tools.md', tool));

    expect(printed).not.toBe('');
    if (tool === 'Langfuse') {
      const lines = readFileSync(join(work, 'observations.adapted.jsonl'), 'utf8').trim().split('\n');
      expect(lines).toHaveLength(12);
      expect(lines.join('')).not.toContain('@mail.cz');
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        messages: [{ role: 'system' }, {}, { role: 'assistant' }],
      });
    }
    if (tool === 'LLaMA-Factory') {
      const info = JSON.parse(readFileSync(join(work, 'data/dataset_info.json'), 'utf8')) as Record<
        string,
        object
      >;
      expect(Object.values(info)[0]).toMatchObject({
        file_name: 'shop.sharegpt.jsonl',
        columns: { messages: 'conversations' },
      });
    }
  },
  240_000,
);

describe('downloads in the forms of trainers', () => {
  const call = (city: string, id: string) => ({
    id,
    type: 'function',
    function: { name: 'weather', arguments: JSON.stringify({ city }) },
  });
  const weather = {
    type: 'function',
    function: { name: 'weather', description: 'Looks the weather up.', parameters: { type: 'object' } },
  };
  const asked = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Oslo or Rome?' },
    { role: 'assistant', content: null, tool_calls: [call('Oslo', 'a'), call('Rome', 'b')] },
    { role: 'tool', tool_call_id: 'a', content: 'rain' },
    { role: 'tool', tool_call_id: 'b', content: 'sun' },
    { role: 'assistant', content: 'Rome.' },
  ];
  const plain = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Capital of France?' },
    { role: 'assistant', content: 'Paris.' },
    { role: 'user', content: 'And of Italy?' },
    { role: 'assistant', content: 'Rome.' },
  ];
  const chats = [
    { messages: asked, tools: [weather] },
    { messages: plain, tools: null },
  ];
  const pairs = [{ prompt: 'Capital of France?', chosen: 'Paris.', rejected: 'Lyon.' }];
  const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
  const turn = (role: string, content: unknown) => ({ role, content });

  test('downloads load in datasets, TRL and LLaMA-Factory as the rows that were uploaded', async () => {
    const python = await ensurePython(['emulator', 'test']);
    const loaders = join(localDirectory, 'trainer-loaders');
    await pipInstall(python, [
      '--upgrade',
      '--no-deps',
      '--target',
      loaders,
      'trl==1.16.0',
      'llamafactory==0.9.5',
    ]);
    const folder = join(work, 'forms');
    mkdirSync(folder);
    const api = createApiClient(cloud.apiUrl, environment.ADAPTION_API_KEY ?? '');
    for (const [name, rows] of [['chats', chats] as const, ['pairs', pairs] as const]) {
      const datasetId = await api.upload(`${name}.jsonl`, lines(rows));
      await api.untilRead(datasetId);
      for (const form of ['openai', 'sharegpt', 'alpaca', 'trl']) {
        writeFileSync(join(folder, `${name}.${form}.jsonl`), await api.download(datasetId, form));
      }
      writeFileSync(join(folder, `${name}.dataset_info.json`), await api.download(datasetId, 'dataset_info'));
    }

    const program = join(repositoryRoot, 'test/e2e/load_forms.py');
    const { code, output } = await runPython([program, folder], { PYTHONPATH: loaders, HF_HUB_OFFLINE: '1' });
    expect(code, output).toBe(0);
    const loaded = JSON.parse(output.trim().split('\n').at(-1) ?? '');

    expect(loaded.openai).toEqual(
      [asked, plain].map((turns) => turns.map((each) => expect.objectContaining(each))),
    );
    expect(loaded.sharegpt).toMatchObject([
      {
        _system: 'Be short.',
        _tools: JSON.stringify([weather]),
        _prompt: [
          turn('user', 'Oslo or Rome?'),
          turn(
            'function',
            '[{"name":"weather","arguments":{"city":"Oslo"}},{"name":"weather","arguments":{"city":"Rome"}}]',
          ),
          turn('observation', expect.stringContaining('rain')),
        ],
        _response: [turn('assistant', 'Rome.')],
      },
      {
        _system: 'Be short.',
        _prompt: [
          turn('user', 'Capital of France?'),
          turn('assistant', 'Paris.'),
          turn('user', 'And of Italy?'),
        ],
        _response: [turn('assistant', 'Rome.')],
      },
    ]);
    expect(loaded.sharegpt_pairs).toMatchObject([
      {
        _prompt: [turn('user', 'Capital of France?')],
        _response: [turn('assistant', 'Paris.'), turn('assistant', 'Lyon.')],
      },
    ]);
    expect(loaded.alpaca).toEqual([
      {
        instruction: 'And of Italy?',
        input: '',
        output: 'Rome.',
        system: 'Be short.',
        history: [['Capital of France?', 'Paris.']],
      },
    ]);
    expect(loaded.openai_pairs).toMatchObject([
      { preferred_output: [turn('assistant', 'Paris.')], non_preferred_output: [turn('assistant', 'Lyon.')] },
    ]);
    expect(loaded.trl_is_conversational).toEqual([true, true, true]);
    expect(loaded.trl_unpaired).toEqual([
      {
        prompt: [turn('user', 'Capital of France?')],
        completion: [turn('assistant', 'Paris.')],
        label: true,
      },
      {
        prompt: [turn('user', 'Capital of France?')],
        completion: [turn('assistant', 'Lyon.')],
        label: false,
      },
    ]);
  }, 240_000);
});
