import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOTEBOOKS } from '#bin/notebooks.ts';
import { runCommand } from '#local/child.ts';
import { repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { codeBlocks } from '#test/helpers/pages.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { type ScriptedTrainer, startScriptedTrainer } from '#test/helpers/scripted-trainer.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const folder = join(repositoryRoot, 'examples');
const examples = readdirSync(folder).filter((name) => /^\d\d-/.test(name));
const tutorials = readdirSync(join(repositoryRoot, 'docs/tutorials')).filter((name) => name.endsWith('.md'));

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Where the code of pages runs; removed with what it wrote. */
let work: string;
let trainer: ScriptedTrainer;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'examples-'));
  trainer = startScriptedTrainer(cloud);
});
afterAll(async () => {
  await trainer.stop();
  await rm(work, { recursive: true });
});

async function runTypeScript(file: string): Promise<string> {
  return runCommand(process.execPath, ['--import', typescriptLoader, file], {
    what: file,
    directory: repositoryRoot,
    environment: { ...process.env, ...cloud.environment },
  });
}

/** Runs Python code in a folder of its own. */
async function runPythonCode(name: string, code: string): Promise<void> {
  const directory = await newFolder(name);
  await writeFile(join(directory, 'main.py'), code);
  const ended = await runPython([join(directory, 'main.py')], cloud.environment, directory);
  expect(ended.code, ended.output).toBe(0);
}

/** A new folder that has the examples, as the root of the repository does. */
async function newFolder(name: string): Promise<string> {
  const directory = join(work, name);
  await mkdir(directory);
  await symlink(folder, join(directory, 'examples'));
  return directory;
}

test('there are examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(3);
  expect(tutorials).toEqual([
    'adapt.md',
    'answer.md',
    'find-wrong-rows.md',
    'grow.md',
    'invent.md',
    'train.md',
  ]);
});

test.concurrent.each(examples)('%s does what it says on a running installation', async (name) => {
  if (name.endsWith('.py')) {
    // An example may write files.
    const { code, output } = await runPython([join(folder, name)], cloud.environment, work);
    expect(code, output).toBe(0);
    return;
  }
  await runTypeScript(join(folder, name));
});

test.concurrent.each(tutorials)('the code of the tutorial %s runs from top to bottom', async (name) => {
  const blocks = codeBlocks(read(`docs/tutorials/${name}`), 'python');
  expect(blocks.length).toBeGreaterThanOrEqual(4);
  await runPythonCode(name, blocks.join('\n'));
});

// One after the other: a kernel takes a core for its start.
test.each(Object.keys(NOTEBOOKS))('the notebook %s runs in a kernel of Jupyter', async (name) => {
  const program = join(repositoryRoot, 'test/e2e/run_notebook.py');
  const ended = await runPython(
    [program, join(folder, 'notebooks', name), await newFolder(name)],
    cloud.environment,
  );
  expect(ended.code, ended.output).toBe(0);
});

describe('the first request of the README', () => {
  const [, section = ''] = read('README.md').split('\n## First request\n');
  const blocksOf = (language: string): string[] => codeBlocks(section.split('\n## ')[0] ?? '', language);

  test.concurrent('the first request of the README in Python adapts a file', async () => {
    const [code = '', ...others] = blocksOf('python');
    expect(others).toEqual([]);
    await runPythonCode('README.md', `${code}\nprint(open("adapted.csv").read())\n`);
  });

  test.concurrent('the first request of the README in TypeScript lists datasets', async () => {
    const file = join(work, 'first-request.mts');
    await writeFile(file, blocksOf('ts').join('\n'));
    expect(await runTypeScript(file)).toContain('datasets:');
  });

  test.concurrent('the first request of the README with curl lists datasets', async () => {
    const output = await runCommand('bash', ['-euc', blocksOf('sh').join('\n')], {
      what: 'curl',
      environment: { ...process.env, NO_PROXY: '127.0.0.1,localhost', ...cloud.environment },
    });
    expect(JSON.parse(output)).toHaveProperty('datasets');
  });
});
