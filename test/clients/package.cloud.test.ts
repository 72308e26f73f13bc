import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTunesmith, dataOf, download, upload, waitForDataset } from 'tunesmith';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { codeBlocks, readPage, tableRows } from '#test/helpers/pages.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const client = createTunesmith({ baseUrl: cloud.apiUrl, apiKey: cloud.apiKey });
const example = join(repositoryRoot, 'examples', 'data', 'careless-answers.csv');
const run = promisify(execFile);

/** A project of somebody else, which has installed the packed package. */
let project: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'consumer-'));
  environment = { ...process.env, ...cloud.environment, XDG_STATE_HOME: join(project, 'state') };
  const folder = join(repositoryRoot, 'clients', 'typescript');
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: folder });
  const [archive = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...options, `./${archive}`], { cwd: project });
});
afterAll(() => rm(project, { recursive: true }));

async function runScript(name: string, code: string): Promise<string> {
  await writeFile(join(project, name), code);
  return (await run(process.execPath, [name], { cwd: project, env: environment })).stdout;
}

/** Runs the installed command line, and returns the document that it prints. */
async function tunesmith<T>(...argv: string[]): Promise<T> {
  const { stdout } = await run('npx', ['--no-install', 'tunesmith', ...argv, '--json'], {
    cwd: project,
    env: environment,
  });
  return JSON.parse(stdout) as T;
}

test('the installed package runs the examples of its README as an ES module', async () => {
  const blocks = codeBlocks(
    await readFile(join(repositoryRoot, 'clients/typescript/README.md'), 'utf8'),
    'js',
  );
  expect(blocks).toHaveLength(4);

  const output = await runScript('readme.mjs', blocks.join('\n'));

  expect(output).toContain('"enhanced_completion"');
  expect(output).toContain('run.ended');
  expect(await readFile(join(project, 'adapted.csv'), 'utf8')).toContain('enhanced_completion');
});

test('the installed package runs as CommonJS, with one class of errors in both entries', async () => {
  const output = await runScript(
    'main.cjs',
    `const { createTunesmith, dataOf, TunesmithError } = require('tunesmith');
       const { downloadTo } = require('tunesmith/node');
       (async () => {
         const { ADAPTION_BASE_URL: baseUrl, ADAPTION_API_KEY: apiKey } = process.env;
         const client = createTunesmith({ baseUrl, apiKey });
         const { datasets } = await dataOf(client.GET('/api/v1/datasets'));
         const error = await downloadTo(client, { dataset_id: 'none' }, 'none.csv').catch((thrown) => thrown);
         console.log(JSON.stringify([Array.isArray(datasets), error instanceof TunesmithError, error.code]));
       })();`,
  );

  expect(JSON.parse(output)).toEqual([true, true, 'dataset_not_found']);
});

describe('npx tunesmith', () => {
  interface Adapted {
    readonly dataset_id: string;
    readonly run_id: string;
    readonly rows: number;
    readonly quality: { readonly grade_after: string };
  }
  const balance = async () => (await dataOf(client.GET('/api/v1/me'))).balance;

  test('npx tunesmith adapts a file in one line, and once for the price of one however often it is repeated', async () => {
    const argv = [
      'adapt',
      example,
      '--prompt',
      'question',
      '--completion',
      'answer',
      '-o',
      'result.csv',
    ] as const;

    const first = await tunesmith<Adapted>(...argv);
    const paid = await balance();
    const second = await tunesmith<Adapted>(...argv);

    expect(first).toMatchObject({ rows: 12, quality: { grade_after: expect.stringMatching(/^[A-E]$/) } });
    expect(second).toMatchObject({ dataset_id: first.dataset_id, run_id: first.run_id });
    expect(await balance()).toEqual(paid);
    expect(await readFile(join(project, 'result.csv'), 'utf8')).toContain('enhanced_completion');
    const { datasets } = await tunesmith<{ datasets: { dataset_id: string }[] }>(
      'datasets',
      '--search',
      'careless',
    );
    expect(datasets.map(({ dataset_id }) => dataset_id)).toContain(first.dataset_id);
  });

  test('npx tunesmith checks rows without a service and without a key', async () => {
    const argv = ['check', example, '--prompt', 'question', '--completion', 'answer', '--json'];

    const { stdout } = await run('npx', ['--no-install', 'tunesmith', ...argv], {
      cwd: project,
      env: { ...process.env, ADAPTION_BASE_URL: '', ADAPTION_API_KEY: '' },
    });

    expect(JSON.parse(stdout)).toMatchObject({ rows: 12, kept: 1 });
  });

  test('npx tunesmith prints the answer of a model', async () => {
    const { stdout } = await run(
      'npx',
      ['--no-install', 'tunesmith', 'answer', 'scripted', 'Say', 'hello.'],
      {
        cwd: project,
        env: environment,
      },
    );

    expect(stdout.trim()).not.toBe('');
  });

  test('npx tunesmith exits with 3 for a key that is refused', async () => {
    const refused = run('npx', ['--no-install', 'tunesmith', 'datasets', '--json'], {
      cwd: project,
      env: { ...environment, ADAPTION_API_KEY: 'pt_live_nobody' },
    });

    await expect(refused).rejects.toMatchObject({
      code: 3,
      stdout: expect.stringContaining('"unauthorized"'),
    });
  });

  test('npx tunesmith goes on with a download that was killed', async () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => `question ${n},answer ${n} ${'x'.repeat(60)}`);
    const data = new Blob([['question,answer', ...rows].join('\n')]);
    const { dataset_id } = await upload(client, { name: 'large.csv', data });
    await waitForDataset(client, dataset_id);
    const whole = await new Response((await download(client, { dataset_id })).body).text();
    expect(whole.length).toBeGreaterThan(3_000_000);

    // A slow connection, so that there is time to kill the command in the middle of the file.
    await writeFile(
      join(project, 'slow.mjs'),
      `const { fetch } = globalThis;
       globalThis.fetch = async (...args) => {
         const response = await fetch(...args);
         if (!response.headers.has('etag')) return response;
         const slow = new TransformStream({
           async transform(chunk, controller) {
             await new Promise((resolve) => setTimeout(resolve, 20));
             controller.enqueue(chunk);
           },
         });
         return new Response(response.body.pipeThrough(slow), response);
       };`,
    );
    const command = join(project, 'node_modules', 'tunesmith', 'bin', 'tunesmith.mjs');
    const part = join(project, 'large.csv.part');
    const child = spawn(
      process.execPath,
      ['--import', './slow.mjs', command, 'download', dataset_id, '-o', 'large.csv'],
      { cwd: project, env: environment, stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    const sizeOf = () =>
      stat(part).then(
        ({ size }) => size,
        () => 0,
      );
    while ((await sizeOf()) < 500_000 && child.exitCode === null) await sleep(5);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    const partBytes = await sizeOf();
    expect(partBytes).toBeLessThan(whole.length);

    const { resumed_bytes, bytes } = await tunesmith<{ resumed_bytes: number; bytes: number }>(
      ...['download', dataset_id, '-o', 'large.csv'],
    );

    expect({ resumed_bytes, bytes }).toEqual({ resumed_bytes: partBytes - 1, bytes: whole.length });
    expect(await readFile(join(project, 'large.csv'), 'utf8')).toBe(whole);
  });
});

describe('the page on clients', () => {
  const page = readPage('docs/clients.md');

  test('the page on clients has Python that runs', async () => {
    const directory = join(project, 'python');
    await mkdir(directory);
    await writeFile(join(directory, 'main.py'), codeBlocks(page, 'python').join('\n'));

    const { code, output } = await runPython([join(directory, 'main.py')], cloud.environment, directory);

    expect(code, output).toBe(0);
  });

  test('the page on clients lists every route that the public client has no method for', async () => {
    const script = [
      'import adaption, json, pathlib, re',
      'folder = pathlib.Path(adaption.__file__).parent / "resources"',
      'call = r"""self\\._(get|post|delete|put|patch|get_api_list)\\(\\s*(?:path_template\\(\\s*)?f?"(/api/v1[^"]*)\\""""',
      'print(json.dumps([list(found) for file in folder.rglob("*.py") for found in re.findall(call, file.read_text())]))',
    ];
    await writeFile(join(project, 'calls.py'), script.join('\n'));
    const { code, output } = await runPython([join(project, 'calls.py')], {});
    expect(code, output).toBe(0);
    const withoutNames = (route: string) => route.replaceAll(/\{[^}]*\}/g, '{}');
    const called = new Set(
      (JSON.parse(output) as [string, string][]).map(([verb, path]) =>
        withoutNames(`${verb === 'get_api_list' ? 'GET' : verb.toUpperCase()} ${path}`),
      ),
    );
    expect(called.size).toBe(42);

    const { paths } = JSON.parse(readPage('openapi.json')) as { paths: Record<string, object> };
    const uncovered = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/v1/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .filter((route) => !called.has(withoutNames(route)));

    const [, section = ''] = page.split('\n### What the public client does not cover\n');
    const listed = tableRows(section).map(([route = '']) => route.replaceAll('`', ''));
    expect(listed.sort()).toEqual(uncovered.sort());
  });
});
