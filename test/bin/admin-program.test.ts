import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAdminProgram } from '#bin/admin-program.ts';
import { isApiKey } from '#shared/access/decide/api-key.ts';
import { authenticate } from '#shared/access/decide/authenticate.ts';
import { createUsageMeter } from '#shared/access/meter-usage.ts';
import { createAuditLog } from '#shared/access/store/audit.ts';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DEFAULT_SCOPES } from '#shared/platform/schema/scope.ts';
import type { ProbeAccess } from '#shared/probe/schema/probe-access.ts';
import { createTeamRecords } from '#shared/transfer/store/team-records.ts';
import { poolOf } from '#test/helpers/augmenting.ts';
import { makeDeployment } from '#test/helpers/deploying.ts';
import { createMemoryObjects, type MemoryObjects } from '#test/helpers/memory-objects.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { makeDataset, makeRun, NOW } from '#test/helpers/records.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';
import { query } from '../shared/tabular/adapters/harness.ts';

const ADA = 'arn:aws:iam::123456789012:user/ada';

let store: ReturnType<typeof createMemoryStore>;
let objects: MemoryObjects;
let failed: boolean;
let identity: () => Promise<string>;
let stages: (string | undefined)[];

/** Runs a command line; answers what it printed. */
async function admin(...line: string[]): Promise<string[]> {
  const printed: string[] = [];
  const program = createAdminProgram({
    connect: (stage) => {
      stages.push(stage);
      return {
        ...store,
        deployments: createDeploymentRepository(store.table),
        cancel: async (run) => ({ ...run, status: 'failed' }),
        probeAccess: () => ({
          apiUrl: 'https://api.example',
          store: async (access) => void stored.push(access),
        }),
        sweep: async () => ({ examined: 2, handed_over: 1 }),
        pool: () => poolOf(objects),
        transfer: () => ({ records: createTeamRecords(store.table), objects }),
        audit: createAuditLog(store.table),
        whoAmI: identity,
        newId: randomUUID,
        randomBytes,
        now: () => NOW,
      };
    },
    print: (text) => printed.push(text),
    fail: () => {
      failed = true;
    },
  });
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap((each) => each.commands),
  ]) {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  }
  await program.parseAsync(line, { from: 'user' });
  return printed;
}

/** What the secret of the probe has been given. */
let stored: ProbeAccess[];

async function callerOf(key: string): Promise<Caller> {
  const caller = await authenticate(`Bearer ${key}`, store.access);
  if (caller === null) throw new Error('the key is not valid');
  return caller;
}

async function createKey(...options: string[]): Promise<{ key: string; caller: Caller }> {
  const [key = ''] = await admin('key', 'create', ...options);
  return { key, caller: await callerOf(key) };
}

beforeEach(() => {
  stored = [];
  store = createMemoryStore(() => NOW);
  objects = createMemoryObjects();
  failed = false;
  identity = async () => ADA;
  stages = [];
});

test('a command that changes something is recorded with who ran it, however it ends, and one that reads is not', async () => {
  await admin('team', 'create', 'Ours');
  await admin('team', 'list');
  await expect(admin('key', 'revoke', 'k-1', '--team', 'Ours')).rejects.toThrow('has no key k-1');

  const entries = await createAuditLog(store.table).list(new Date(NOW).toISOString(), 10);

  expect(entries.map(({ command, by, outcome, error }) => [command, by, outcome, error]).sort()).toEqual([
    ['key revoke', ADA, 'failed', 'The team "Ours" has no key k-1. List them: key list --team "Ours"'],
    ['team create', ADA, 'done', null],
  ]);
  expect(entries.find(({ command }) => command === 'key revoke')?.given).toBe(
    '{"arguments":["k-1"],"team":"Ours"}',
  );
});

test('the code of a voucher, which whoever has it redeems, is recorded by its beginning alone', async () => {
  await admin('voucher', 'create', 'SPRING-2027', '--percent', '50');

  const [entry] = await createAuditLog(store.table).list(new Date(NOW).toISOString(), 10);

  expect(entry).toMatchObject({ command: 'voucher create', outcome: 'done' });
  expect(entry?.given).toContain('"SPR…"');
  expect(entry?.given).not.toContain('2027');

  await expect(admin('voucher', 'create', 'SPRING-2027', '--percent', '50')).rejects.toThrow('SPRING-2027');
  const failed = (await createAuditLog(store.table).list(new Date(NOW).toISOString(), 10)).find(
    ({ outcome }) => outcome === 'failed',
  );
  expect(failed?.error).toContain('There is a voucher SPR… already');
});

test('the instructions of a stack, which may hold what its team keeps, are recorded by their length alone', async () => {
  await admin('team', 'create', 'Ours');
  await admin(
    ...['stack', 'put', 'support', '--team', 'Ours', '--model', 'scripted'],
    ...['--instructions', 'The code of the door is 4711.'],
  );

  const entries = await createAuditLog(store.table).list(new Date(NOW).toISOString(), 10);
  const { given = '' } = entries.find(({ command }) => command === 'stack put') ?? {};

  expect(JSON.parse(given)).toMatchObject({ arguments: ['support'], instructions: '(29 characters)' });
  expect(given).not.toContain('4711');
});

test('a command changes nothing where who runs it is not known', async () => {
  identity = () => Promise.reject(new Error('The security token included in the request is expired'));

  await expect(admin('team', 'create', 'Ours')).rejects.toThrow('expired');

  expect(await store.access.findTeamByName('Ours')).toBeNull();
});

test('audit list shows the newest first, over the months before', async () => {
  const log = createAuditLog(store.table);
  const at = (month: string): string => `2026-${month}-15T00:00:00.000Z`;
  for (const month of ['01', '03', '04']) {
    const rest = { by: ADA, command: 'plan set', given: month, outcome: 'done', error: null } as const;
    await log.begin({ entry_id: month, at: at(month), ...rest });
  }

  expect((await log.list(at('04'), 2)).map(({ given }) => given)).toEqual(['04', '03']);
  expect((await log.list(at('03'), 9)).map(({ given }) => given)).toEqual(['03', '01']);
  expect((await admin('audit', 'list'))[0]).toMatch(/^AT +BY +COMMAND/);
});

test('probe start gives a team of its own a bounded plan, credits and a key, which the probe is told, and replaces an earlier one', async () => {
  const [printed] = await admin('probe', 'start', '--credits', '100');
  const [first] = stored;
  await admin('probe', 'start', '--credits', '100', '--url', 'https://other.example');
  const [, second] = stored;

  expect(printed).toBe(
    'The team "probe" has a key and 100 credits. It asks https://api.example once an hour.',
  );
  expect(first?.api_url).toBe('https://api.example');
  expect(second?.api_url).toBe('https://other.example');
  expect(await authenticate(`Bearer ${first?.api_key}`, store.access)).toBeNull();
  const caller = await callerOf(second?.api_key ?? '');
  expect(caller.scopes).toEqual(['datasets:read', 'datasets:write']);
  expect(await store.access.findPlan('probe')).toMatchObject({ rows_per_launch: 10, runs_at_once: 2 });
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ available: 100 });

  await admin('probe', 'stop');
  expect(await authenticate(`Bearer ${second?.api_key}`, store.access)).toBeNull();
});

test('probe start refuses a team of people that has its name', async () => {
  await createKey('--team', 'probe', '--credits', '10');

  await expect(admin('probe', 'start')).rejects.toThrow('another plan');
});

test('run cancel has the installation end the run of an id, or that of a dataset', async () => {
  const { caller } = await createKey('--team', 'Ours', '--credits', '10');
  const dataset = makeDataset(caller);
  await store.datasets.create(dataset);
  const run = makeRun(dataset);
  await store.ledger.launch(launchOf(run));
  const cancelled = [
    JSON.stringify({ dataset_id: dataset.dataset_id, run_id: run.run_id, status: 'failed' }),
  ];

  expect(await admin('run', 'cancel', run.run_id)).toEqual(cancelled);
  expect(await admin('runs', 'cancel', dataset.dataset_id)).toEqual(cancelled);
  await store.ledger.end(endingOf(run));
  await expect(admin('run', 'cancel', run.run_id)).rejects.toThrow('no active run');
});

test('plan set limits the tokens and minutes of a run, and 0 takes the limit away', async () => {
  await admin('plan', 'set', 'thrifty', '--tokens-per-run', '5000', '--minutes-per-run', '30');
  expect(await store.access.findPlan('thrifty')).toMatchObject({
    tokens_per_run: 5000,
    minutes_per_run: 30,
  });

  await admin('plan', 'set', 'thrifty', '--tokens-per-run', '0');
  expect(await store.access.findPlan('thrifty')).toMatchObject({
    tokens_per_run: null,
    minutes_per_run: 30,
  });
});

test('key create makes team, organization, user and plan, grants the credits and prints the key alone', async () => {
  const printed = await admin('key', 'create', '--team', 'Ours', '--credits', '500');

  expect(printed).toHaveLength(1);
  expect(isApiKey(printed[0] ?? '')).toBe(true);
  const caller = await callerOf(printed[0] ?? '');
  expect(caller).toMatchObject({ scopes: DEFAULT_SCOPES, plan: { name: 'default' } });
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ granted: 500, available: 500 });
  expect(await store.access.findOrganizationByName('Ours')).toMatchObject({
    organization_id: caller.organization_id,
  });
  expect(await store.access.listMembers(caller.team_id)).toEqual([caller.user_id]);
});

test('key create for a team that is there adds a key and credits to it', async () => {
  const first = await createKey('--team', 'Ours', '--credits', '5', '--org', 'Acme');
  const second = await createKey('--team', 'Ours', '--credits', '7', '--user', 'Ada');

  expect(second.key).not.toBe(first.key);
  expect(second.caller).toMatchObject({
    team_id: first.caller.team_id,
    organization_id: first.caller.organization_id,
  });
  expect(second.caller.user_id).not.toBe(first.caller.user_id);
  expect(await store.ledger.findBalance(first.caller.team_id)).toMatchObject({ available: 12 });
});

test('one user can be in several teams', async () => {
  const one = await createKey('--team', 'One', '--user', 'Ada');
  const two = await createKey('--team', 'Two', '--user', 'Ada');

  expect(one.caller.user_id).toBe(two.caller.user_id);
  expect(one.caller.team_id).not.toBe(two.caller.team_id);
});

test('key create carries the scopes and the plan that are asked for', async () => {
  await admin('plan', 'set', 'small', '--runs-at-once', '1', '--requests-per-second', '2');

  const { caller } = await createKey(
    '--team',
    'Ours',
    '--scopes',
    'datasets:read, training',
    '--plan',
    'small',
  );

  expect(caller).toMatchObject({
    scopes: ['datasets:read', 'training'],
    plan: { name: 'small', runs_at_once: 1, requests_per_second: 2, rows_per_launch: 1_000_000 },
  });
});

test('a key has the scope of the audit log only where it is named, and whoever makes it is told what it reads', async () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {});

  const { caller: usual } = await createKey('--team', 'Ours');
  expect(usual.scopes).not.toContain('audit');
  expect(told).not.toHaveBeenCalled();

  const { caller } = await createKey('--team', 'Ours', '--scopes', 'audit');
  expect(caller.scopes).toEqual(['audit']);
  expect(told).toHaveBeenCalledWith(expect.stringContaining('every team of this installation'));
  told.mockRestore();
});

test.each([
  ['an unknown scope', ['--team', 'Ours', '--scopes', 'datasets:read,admin'], 'no scope admin'],
  ['an unknown plan', ['--team', 'Ours', '--plan', 'huge'], 'no plan "huge"'],
  ['no team', ['--credits', '5'], '--team'],
  ['half a credit', ['--team', 'Ours', '--credits', '0.5'], 'whole number'],
  ['credits below zero', ['--team', 'Ours', '--credits=-1'], 'whole number'],
])('key create refuses %s', async (_title, options, message) => {
  await expect(admin('key', 'create', ...options)).rejects.toThrow(message);
});

test('key create refuses to take a team into another organization', async () => {
  await admin('key', 'create', '--team', 'Ours', '--org', 'Acme');
  await admin('org', 'create', 'Other');

  await expect(admin('key', 'create', '--team', 'Ours', '--org', 'Other')).rejects.toThrow(
    'another organization',
  );
});

test('keys are listed without the key, and are valid until they are revoked', async () => {
  const { key, caller } = await createKey('--team', 'Ours');

  const listed = (await admin('key', 'list', '--team', 'Ours')).join('\n');
  expect(listed).toContain(caller.key_id);
  expect(listed).toContain(key.slice(-4));
  expect(listed).not.toContain(key);
  await admin('key', 'revoke', caller.key_id, '--team', 'Ours');

  expect(await authenticate(`Bearer ${key}`, store.access)).toBeNull();
  expect((await admin('key', 'list', '--team', 'Ours')).join('\n')).toContain('2026-03-01T12:00:00.000Z');
});

test('keys of another team cannot be revoked', async () => {
  const { caller } = await createKey('--team', 'Ours');
  await admin('team', 'create', 'Theirs');

  await expect(admin('key', 'revoke', caller.key_id, '--team', 'Theirs')).rejects.toThrow(caller.key_id);
});

test('ledger check prints the sums and is content while they add up', async () => {
  const { caller } = await createKey('--team', 'Ours', '--credits', '10');
  await admin('credits', 'grant', '--team', 'Ours', '--credits', '5', '--reason', 'a gift');
  const dataset = makeDataset(caller);
  await store.datasets.create(dataset);
  const run = makeRun(dataset, { reserved_credits: 4 });
  await store.ledger.launch(launchOf(run));
  await store.ledger.end(endingOf(run, { billedCredits: 3 }));

  const printed = await admin('ledger', 'check');

  expect(printed.map((line) => line.split(/\s{2,}/))).toEqual([
    ['TEAM', 'GRANTED', 'SETTLED', 'HELD', 'AVAILABLE', 'INVARIANT'],
    ['Ours', '15', '3', '0', '12', 'holds'],
    ['1 in all', '15', '3', '0', '12', 'holds'],
  ]);
  expect(failed).toBe(false);
  expect((await admin('ledger', 'show', '--team', 'Ours')).join('\n')).toContain('a gift');
});

test('ledger check names the team whose balance is wrong, and fails', async () => {
  await createKey('--team', 'Sound', '--credits', '10');
  const { caller } = await createKey('--team', 'Broken', '--credits', '10');
  const { meter } = store;
  store = {
    ...store,
    meter: {
      ...meter,
      read: async (teamId) => {
        const { balance, shards } = await meter.read(teamId);
        const isBroken = balance !== null && teamId === caller.team_id;
        return { balance: isBroken ? { ...balance, available: 11 } : balance, shards };
      },
    },
  };

  const printed = (await admin('ledger', 'check')).join('\n');

  expect(failed).toBe(true);
  expect(printed).toMatch(/Team "Broken" .*available is 11, but 10/);
  expect(printed).not.toContain('Team "Sound"');
});

test('ledger check counts what is reserved for answers, and names a shard whose sums are wrong', async () => {
  const { caller } = await createKey('--team', 'Ours', '--credits', '50');
  const usage = createUsageMeter({
    meter: store.meter,
    limiter: store.tokenLimiter,
    newId: randomUUID,
    now: () => NOW,
    random: () => 0,
    onUnbilled: () => {},
  });
  const asked = { microcredits: 1_200_000, tokens: 4000 };
  await usage.admit(caller, asked, NOW);
  const admission = await usage.admit(caller, asked, NOW);
  await admission.settle({
    response_id: 'r',
    model: 'qwen',
    microcredits: 700_000,
    input_tokens: 2000,
    output_tokens: 1000,
  });

  expect((await admin('team', 'list'))[1]).toMatch(/^Ours +Ours +default +45 +5 +5 +0 /);
  expect((await admin('ledger', 'show', '--team', 'Ours')).join('\n')).toMatch(/reserve +2 +answers \d-1 /);
  expect((await admin('ledger', 'check')).at(-1)).toMatch(/^1 in all +50 +0 +5 +45 +holds$/);
  expect((await admin('usage', '--team', 'Ours')).map((line) => line.split(/\s{2,}/))).toEqual([
    ['DAY', 'MODEL', 'ANSWERS', 'INPUT TOKENS', 'OUTPUT TOKENS', 'COST', 'BILLED'],
    ['2026-03-01', 'qwen', '1', '2000', '1000', '0.700', '0.700'],
    ['in all', '-', '1', '2000', '1000', '0.700', '0.700'],
  ]);

  const { meter } = store;
  store = { ...store, meter: { ...meter, listAdmissions: async () => [] } };
  const printed = (await admin('ledger', 'check')).join('\n');
  expect(failed).toBe(true);
  expect(printed).toContain('pending of shard');
});

test('ledger check reads a team again whose ledger changed meanwhile', async () => {
  const { caller } = await createKey('--team', 'Ours', '--credits', '10');
  const { ledger } = store;
  let reads = 0;
  store = {
    ...store,
    ledger: {
      ...ledger,
      listHolds: async (teamId) => {
        const holds = await ledger.listHolds(teamId);
        reads += 1;
        if (reads === 1) {
          const dataset = makeDataset(caller);
          await store.datasets.create(dataset);
          await ledger.launch(launchOf(makeRun(dataset)));
        }
        return holds;
      },
    },
  };

  await admin('ledger', 'check', '--team', 'Ours');

  expect(failed).toBe(false);
  expect(reads).toBe(2);
});

test('holds and runs are listed while they are active, and with what became of them', async () => {
  const { caller } = await createKey('--team', 'Ours', '--credits', '10');
  const dataset = makeDataset(caller);
  await store.datasets.create(dataset);
  const run = makeRun(dataset);
  await store.ledger.launch(launchOf(run));

  const rows = (lines: string[]): string[] => lines.filter((line) => line.includes(run.run_id));
  expect(rows(await admin('holds', 'list'))).toHaveLength(1);
  expect(rows(await admin('runs', 'list'))).toHaveLength(1);
  await store.ledger.end(endingOf(run));
  expect(rows(await admin('holds', 'list'))).toEqual([]);
  expect(rows(await admin('runs', 'list'))).toEqual([]);
  expect(rows(await admin('holds', 'list', '--all', '--team', 'Ours'))[0]).toContain('settled');
  expect(rows(await admin('runs', 'list', '--dataset', dataset.dataset_id))[0]).toContain('succeeded');
});

test('teams, users, organizations and plans are listed', async () => {
  await createKey('--team', 'Ours', '--user', 'Ada', '--org', 'Acme', '--credits', '3');
  await admin('user', 'create', 'Bob');
  await admin('plan', 'set', 'small', '--runs-at-once', '1');
  await admin('plan', 'assign', 'small', '--team', 'Ours');

  expect((await admin('org', 'list')).join('\n')).toContain('Acme');
  expect((await admin('team', 'list'))[1]).toMatch(/^Ours +Acme +small +3 +0 +0 /);
  expect((await admin('user', 'list', '--team', 'Ours')).join('\n')).not.toContain('Bob');
  expect((await admin('user', 'list')).join('\n')).toContain('Bob');
  expect((await admin('plan', 'list')).join('\n')).toContain('small');
});

test('changing one limit of a plan leaves the others', async () => {
  await admin('plan', 'set', 'small', '--runs-at-once', '1', '--rows-per-launch', '50');
  await admin('plan', 'set', 'small', '--runs-at-once', '2');

  expect(await store.access.findPlan('small')).toMatchObject({ runs_at_once: 2, rows_per_launch: 50 });
});

test('a team that is not there is named', async () => {
  await expect(admin('ledger', 'show', '--team', 'Nobody')).rejects.toThrow('no team "Nobody"');
});

test('deployment delete ends the models of trainings, or of a platform, and deployment list shows them', async () => {
  const deployments = createDeploymentRepository(store.table);
  const records = [
    makeDeployment({ experiment_id: randomUUID(), platform: 'amazon_sagemaker' }),
    makeDeployment({ experiment_id: randomUUID(), platform: 'amazon_sagemaker' }),
    makeDeployment({ experiment_id: randomUUID(), platform: 'amazon_bedrock' }),
  ];
  for (const [version, record] of records.entries()) {
    const created_at = `2026-11-0${version + 1}T12:00:00.000Z`;
    await deployments.create({ ...record, created_at }, { experiment_ids: [], version });
  }
  const states = async () =>
    Promise.all(records.map(async ({ experiment_id }) => (await deployments.find(experiment_id))?.status));

  await admin('deployment', 'delete', records[0]?.experiment_id ?? '');
  expect(await states()).toEqual(['deleting', 'ready', 'ready']);
  await admin('deployment', 'delete', '--platform', 'amazon_sagemaker');
  expect(await states()).toEqual(['deleting', 'deleting', 'ready']);

  expect((await admin('deployment', 'list')).slice(1).map((line) => line.split(/ +/).slice(1, 3))).toEqual([
    ['amazon_sagemaker', 'deleting'],
    ['amazon_sagemaker', 'deleting'],
    ['amazon_bedrock', 'ready'],
  ]);
  await expect(admin('deployment', 'delete')).rejects.toThrow('Name the trainings, or a platform');
  await expect(admin('deployment', 'delete', 'none')).rejects.toThrow('no deployment of the training none');
});

test('the sweeper of the named stage is run', async () => {
  expect(await admin('--stage', 'prod', 'sweep')).toEqual(['{"examined":2,"handed_over":1}']);
  expect(stages).toEqual(['prod']);
});

describe('the curated pool', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pool-file-'));
    return () => rm(folder, { recursive: true });
  });

  const fileOf = async (name: string, rows: readonly object[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return path;
  };

  test('the curated pool takes a file, says what it left out, and takes it once', async () => {
    const path = await fileOf('mine.jsonl', [
      { q: 'What is bread?', a: 'Food.' },
      { q: '', a: 'Nothing.' },
      { q: 'What are stars?', a: 'Suns.' },
    ]);
    const command = ['pool', 'load', path, '--prompt', 'q', '--completion', 'a'];

    expect(await admin(...command)).toEqual([
      '2 rows embedded',
      '1 rows have no text in q or a and were left out; the first is row 2.',
      '2 rows are in the pool.',
    ]);
    await admin(...command);

    const listed = await admin('pool', 'list');
    expect(listed).toHaveLength(2);
    expect(listed[1]).toMatch(/^[0-9a-f]{16} +mine.jsonl +2 +0 +scripted-embedder /);
  });

  test('the curated pool takes the rows that come with the project', async () => {
    await admin('pool', 'load', '--if-empty');

    expect((await admin('pool', 'list'))[1]).toMatch(/ starter-pool.jsonl +(3\d{2}) +\1 /);
    expect(await admin('pool', 'load', '--if-empty')).toEqual(['The pool holds rows already.']);
    expect(await admin('pool', 'list')).toHaveLength(2);
  });

  test('the curated pool takes Parquet', async () => {
    const path = join(folder, 'rows.parquet');
    await query(
      `COPY (SELECT 'What is bread?' AS prompt, 'Food.' AS completion) TO '${path}' (FORMAT parquet)`,
    );

    expect(await admin('pool', 'load', path)).toContain('1 rows are in the pool.');
  });

  test('the curated pool says what is wrong with a file', async () => {
    const other = await fileOf('mine.jsonl', [{ q: 'What is bread?' }]);

    await expect(admin('pool', 'load', other)).rejects.toThrow('--prompt and --completion');
    await expect(admin('pool', 'load', join(folder, 'rows.pdf'))).rejects.toThrow(
      'jsonl, parquet, json, csv',
    );
    expect(await admin('pool', 'list')).toHaveLength(1);
  });

  test('the curated pool gives a load up', async () => {
    await admin(
      'pool',
      'load',
      await fileOf('mine.jsonl', [{ prompt: 'What is bread?', completion: 'Food.' }]),
    );
    const [id = ''] = (await admin('pool', 'list'))[1]?.split(' ') ?? [];

    await admin('pool', 'remove', id);

    expect(await admin('pool', 'list')).toHaveLength(1);
    expect(objects.keys()).toEqual([]);
    await expect(admin('pool', 'remove', id)).rejects.toThrow('no load');
  });
});

describe('stack', () => {
  const put = (...options: string[]) => admin('stack', 'put', 'support', '--team', 'Ours', ...options);
  const shown = async (): Promise<unknown> =>
    JSON.parse((await admin('stack', 'show', 'support', '--team', 'Ours')).join('\n'));

  test('stack is made with what it may use, listed, shown, replaced and removed', async () => {
    const { caller } = await createKey('--team', 'Ours');
    const dataset = makeDataset(caller);
    await store.datasets.create(dataset);
    const id = dataset.dataset_id;

    expect(
      await put(
        ...['--model', 'qwen', '--instructions', 'Be brief.', '--tool', 'calendar', '--tool', 'mail'],
        ...['--tool', 'mail', '--server', 'Tools.Example.org:8443', '--dataset', id],
      ),
    ).toEqual(['stack:support']);

    const stack = {
      team_id: caller.team_id,
      slug: 'support',
      model: 'qwen',
      instructions: 'Be brief.',
      tool_labels: ['calendar', 'mail'],
      server_hosts: ['tools.example.org:8443'],
      dataset_ids: [id],
      created_at: new Date(NOW).toISOString(),
      updated_at: new Date(NOW).toISOString(),
    };
    expect(await shown()).toEqual(stack);
    expect(await store.stacks.find(caller.team_id, 'support')).toEqual(stack);
    const [heading, line] = await admin('stack', 'list', '--team', 'Ours');
    expect(heading).toMatch(/^STACK +MODEL +TOOLS +SERVERS +DATASETS +UPDATED$/);
    expect(line).toMatch(/^stack:support +qwen +calendar mail +tools\.example\.org:8443 +1 /);

    await put('--model', 'other');
    expect(await shown()).toMatchObject({
      model: 'other',
      instructions: null,
      tool_labels: [],
      dataset_ids: [],
    });
    await admin('stack', 'remove', 'support', '--team', 'Ours');
    expect(await admin('stack', 'list', '--team', 'Ours')).toHaveLength(1);
  });

  test('stack takes its instructions from a file', async () => {
    await admin('team', 'create', 'Ours');
    const folder = await mkdtemp(join(tmpdir(), 'stack-'));
    await writeFile(join(folder, 'prompt.md'), 'Answer in rhyme.\nAlways.\n');

    await put('--model', 'qwen', '--instructions-file', join(folder, 'prompt.md'));

    await rm(folder, { recursive: true });
    expect(await shown()).toMatchObject({ instructions: 'Answer in rhyme.\nAlways.' });
  });

  test.each([
    [['put', 'Support', '--model', 'm'], /slug/],
    [['put', 's', '--model', 'stack:other'], /no stack itself/],
    [['put', 's', '--model', 'm', '--dataset', randomUUID()], /has no dataset/],
    [['put', 's', '--model', 'm', '--server', 'https://a.example/'], /is no host/],
    [['put', 's', '--model', 'm', '--server', 'a.example/path'], /is no host/],
    [['put', 's', '--model', 'm', '--server', 'user@a.example'], /is no host/],
    [['put', 's', '--model', 'm', '--server', ''], /is no host/],
    [['put', 's', '--model', 'm', '--instructions', 'x', '--instructions-file', 'y'], /not both/],
    [['show', 's'], /no stack s/],
    [['remove', 's'], /no stack s/],
  ])('%o is refused', async (line, message) => {
    await admin('team', 'create', 'Ours');

    await expect(admin('stack', ...line, '--team', 'Ours')).rejects.toThrow(message);
    expect(await admin('stack', 'list', '--team', 'Ours')).toHaveLength(1);
  });

  test('stack of another team is not to be seen, and its datasets are not to be had', async () => {
    await createKey('--team', 'Theirs');
    await admin('stack', 'put', 'support', '--team', 'Theirs', '--model', 'm');
    const { caller } = await createKey('--team', 'Theirs');
    const dataset = makeDataset(caller);
    await store.datasets.create(dataset);
    await admin('team', 'create', 'Ours');

    await expect(shown()).rejects.toThrow('no stack support');
    await expect(put('--model', 'm', '--dataset', dataset.dataset_id)).rejects.toThrow('has no dataset');
  });
});

test('voucher is made, listed and revoked', async () => {
  await admin('team', 'create', 'Ours');
  await admin(
    'voucher',
    'create',
    'SPRING',
    '--percent',
    '25',
    '--uses',
    '3',
    '--expires',
    '2026-12-31',
    '--team',
    'Ours',
  );
  await admin('voucher', 'create', 'ANY', '--percent', '100');

  expect(await admin('voucher', 'list')).toEqual([
    'CODE    PERCENT  USED  OF  TEAM  EXPIRES                   REVOKED',
    'ANY     100      0     -   -     -                         -',
    'SPRING  25       0     3   Ours  2026-12-31T23:59:59.999Z  -',
  ]);
  await admin('voucher', 'revoke', 'ANY');
  expect((await admin('voucher', 'list'))[1]).toContain(new Date(NOW).toISOString());
});

test.each([
  [['create', 'X', '--percent', '101'], /at most 100/],
  [['create', 'X', '--percent', '0'], /above 0/],
  [['create', 'X', '--percent', '5', '--expires', 'soon'], /must be a date/],
  [['create', 'X Y', '--percent', '5'], /letters, digits/],
  [['create', 'X', '--percent', '5', '--team', 'Nobody'], /no team/],
  [['revoke', 'X'], /no voucher X/],
])('%o is refused', async (line, message) => {
  await expect(admin('voucher', ...line)).rejects.toThrow(message);
  expect(await admin('voucher', 'list')).toHaveLength(1);
});

test('voucher is made once', async () => {
  await admin('voucher', 'create', 'SPRING', '--percent', '25');

  await expect(admin('voucher', 'create', 'SPRING', '--percent', '50')).rejects.toThrow('already');
  expect((await store.vouchers.find('SPRING'))?.percent).toBe(25);
});

describe('job import', () => {
  const job = {
    finetune_job_id: '5a3f9a54-9d0c-4d3e-8f0b-1d7f6f0c2b11',
    original_model_name: 'Qwen/Qwen3.5-4B',
    training_method: 'sft',
    training_type: 'lora',
    data_format: 'chat',
    hyperparams: { n_epochs: 3, sequence_packing: true },
    completed_at: '2026-02-01T00:00:00Z',
  };
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobs-'));
    return () => rm(folder, { recursive: true });
  });
  const importJob = async (content: unknown, datasetId: string, team = 'Ours') => {
    const path = join(folder, 'job.json');
    await writeFile(path, JSON.stringify(content));
    return admin('job', 'import', '--team', team, '--dataset', datasetId, '--file', path);
  };
  const seed = async () => {
    const { caller } = await createKey('--team', 'Ours');
    const dataset = makeDataset(caller);
    await store.datasets.create(dataset);
    return dataset;
  };

  test('job import keeps a job with its dataset, once', async () => {
    const { dataset_id, team_id } = await seed();

    expect(await importJob(job, dataset_id)).toEqual([job.finetune_job_id]);
    await importJob([{ ...job, trained_model_name: 'v1' }], dataset_id);

    expect(await store.finetuneJobs.list(dataset_id)).toEqual([
      { ...job, dataset_id, team_id, status: 'succeeded', trained_model_name: 'v1' },
    ]);
  });

  test.each([
    ['finetune_job_id', { finetune_job_id: 'x' }],
    ['training_method', { training_method: 'rlhf' }],
    ['hyperparams.n_epochs', { hyperparams: { n_epochs: 99 } }],
    ['surprise', { surprise: 1 }],
  ])('job import names %s where that is wrong, and keeps nothing', async (path, wrong) => {
    const { dataset_id } = await seed();

    await expect(importJob([job, { ...job, ...wrong }], dataset_id)).rejects.toThrow(`${path}:`);
    expect(await store.finetuneJobs.list(dataset_id)).toEqual([]);
  });

  test('job import keeps nothing with another team’s dataset', async () => {
    const { dataset_id } = await seed();
    await admin('team', 'create', 'Theirs');

    await expect(importJob(job, dataset_id, 'Theirs')).rejects.toThrow('has no dataset');
  });
});
