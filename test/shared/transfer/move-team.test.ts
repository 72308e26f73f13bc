import { createHash, randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkTeamLedger } from '#shared/access/check-ledger.ts';
import { ensureTeam, grantCredits } from '#shared/access/issue-key.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { keys, lists } from '#shared/platform/store/keys.ts';
import { type Item, putItem } from '#shared/platform/store/table.ts';
import { createArchiveReader, createArchiveWriter } from '#shared/transfer/adapters/archive-folder.ts';
import {
  type ObjectFate,
  objectFates,
  type RecordFate,
  type RecordKind,
  recordFates,
} from '#shared/transfer/decide/belongings.ts';
import type { Manifest } from '#shared/transfer/decide/manifest.ts';
import { exportTeam } from '#shared/transfer/export-team.ts';
import { type ImportedTeam, importTeam } from '#shared/transfer/import-team.ts';
import { createTeamRecords } from '#shared/transfer/store/team-records.ts';
import { createMemoryObjects, type MemoryObjects } from '#test/helpers/memory-objects.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { NOW } from '#test/helpers/records.ts';

const DAY = '2026-03-01';
const AT = `${DAY}T00:00:00.000Z`;
const [TEAM, DATASET, UNSENT, RUN, TRAINING, USER, CHILD] = Array.from({ length: 7 }, () => randomUUID()) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const HASH = 'a'.repeat(64);
const KEY_HASH = 'b'.repeat(64);

interface Installation {
  readonly store: ReturnType<typeof createMemoryStore>;
  readonly objects: MemoryObjects;
}

const install = (): Installation => ({
  store: createMemoryStore(() => NOW),
  objects: createMemoryObjects(),
});

const admin = ({ store }: Installation) => ({
  ...store,
  newId: randomUUID,
  randomBytes: () => new Uint8Array(32),
  now: () => NOW,
});

/** An item of every kind, as a team has it. */
function itemsOfTeam(
  organizationId: string,
): Record<
  Exclude<
    RecordKind,
    'team' | 'organization' | 'plan' | 'balance' | 'ledgerEntry' | 'organizationName' | 'teamName'
  >,
  Item
> {
  const of = { team_id: TEAM, dataset_id: DATASET, run_id: RUN, status: 'succeeded' };
  return {
    user: {
      ...keys.user(USER),
      user_id: USER,
      name: 'operator',
      created_at: AT,
      list_pk: lists.users,
      list_name: 'operator',
    },
    userName: { ...keys.userName('operator'), id: USER },
    member: { ...keys.member(TEAM, USER), user_id: USER, added_at: AT },
    stack: { ...keys.stack(TEAM, 'support'), team_id: TEAM, slug: 'support' },
    voucher: {
      ...keys.voucher('SPRING'),
      code: 'SPRING',
      percent: 25,
      uses: 1,
      uses_max: null,
      valid_until: null,
      team_id: TEAM,
      created_at: AT,
      revoked_at: null,
      list_pk: lists.vouchers,
      list_name: 'SPRING',
    },
    dataset: {
      ...keys.dataset(DATASET),
      ...of,
      organization_id: organizationId,
      state: 'succeeded',
      s3_key: objectKeys.upload(TEAM, DATASET, 'rows.csv'),
      manifest_key: objectKeys.manifest(DATASET),
      description: 'runs/of last week',
      name: 'zeile\u2028neu',
      list_pk: lists.datasets(TEAM),
      list_created: `${AT}#${DATASET}`,
      list_updated: `${AT}#${DATASET}`,
      list_name: 'x',
    },
    version: { ...keys.version(DATASET, 2), ...of, version: 2 },
    verdict: { ...keys.verdict(DATASET, 17, 'ada'), dataset_id: DATASET, row: 17, reviewer: 'ada' },
    verdictText: {
      ...keys.verdictText(DATASET, 't'),
      dataset_id: DATASET,
      text_id: 't',
      completion: 'mended',
    },
    run: { ...keys.run(DATASET, RUN), ...of, pipeline: 'adapt' },
    evaluation: {
      ...keys.evaluation(DATASET, RUN),
      ...of,
      list_pk: lists.grades,
      list_created: `${AT}#${DATASET}`,
      results_key: objectKeys.evaluation(RUN),
    },
    customEval: { ...keys.customEval(DATASET, 'c'), ...of, custom_eval_id: 'c' },
    publication: { ...keys.publication(DATASET, 'p'), ...of, publish_id: 'p' },
    finetuneJob: { ...keys.finetuneJob(DATASET, 'j'), ...of, finetune_job_id: 'j' },
    chunk: { ...keys.chunk(RUN, 3), processed_rows: 3, progressed_at: AT },
    training: {
      ...keys.training(TRAINING),
      ...of,
      experiment_id: TRAINING,
      list_pk: lists.trainings(TEAM),
      list_created: `${AT}#${TRAINING}`,
      best: { artifact_key: objectKeys.trainingArtifact(TRAINING), gguf_key: null },
    },
    approval: { ...keys.approval(TEAM, 'p') },
    idempotency: { ...keys.idempotency(TEAM, 'adapt', DATASET, HASH), ...of },
    hold: { ...keys.hold(TEAM, RUN), ...of, state: 'settled' },
    meterShard: { ...keys.meterShard(TEAM, 3), team_id: TEAM, shard: 3, free: 0, spent: 0 },
    dayUsage: { ...keys.dayUsage(TEAM, 3, DAY, 'm'), team_id: TEAM, day: DAY, model: 'm' },
    trainerAttempt: { ...keys.trainerAttempt(TRAINING, 1, 1), state: 'done' },
    deployment: { ...keys.deployment(TRAINING), status: 'ready' },
    teamDeployments: { ...keys.teamDeployments(TEAM), experiment_ids: [TRAINING], version: 1 },
    readyMinutes: { ...keys.readyMinutes(TEAM, DAY), minutes: 20 },
    activeTraining: { ...keys.activeTraining(CHILD) },
    activePilot: { ...keys.activePilot(CHILD) },
    claim: { ...keys.claim(DATASET) },
    key: { ...keys.key(KEY_HASH), key_hash: KEY_HASH },
    teamKey: { ...keys.teamKey(TEAM, 'k'), key_hash: KEY_HASH },
    rate: { ...keys.rate(TEAM, 1) },
    tokens: { ...keys.tokens(TEAM, 1) },
    freeUse: { ...keys.freeUse(TEAM, 'u', 1) },
    unbilledTokens: { ...keys.unbilledTokens(TEAM, 1) },
    usage: { ...keys.usage(TEAM, 'resp') },
    outbox: { ...keys.outbox(TEAM, AT), team_id: TEAM },
    feedEvent: { ...keys.feedEvent(TEAM, 1) },
    feedPosition: { ...keys.feedPosition(TEAM), count: 1 },
    publishedSequence: { ...keys.publishedSequence(TEAM, DATASET), count: 1 },
    eventSequence: { ...keys.eventSequence(TEAM, DATASET), count: 1 },
    webhook: { ...keys.webhook(TEAM, 'w'), team_id: TEAM },
    batch: { ...keys.batch(TEAM, 'b'), team_id: TEAM },
    batchFile: { ...keys.batchFile(TEAM, 'f'), team_id: TEAM },
    eval: { ...keys.eval(TEAM, 'e'), team_id: TEAM },
    evalRun: { ...keys.evalRun(TEAM, 'e', 'r'), team_id: TEAM },
    evalTexts: { ...keys.evalTexts(TEAM, 'e'), team_id: TEAM },
    evalRunTexts: { ...keys.evalRunTexts(TEAM, 'r'), team_id: TEAM },
    queuedEvalRun: { ...keys.queuedEvalRun(TEAM, AT, 'r'), team_id: TEAM },
    delivery: { ...keys.delivery('w', 1) },
    dueDelivery: { ...keys.dueDelivery('w', AT, 1) },
    auditEntry: { ...keys.auditEntry(AT, 'e'), command: 'key create' },
    calibration: { ...keys.calibration('m', 'p', 's') },
    speed: { ...keys.speed('m', 's') },
  };
}

let from: Installation;
let to: Installation;
let folder: string;
let root: string;

/** A team with an item of every kind and an object of every kind. */
async function makeTeam(): Promise<void> {
  const { store, objects } = from;
  const team = await ensureTeam({ ...admin(from), newId: idsFrom(TEAM) }, 'Ours', 'Org');
  expect(team.team_id).toBe(TEAM);
  await grantCredits(admin(from), team, 70, 'paid');
  for (const item of Object.values(itemsOfTeam(team.organization_id))) await putItem(store.table, item);
  await putItem(store.table, {
    ...keys.run(DATASET, TRAINING),
    team_id: TEAM,
    dataset_id: DATASET,
    run_id: TRAINING,
    pipeline: 'train',
    status: 'failed',
  });
  await putItem(store.table, {
    ...keys.dataset(UNSENT),
    team_id: TEAM,
    dataset_id: UNSENT,
    state: 'awaiting_upload',
    list_pk: lists.datasets(TEAM),
    list_created: `${AT}#${UNSENT}`,
  });
  await putItem(store.table, { ...keys.finetuneJob(UNSENT, 'j'), team_id: TEAM });
  for (const kind of Object.keys(objectFates) as (keyof typeof objectKeys)[]) {
    const key = objectOf(kind);
    if (!key.endsWith('/')) await objects.write(key, `content of ${kind}`, 'application/x-test');
  }
  await objects.write(objectKeys.file(DATASET, 'Bilder/Ü b.png'), Buffer.from([0, 255, 10]), 'image/png');
  await objects.write(objectKeys.rows(DATASET, 7), '', 'application/jsonl');
}

/** The team's id is asked for after that of its organization. */
function idsFrom(teamId: string): () => string {
  const ids = [randomUUID(), teamId];
  return () => ids.shift() ?? randomUUID();
}

/** The key of a kind of object, of the dataset, run, training or team that it belongs to. */
function objectOf(kind: keyof typeof objectKeys): string {
  const fate: ObjectFate = objectFates[kind];
  const ids = { dataset: DATASET, run: RUN, training: TRAINING, responses: TEAM, reuse: TEAM };
  const first = 'moves' in fate ? ids[fate.moves] : undefined;
  const own: Partial<Record<typeof kind, string>> = { importSource: DATASET, trainingJob: TRAINING };
  return (objectKeys[kind] as unknown as (...parts: unknown[]) => string)(
    first ?? own[kind] ?? 'other',
    '1',
    '2',
    '3',
  );
}

const exported = async (): Promise<{ manifest: Manifest; sha256: string }> => {
  const archive = await createArchiveWriter(folder);
  const ports = { records: createTeamRecords(from.store.table), objects: from.objects };
  return exportTeam(ports, archive, TEAM, { exportId: randomUUID(), now: NOW }).finally(() =>
    archive.close(),
  );
};

const imported = (
  name?: string,
  objects: Pick<MemoryObjects, 'head' | 'list' | 'writeFile'> = to.objects,
): Promise<ImportedTeam> =>
  importTeam({ records: createTeamRecords(to.store.table), objects }, createArchiveReader(folder), {
    name,
    now: NOW,
  });

const linesOf = async (path: string): Promise<Item[]> =>
  (await readFile(join(folder, path), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item);

beforeEach(async () => {
  from = install();
  to = install();
  root = await mkdtemp(join(tmpdir(), 'transfer-'));
  folder = join(root, 'team');
  await makeTeam();
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

test('an export has an item of every kind that moves, a statement of every kind of account, and nothing that stays', async () => {
  const { manifest } = await exported();

  const kinds = Object.keys(recordFates) as RecordKind[];
  const with_ = (...names: string[]): string[] =>
    kinds.filter((kind) => names.some((name) => name in (recordFates[kind] as RecordFate))).sort();
  expect(Object.keys(manifest.records).sort()).toEqual(with_('moves', 'settings'));
  expect(Object.keys(manifest.statements).sort()).toEqual(with_('statement'));
  const all = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  const texts = await Promise.all(all.map((each) => readFile(join(each.parentPath, each.name), 'utf8')));
  expect(texts.filter((text) => text.includes(KEY_HASH))).toEqual([]);
  expect(manifest.left_out.find(({ kind }) => kind === 'item:teamKey')).toMatchObject({ count: 1 });
  expect(manifest.left_out.find(({ kind }) => kind === 'dataset:awaiting_upload')).toMatchObject({
    ids: [UNSENT],
  });
});

test('an export is verified by the tools that read SHA256SUMS, every file of it', async () => {
  const { sha256 } = await exported();

  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
  expect(createHash('sha256').update(sums).digest('hex')).toBe(sha256);
  const listed = new Map(
    sums
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile() && each.name !== 'SHA256SUMS')
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1));
  expect([...listed.keys()].sort()).toEqual(files.sort());
  for (const [path, sum] of listed) {
    expect(
      createHash('sha256')
        .update(await readFile(join(folder, path)))
        .digest('hex'),
      path,
    ).toBe(sum);
  }
});

test.each<[string, Item]>([
  [
    'run',
    { ...keys.run(DATASET, 'r2'), run_id: 'r2', dataset_id: DATASET, pipeline: 'adapt', status: 'running' },
  ],
  ['training', { ...keys.training(TRAINING), experiment_id: TRAINING, status: 'pending' }],
  ['activePilot', { ...keys.activePilot(DATASET), run_id: 'r2' }],
  ['activeTraining', { ...keys.activeTraining(DATASET), experiment_id: 'x' }],
  ['custom evaluation', { ...keys.customEval(DATASET, 'c2'), custom_eval_id: 'c2', status: 'pending' }],
  ['evaluation', { ...keys.evaluation(DATASET, 'r2'), run_id: 'r2', status: 'running' }],
  ['hold', { ...keys.hold(TEAM, 'r2'), run_id: 'r2', state: 'held' }],
  ['2 answers', { ...keys.meterShard(TEAM, 1), team_id: TEAM, shard: 1, open: 2 }],
])('an export refuses a team with active work, and names it: %s', async (named, item) => {
  await putItem(from.store.table, item);

  await expect(exported()).rejects.toThrow(new RegExp(`active work[^]*${named}`));
  expect(await readdir(folder)).toEqual([]);
});

test('an export of a team that changes meanwhile fails, and leaves no complete archive', async () => {
  const { stream } = from.objects;
  const changed = { ...keys.version(DATASET, 3), version: 3 };
  from.objects.stream = async (key) => {
    await putItem(from.store.table, changed);
    return stream(key);
  };

  await expect(exported()).rejects.toThrow('changed while it was exported');
  await expect(imported()).rejects.toThrow('not complete: SHA256SUMS');
});

test('an export goes into a new folder only', async () => {
  await exported();

  await expect(exported()).rejects.toThrow('not empty');
});

test('an export refuses an item that no kind is known of', async () => {
  await putItem(from.store.table, { pk: keys.dataset(DATASET).pk, sk: 'NEW#1' });

  await expect(exported()).rejects.toThrow('is of no kind');
});

test('an export refuses a value that JSON would change', async () => {
  const { client } = from.store.table;
  const send = async (command: Parameters<typeof client.send>[0]): Promise<unknown> => {
    const answer = (await client.send(command)) as { Items?: Item[] };
    return { ...answer, Items: answer.Items?.map((item) => ({ ...item, tags: new Set(['a']) })) };
  };
  const table = { ...from.store.table, client: { send } as unknown as typeof client };
  const archive = await createArchiveWriter(folder);
  const ports = { records: createTeamRecords(table), objects: from.objects };

  await expect(exportTeam(ports, archive, TEAM, { exportId: CHILD, now: NOW })).rejects.toThrow(
    'JSON cannot hold',
  );
});

describe('an import', () => {
  test('an import makes the same items, the same objects and the same balance', async () => {
    await exported();

    expect(await imported()).toMatchObject({ name: 'Ours', isNew: true, notes: [] });

    const moved = (
      await Promise.all(
        (Object.keys(recordFates) as RecordKind[])
          .filter((kind) => 'moves' in recordFates[kind] || 'settings' in recordFates[kind])
          .map((kind) => linesOf(`records/${kind}.jsonl`)),
      )
    ).flat();
    const there = new Map(to.store.table.items().map((item) => [`${item.pk} ${item.sk}`, item]));
    for (const item of moved) {
      expect(there.get(`${item.pk} ${item.sk}`)).toEqual(
        item.sk === 'TEAM' ? { ...item, imported_from: expect.any(String) } : item,
      );
    }
    expect(to.objects.stored.has(objectKeys.file(DATASET, 'Bilder/Ü b.png'))).toBe(true);
    expect(to.objects.stored.has(objectKeys.rows(DATASET, 7))).toBe(true);
    const kept = from.objects.keys().filter((key) => to.objects.stored.has(key));
    const kinds = (Object.keys(objectFates) as (keyof typeof objectKeys)[]).filter(
      (kind) => !objectOf(kind).endsWith('/'),
    );
    for (const kind of kinds) {
      expect(to.objects.stored.has(objectOf(kind)), kind).toBe('moves' in objectFates[kind]);
    }
    expect(to.objects.keys()).toEqual(kept);
    for (const key of kept) {
      const { body, contentType } = to.objects.stored.get(key) ?? {};
      expect({ body, contentType }, key).toEqual({
        body: from.objects.stored.get(key)?.body,
        contentType: from.objects.stored.get(key)?.contentType,
      });
    }
    const { balance, faults } = await checkTeamLedger(to.store, TEAM);
    expect(faults).toEqual([]);
    expect(balance).toMatchObject({ available: 70, granted: 70, held: 0 });
    expect(await to.store.ledger.listEntries(TEAM)).toHaveLength(1);
    expect((await to.store.access.findTeamByName('Ours'))?.team_id).toBe(TEAM);
    expect(await to.store.access.listKeys(TEAM)).toEqual([]);
  });

  test('an import is repeated without effect', async () => {
    await exported();
    await imported();
    const before = to.store.table.items();
    await putItem(to.store.table, { ...keys.dataset(DATASET), state: 'changed since' });

    expect(await imported()).toMatchObject({ isNew: false });

    expect(to.store.table.items()).toHaveLength(before.length);
    expect(await to.store.ledger.listEntries(TEAM)).toHaveLength(1);
  });

  test.each([1, 5, 20, 60])(
    'an import that is killed after %i objects is completed by a repetition, and visible only then',
    async (objects) => {
      const { manifest } = await exported();
      let left = objects;
      const failing = {
        ...to.objects,
        writeFile: async (...args: Parameters<MemoryObjects['writeFile']>) => {
          if (left-- === 0) throw new Error('killed');
          return to.objects.writeFile(...args);
        },
      };
      await expect(imported(undefined, failing)).rejects.toThrow('killed');

      expect(await to.store.access.listTeams()).toEqual([]);
      expect(await to.store.access.findTeamByName('Ours')).toBeNull();
      await expect(ensureTeam(admin(to), 'Ours', undefined)).rejects.toThrow('could not be made');

      expect(await imported()).toMatchObject({ isNew: true });
      expect(to.objects.keys()).toHaveLength(manifest.objects.count);
      expect((await to.store.ledger.findBalance(TEAM))?.available).toBe(70);
    },
  );

  test('an import that is killed between items is completed by a repetition', async () => {
    await exported();
    const records = createTeamRecords(to.store.table);
    let writes = 0;
    const failing = {
      ...records,
      write: async (item: Item) => {
        if (++writes === 8) throw new Error('killed');
        return records.write(item);
      },
    };
    const reader = createArchiveReader(folder);
    await expect(importTeam({ records: failing, objects: to.objects }, reader, { now: NOW })).rejects.toThrow(
      'killed',
    );
    expect(await to.store.datasets.list(TEAM, LIST)).toMatchObject({ datasets: [] });

    expect(await imported()).toMatchObject({ isNew: true });
    expect((await checkTeamLedger(to.store, TEAM)).faults).toEqual([]);
  });

  test('an import names the file of which a byte was changed, and writes nothing', async () => {
    await exported();
    const path = `objects/by-key/${objectKeys.result(RUN, 1)}`;
    const bytes = await readFile(join(folder, path));
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await writeFile(join(folder, path), bytes);

    await expect(imported()).rejects.toThrow(`${path} was changed`);
    expect(to.store.table.items()).toEqual([]);
    expect(to.objects.keys()).toEqual([]);
  });

  test.each(['manifest.json', 'records/run.jsonl', 'objects.jsonl', 'statements/ledgerEntry.jsonl'])(
    'an import refuses a changed or missing %s',
    async (path) => {
      await exported();
      await appendFile(join(folder, path), '\n');
      await expect(imported()).rejects.toThrow(`${path} was changed`);
      await rm(join(folder, path));
      await expect(imported()).rejects.toThrow(`${path} is missing`);
      expect(to.store.table.items()).toEqual([]);
    },
  );

  /** Changes a file of the archive, and its checksum with it. */
  async function rewrite(path: string, change: (text: string) => string): Promise<void> {
    const text = change(await readFile(join(folder, path), 'utf8'));
    await writeFile(join(folder, path), text);
    const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
    const sum = createHash('sha256').update(text).digest('hex');
    const lines = sums.split('\n').map((line) => (line.endsWith(`  ${path}`) ? `${sum}  ${path}` : line));
    await writeFile(join(folder, 'SHA256SUMS'), lines.join('\n'));
  }

  test('an import refuses a newer format', async () => {
    await exported();
    await rewrite('manifest.json', (text) => text.replace('"format_version": 1', '"format_version": 2'));

    await expect(imported()).rejects.toThrow('format 2');
  });

  test.each<[string, string, (text: string) => string]>([
    ['an item of another team', 'records/dataset.jsonl', (text) => text.replaceAll(TEAM, CHILD)],
    ['an item of another dataset', 'records/version.jsonl', (text) => text.replaceAll(DATASET, CHILD)],
    [
      'an item of another kind',
      'records/version.jsonl',
      (text) => text.replace(/"sk":"[^"]*"/, '"sk":"RUN#x"'),
    ],
    [
      'a key',
      'records/voucher.jsonl',
      (text) => text.replace(/VOUCHER#SPRING/, `KEY#${HASH}`).replace('"VOUCHER"', '"KEY"'),
    ],
    [
      'an object of another dataset',
      'objects.jsonl',
      (text) => text.replaceAll(`"key":"datasets/${DATASET}`, `"key":"datasets/${CHILD}`),
    ],
    [
      'an object that stays',
      'objects.jsonl',
      (text) => text.replace(/"key":"[^"]*"/, `"key":"${objectKeys.importSource(DATASET)}"`),
    ],
  ])('an import refuses an archive with %s', async (_what, path, change) => {
    await exported();
    await rewrite(path, change);

    await expect(imported()).rejects.toThrow(path);
    expect(to.store.table.items()).toEqual([]);
  });

  /** Takes a file out of the list of checksums. */
  async function unlist(path: string): Promise<void> {
    const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
    const lines = sums.split('\n').filter((line) => !line.endsWith(`  ${path}`));
    await writeFile(join(folder, 'SHA256SUMS'), lines.join('\n'));
  }

  /** Changes what the manifest says of the lines of a kind. */
  const recount = (kind: string, lines: number | undefined): Promise<void> =>
    rewrite('manifest.json', (text) => {
      const manifest = JSON.parse(text) as Manifest;
      return JSON.stringify({ ...manifest, records: { ...manifest.records, [kind]: lines } });
    });

  async function expectRefused(fault: string): Promise<void> {
    await expect(imported()).rejects.toThrow(new RegExp(`${fault}[^]*do not import it`));
    expect(to.store.table.items()).toEqual([]);
    expect(to.objects.keys()).toEqual([]);
  }

  test.each([
    'manifest.json',
    'objects.jsonl',
    'records/team.jsonl',
    'records/stack.jsonl',
    'records/voucher.jsonl',
    `objects/by-key/${objectKeys.result(RUN, 1)}`,
  ])('an import refuses a file that has no checksum: %s', async (path) => {
    await exported();
    await unlist(path);

    await expectRefused(`does not list the file ${path}`);
  });

  test.each([
    ['listed', async () => {}],
    ['not listed', () => unlist('records/stack.jsonl')],
  ])(
    'an import refuses items of a kind that the manifest does not name, of a file that is %s',
    async (_what, change) => {
      await exported();
      await recount('stack', undefined);
      await change();

      await expectRefused('records/stack.jsonl');
    },
  );

  test.each(['key', 'teamName', 'balance', 'usage', 'none', 'toString', '../team'])(
    'an import refuses a manifest that names items of the kind %s',
    async (kind) => {
      await exported();
      await recount(kind, 0);

      await expectRefused('a kind that no archive holds');
    },
  );

  test.each([0, 2])('an import refuses an archive of %i teams', async (teams) => {
    await exported();
    await rewrite('records/team.jsonl', (text) => text.repeat(teams));
    await recount('team', teams);

    await expectRefused(`records/team.jsonl has ${teams} teams`);
  });

  const others = 'd0000000-0000-4000-8000-000000000000';

  test.each<[string, RecordKind, object, string]>([
    ['a key among stacks', 'stack', keys.key(HASH), 'not that of a stack'],
    ['a run among evaluations', 'evaluation', keys.run(DATASET, RUN), 'not that of a evaluation'],
    ['a dataset with the id of a run', 'version', { ...keys.version(RUN, 2), dataset_id: RUN }, 'none of'],
    ['a chunk of a dataset', 'chunk', keys.chunk(DATASET, 3), 'none of'],
    ['a training that is a run', 'training', { ...keys.training(RUN), experiment_id: TRAINING }, 'its ids'],
    ['a dataset under the key of another', 'dataset', keys.dataset(others), 'its ids'],
    ['a run under the key of another', 'run', keys.run(DATASET, others), 'its ids'],
    ['a run of a dataset of others', 'run', { dataset_id: others }, 'its ids'],
    ['a version under another number', 'version', keys.version(DATASET, 3), 'its ids'],
    ['a training of a dataset of others', 'training', { dataset_id: others }, 'its dataset'],
    ['a team of another key', 'team', keys.team(others), 'its ids'],
    ['another team', 'team', { ...keys.team(others), team_id: others }, 'another team'],
    ['an organization of another key', 'organization', keys.organization(others), 'its ids'],
    ['a user of another key', 'user', keys.user(others), 'its ids'],
    ['a member of another key', 'member', keys.member(TEAM, others), 'its ids'],
    ['a plan of another key', 'plan', keys.plan('other'), 'its ids'],
    ['a voucher of another key', 'voucher', keys.voucher('OTHER'), 'its ids'],
    ['a voucher of another team', 'voucher', { team_id: others }, 'another team'],
    ['a voucher of all teams', 'voucher', { team_id: null }, 'another team'],
    [
      'a stack of another team',
      'stack',
      { ...keys.stack(others, 'support'), team_id: others },
      'another team',
    ],
    ['an evaluation of another team', 'evaluation', { team_id: others }, 'another team'],
    ['a dataset on a list of others', 'dataset', { list_pk: lists.datasets(others) }, 'not on the list'],
    ['a dataset on the list of events', 'dataset', { list_pk: lists.outbox }, 'not on the list OUTBOX'],
    ['a training on a list of others', 'training', { list_pk: lists.trainings(others) }, 'not on the list'],
    ['a run on the list of active ones', 'run', { list_pk: lists.activeRuns }, 'not on the list ACTIVE_RUNS'],
    ['a run on the list of pilots of others', 'run', { list_pk: lists.pilots(others) }, 'not on the list'],
    ['a version on the list of grades', 'version', { list_pk: lists.grades }, 'not on the list GRADES'],
    ['a stack on a list', 'stack', { list_pk: lists.plans }, 'not on the list PLANS'],
    ['a user on the list of teams', 'user', { list_pk: lists.teams }, 'not on the list TEAMS'],
    ['a grade of a dataset of others', 'evaluation', { list_created: `${AT}#${others}` }, 'its grade'],
    ['a run that is active', 'run', { status: 'running' }, 'active work'],
    ['a training that is active', 'training', { status: 'pending' }, 'active work'],
    [
      'rows of others',
      'dataset',
      { manifest_key: objectKeys.manifest(others) },
      'object of others: datasets/',
    ],
    ['a file of the pool', 'dataset', { raw_key: objectKeys.poolLoad('x') }, 'object of others: pool/'],
    ['an upload of others', 'dataset', { batch_key: objectKeys.upload(others, DATASET, 'x') }, 'uploads/'],
    [
      'a way out of its prefix',
      'dataset',
      { raw_key: `datasets/${DATASET}/../${others}/x` },
      'object of others',
    ],
    [
      'results of others',
      'evaluation',
      { results_key: objectKeys.evaluation(others) },
      'object of others: runs/',
    ],
    [
      'an artifact of others',
      'training',
      { best: { gguf_key: `trainings/${others}/x` } },
      'object of others: tr',
    ],
    [
      'keys of others in a list',
      'run',
      { train_keys: ['x', `exports/${others}/x`] },
      'object of others: exports/',
    ],
    [
      'a key of others by any name',
      'version',
      { rows: { at: `datasets/${others}/x` } },
      'object of others: data',
    ],
  ])('an import refuses %s, and names the item', async (_what, kind, change, fault) => {
    await exported();
    const path = `records/${kind}.jsonl`;
    const [first = {}, ...rest] = await linesOf(path);
    const changed = { ...first, ...change };
    await rewrite(path, () => [changed, ...rest].map((item) => `${JSON.stringify(item)}\n`).join(''));

    await expectRefused(`${path} has an item [^]*${fault}`);
  });

  test.each(['../../etc/passwd', '/etc/passwd', 'a//b', './a'])(
    'an import refuses a checksum of %s',
    async (path) => {
      await exported();
      await appendFile(join(folder, 'SHA256SUMS'), `${HASH}  ${path}\n`);

      await expect(imported()).rejects.toThrow('not a checksum');
    },
  );

  test('an import refuses the installation that it came from, and any with another dataset of an id', async () => {
    await exported();
    to = from;
    await expect(imported('Other')).rejects.toThrow(`has the team ${TEAM}`);

    to = install();
    await putItem(to.store.table, { ...keys.dataset(DATASET), team_id: CHILD });
    await expect(imported()).rejects.toThrow(`another dataset ${DATASET}`);
    expect(to.store.table.items()).toHaveLength(1);
  });

  test('an import takes another name where its own is taken, and keeps users and plans apart', async () => {
    await exported();
    await ensureTeam(admin(to), 'Ours', 'Org');
    await to.store.access.createUser({ user_id: CHILD, name: 'operator', created_at: AT });
    await expect(imported()).rejects.toThrow('--name');

    const { notes } = await imported('Theirs');

    expect(notes.join()).toMatch(/organization "Org" is called "Org-.*user "operator" is called "operator-/);
    expect((await to.store.access.findTeamByName('Theirs'))?.team_id).toBe(TEAM);
    expect((await to.store.access.findUserByName('operator'))?.user_id).toBe(CHILD);
    expect(await to.store.access.isMember(TEAM, USER)).toBe(true);
  });

  test('an import refuses an id below which others have objects, which the team would read', async () => {
    await exported();
    const key = `${objectKeys.report(RUN)}.of-others`;
    await to.objects.write(key, 'x', 'text/plain');

    await expect(imported()).rejects.toThrow(`under an id of the archive already: ${key}`);

    expect(to.store.table.items()).toEqual([]);
    expect(to.objects.keys()).toEqual([key]);
  });

  test('an import refuses an object that was changed since the import began', async () => {
    await exported();
    const failing = { ...to.objects, writeFile: () => Promise.reject(new Error('killed')) };
    await expect(imported(undefined, failing)).rejects.toThrow('killed');
    await to.objects.write(objectKeys.report(RUN), 'x', 'text/plain');

    await expect(imported()).rejects.toThrow(objectKeys.report(RUN));
  });
});

const LIST = {
  limit: 10,
  after: null,
  sort: 'created_at',
  descending: false,
  createdAfter: null,
  createdBefore: null,
  contains: null,
  createdByUserId: null,
  states: null,
  kinds: null,
} as const;
