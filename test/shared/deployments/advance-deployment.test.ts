import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AdvanceDeploymentPorts, advanceDeployment } from '#shared/deployments/advance-deployment.ts';
import { dataStart, toFloats } from '#shared/deployments/decide/merge.ts';
import {
  DeploymentRefused,
  type EndpointState,
  type ImportState,
  NoCapacity,
} from '#shared/deployments/decide/ports.ts';
import { claimOfDeployment, type DeploymentRecord, PART_BYTES } from '#shared/deployments/decide/record.ts';
import { toDeployment } from '#shared/deployments/decide/view.ts';
import { retireDeployment } from '#shared/deployments/retire-deployment.ts';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import { sweepDeployments } from '#shared/deployments/sweep-deployments.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { unpackArchive } from '#shared/publishing/adapters/unpack-archive.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { tarEntry } from '#shared/training/decide/tar-entry.ts';
import { ADAPTER_FILES, BASE_FILES, createScriptedBaseModels, MERGED } from '#test/helpers/base-models.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { bfloats, floats, safetensors } from '#test/helpers/safetensors.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const BASE = 'meta-llama/Llama-3.2-3B-Instruct';
const ARN = 'arn:aws:bedrock:us-east-1:111122223333:imported-model/r4c4kewx2s0n';
const JOB = 'arn:aws:bedrock:us-east-1:111122223333:model-import-job/abcdefghijkl';
const DAY = 86_400_000;

let now: number;
let world: World;
let training: TrainingRecord;
let record: DeploymentRecord;
let ports: AdvanceDeploymentPorts;
let imported: { name: string; prefix: string }[];
let removed: string[];
let state: ImportState;
let made: string[];
let scaled: string[];
let endpoint: EndpointState;
let isGone: boolean;
let held: { desired: number; current: number; instances: number };
let overdue: (string | null)[];
let errors: unknown[];

const archive = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
  gzipSync(
    Buffer.concat([
      ...Object.entries(files).map(([name, body]) => tarEntry(name, Buffer.from(body))),
      Buffer.alloc(1024),
    ]),
  );

beforeEach(async () => {
  now = Date.parse('2026-11-01T12:00:00Z');
  world = createWorld(() => now);
  const owner = await seedTeam(world.store, 0);
  const dataset = await seedTrainable(world, owner);
  training = await launchTraining(world, dataset, { model: BASE });
  const best = bestOf(training.experiment_id);
  await endTrainingNow(world, training, { best });
  await world.objects.write(best.artifact_key, archive(ADAPTER_FILES), 'application/gzip');
  imported = [];
  removed = [];
  errors = [];
  state = { state: 'running' };
  made = [];
  scaled = [];
  endpoint = { state: 'running' };
  isGone = true;
  held = { desired: 1, current: 1, instances: 1 };
  overdue = [];
  const deployments = createDeploymentRepository(world.table);
  ports = {
    deployments,
    trainings: world.store.trainings,
    objects: world.objects,
    claims: createClaims(world.table),
    unpack: unpackArchive,
    baseModels: createScriptedBaseModels(),
    findConnection: async () => null,
    importer: {
      async start(name, prefix) {
        imported.push({ name, prefix });
        return JOB;
      },
      findJob: async () => (imported.length > 0 ? JOB : null),
      look: async () => state,
      unitsOf: async () => 2,
      remove: async (arn) => void removed.push(arn),
    },
    endpoints: {
      prepare: async () => {},
      async make(name, prefix, { instanceType }) {
        made.push(`${name} ${prefix} ${instanceType}`);
        return endpoint;
      },
      copiesOf: async () => held,
      async setCopies(name, copies) {
        held = { ...held, desired: copies };
        return scaled.push(`${name} ${copies}`) > 0;
      },
      async remove(name) {
        removed.push(name);
        return isGone;
      },
    },
    modelServer: { put: async () => {}, remove: async (id) => void removed.push(id) },
    clock: { now: () => now },
    idleDays: 14,
    hoursPerDay: 8,
    onError: (error) => errors.push(error),
    onOverdue: ({ unsettled_since }) => overdue.push(unsettled_since),
  };
  record = {
    experiment_id: training.experiment_id,
    dataset_id: dataset.dataset_id,
    team_id: owner.team_id,
    model: BASE,
    platform: 'amazon_bedrock',
    status: 'queued',
    name: 'tunesmith-dev-1',
    base: null,
    job_arn: null,
    model_arn: null,
    units_per_copy: null,
    copies: null,
    copies_seen_at: null,
    unsettled_since: null,
    waits_for: null,
    waits_since: null,
    retry_at: null,
    warm_until: null,
    failures: 0,
    reason: null,
    created_at: new Date(now).toISOString(),
    ready_at: null,
    last_used_at: null,
  };
  await deployments.create(record, { experiment_ids: [record.experiment_id], version: 0 });
});

let invocations = 0;
/** Each is an invocation of its own, which works only if those before have left the deployment. */
const advance = (given: Partial<AdvanceDeploymentPorts> = {}, minutes = 15) => {
  invocations += 1;
  const deadline = now + minutes * 60_000;
  return advanceDeployment(
    { ...ports, ...given },
    training.experiment_id,
    deadline,
    `invocation ${invocations}`,
  );
};
const find = async (): Promise<DeploymentRecord> => {
  const found = await ports.deployments.find(training.experiment_id);
  if (found === null) throw new Error('no deployment');
  return found;
};
const change = (changes: Partial<DeploymentRecord>) =>
  ports.deployments.update(record, changes, ['queued', 'preparing', 'importing', 'ready']);
const model = (name: string) => world.objects.read(objectKeys.deployedModel(training.experiment_id, name));
const filesLeft = () =>
  world.objects.keys().filter((key) => key.startsWith(objectKeys.deployment(training.experiment_id)));

describe('a deployment on Amazon Bedrock', () => {
  test('a deployment on Amazon Bedrock merges the adapter into the weights of its base model, and has the files imported', async () => {
    expect(await advance()).toEqual({ status: 'importing' });

    expect(errors).toEqual([]);
    expect(await model('model.safetensors')).toEqual(MERGED);
    expect(filesLeft().map((key) => key.split('/').slice(3).join('/'))).toEqual([
      'adapter/adapter_config.json',
      'adapter/adapter_model.safetensors',
      'adapter/tokenizer_config.json',
      'model/config.json',
      'model/model.safetensors',
      'model/tokenizer.json',
      'model/tokenizer_config.json',
    ]);
    expect(JSON.parse((await model('tokenizer_config.json'))?.toString() ?? '')).toEqual({
      chat_template: '{{ messages }}',
    });
    expect(imported).toEqual([
      { name: 'tunesmith-dev-1', prefix: objectKeys.deployedModel(training.experiment_id, '') },
    ]);
  });

  test('a deployment on Amazon Bedrock is ready when the import is done, and leaves no file behind', async () => {
    await advance();
    expect(await advance()).toEqual({ status: 'importing' });
    state = { state: 'done', modelArn: ARN };
    now += 600_000;

    expect(await advance()).toEqual({ status: 'ready' });

    expect(await find()).toMatchObject({
      model_arn: ARN,
      units_per_copy: 2,
      ready_at: '2026-11-01T12:10:00.000Z',
      reason: null,
    });
    expect(imported).toHaveLength(1);
    expect(filesLeft()).toEqual([]);
  });

  test('a deployment on Amazon Bedrock takes the chat template from a file of its own, else from the training', async () => {
    const { 'tokenizer_config.json': _, ...files } = BASE_FILES;
    await advance({
      baseModels: createScriptedBaseModels({ ...files, 'chat_template.jinja': Buffer.from('own') }),
    });
    expect((await model('tokenizer_config.json'))?.toString()).toContain('"chat_template": "own"');

    await change({ base: null, status: 'preparing', job_arn: null });
    await advance({ baseModels: createScriptedBaseModels(files) });
    expect((await model('tokenizer_config.json'))?.toString()).toContain('that of the training');
  });

  test('a deployment on Amazon Bedrock goes on with the parts that are left when the time of a function was up', async () => {
    expect(await advance({}, 1)).toEqual({ status: 'preparing' });
    expect(imported).toEqual([]);

    expect(await advance()).toEqual({ status: 'importing' });
    expect(await model('model.safetensors')).toEqual(MERGED);
  });

  test('a deployment on Amazon Bedrock of which a function was ended between two parts merges the second one alone, and no weight twice', async () => {
    const values = bfloats([2, 4], [1, 2, 3, 4, 5, 6, 7, 8]);
    const filler = { dtype: 'U8', shape: [PART_BYTES], bytes: Buffer.alloc(PART_BYTES) };
    const weights = safetensors({ 'model.layers.0.self_attn.q_proj.weight': values, filler });
    const baseModels = createScriptedBaseModels({ ...BASE_FILES, 'model.safetensors': weights });
    const objects = {
      ...ports.objects,
      async writePart(...asked: Parameters<typeof ports.objects.writePart>) {
        const etag = await ports.objects.writePart(...asked);
        now += 14 * 60_000;
        return etag;
      },
    };

    expect(await advance({ baseModels, objects })).toEqual({ status: 'preparing' });
    expect((await find()).base?.files[0]?.etags).toHaveLength(1);
    baseModels.reads.splice(0);
    expect(await advance({ baseModels })).toEqual({ status: 'importing' });

    expect(baseModels.reads.at(-1)).toBe(`model.safetensors ${PART_BYTES}-${weights.length}`);
    const merged = await model('model.safetensors');
    const start = dataStart(weights);
    expect([...toFloats(merged?.subarray(start, start + 16) ?? Buffer.alloc(0), 'BF16')]).toEqual([
      3, 4, 5, 6, 5, 6, 7, 8,
    ]);
    expect(merged?.length).toBe(weights.length);
  });

  test('a deployment on Amazon Bedrock of a checkpoint imports its own weights with the configuration of the base model', async () => {
    const weights = safetensors({ w: floats([1], [7]) });
    await world.objects.write(
      bestOf(training.experiment_id).artifact_key,
      archive({
        'model.safetensors': weights,
        'config.json': '{"trained":true}',
        'tokenizer_config.json': '{}',
      }),
      'application/gzip',
    );

    expect(await advance()).toEqual({ status: 'importing' });

    expect(await model('model.safetensors')).toEqual(weights);
    expect(await model('config.json')).toEqual(BASE_FILES['config.json']);
  });

  test('a deployment on Amazon Bedrock opens a base model with the token of the team', async () => {
    const baseModels = createScriptedBaseModels(BASE_FILES, 'hf_token');

    expect(await advance({ baseModels })).toEqual({ status: 'failed' });
    expect((await find()).reason).toBe('The terms were not accepted.');

    await ports.deployments.create(
      { ...record, name: 'tunesmith-dev-2' },
      { experiment_ids: [record.experiment_id], version: 1 },
    );
    const findConnection = async (team: string, provider: string) =>
      team === record.team_id && provider === 'huggingface' ? 'hf_token' : null;
    expect(await advance({ baseModels, findConnection })).toEqual({ status: 'importing' });
  });

  test.each([
    [
      'an architecture that is not imported',
      'Amazon Bedrock does not support the architecture of the model you are importing.',
    ],
    [
      'files that the role cannot read',
      'Could not access an object of the installation. Check your service role.',
    ],
  ])(
    'a deployment on Amazon Bedrock fails with the words of Amazon Bedrock for %s, and leaves no file behind',
    async (_, reason) => {
      await advance();
      state = { state: 'failed', reason };

      expect(await advance()).toEqual({ status: 'failed' });
      expect((await find()).reason).toBe(`Amazon Bedrock did not import the model: ${reason}`);
      expect(filesLeft()).toEqual([]);
    },
  );

  test.each([
    [
      'is of another kind',
      { 'adapter_config.json': '{"peft_type":"LORA","r":1,"lora_alpha":1,"use_dora":true}' },
      /kind that is not merged/,
    ],
    [
      'changes a weight that the base model does not have',
      {
        'adapter_model.safetensors': safetensors({
          'base_model.model.other.lora_A.weight': floats([1, 4], [1, 1, 1, 1]),
          'base_model.model.other.lora_B.weight': floats([2, 1], [1, 0]),
        }),
      },
      /changes other\.weight/,
    ],
    [
      'trains more than factors',
      { 'adapter_model.safetensors': safetensors({ 'base_model.model.lm_head.weight': floats([1], [1]) }) },
      /not merged here: base_model/,
    ],
  ])('a deployment on Amazon Bedrock fails at once where the adapter %s', async (_, files, message) => {
    const { artifact_key } = bestOf(training.experiment_id);
    await world.objects.write(artifact_key, archive({ ...ADAPTER_FILES, ...files }), 'application/gzip');

    expect(await advance()).toEqual({ status: 'failed' });
    expect((await find()).reason).toMatch(message);
    expect(imported).toEqual([]);
  });

  test('a deployment on Amazon Bedrock fails after five attempts without success, and not for what it once met', async () => {
    const baseModels = { ...ports.baseModels, find: () => Promise.reject(new Error('connection reset')) };
    for (let attempt = 1; attempt < 5; attempt += 1)
      expect(await advance({ baseModels })).toEqual({ status: 'preparing' });
    expect(await advance()).toEqual({ status: 'importing' });

    await change({ base: null, status: 'preparing', failures: 4 });
    expect(await advance({ baseModels })).toEqual({ status: 'failed' });
    expect((await find()).reason).toMatch(/five attempts/);
    expect(errors).toHaveLength(5);
  });

  test('a deployment on Amazon Bedrock that is not merged within a day fails, also where functions were killed', async () => {
    await change({ status: 'preparing' });
    now += DAY + 1;

    expect(await advance()).toEqual({ status: 'failed' });
    expect((await find()).reason).toMatch(/within a day/);
  });

  test('a deployment on Amazon Bedrock whose import nobody can look after leaves no model behind', async () => {
    await advance();
    const importer = { ...ports.importer, look: () => Promise.reject(new Error('denied')) };
    for (let attempt = 1; attempt < 5; attempt += 1)
      expect(await advance({ importer })).toEqual({ status: 'importing' });

    expect(await advance({ importer })).toEqual({ status: 'deleting' });
    expect((await find()).reason).toMatch(/five attempts/);
    state = { state: 'done', modelArn: ARN };
    expect(await advance()).toEqual({ status: 'failed' });
    expect((await find()).reason).toMatch(/five attempts/);
    expect(removed).toEqual([ARN]);
  });

  test('a deployment on Amazon Bedrock waits while the account imports another model, for a day at most', async () => {
    const importer = { ...ports.importer, start: () => Promise.resolve(null) };

    expect(await advance({ importer })).toEqual({ status: 'importing' });
    expect(await find()).toMatchObject({ job_arn: null, failures: 0 });
    expect(await advance()).toEqual({ status: 'importing' });
    expect((await find()).job_arn).not.toBeNull();

    await change({ job_arn: null });
    now += 2 * DAY + 1;
    expect(await advance({ importer })).toEqual({ status: 'failed' });
    expect((await find()).reason).toMatch(/no room for another imported model/);
  });

  test('a deployment on Amazon Bedrock fails where the model was removed meanwhile', async () => {
    await world.objects.remove([bestOf(training.experiment_id).artifact_key]);

    expect(await advance()).toEqual({ status: 'failed' });
    expect((await find()).reason).toMatch(/removed together with the dataset/);
  });

  test('a deployment on Amazon Bedrock is worked on by one process at a time', async () => {
    await ports.claims.take(claimOfDeployment(training.experiment_id), 60, 'another');

    expect(await advance()).toEqual({ status: 'busy' });
    expect(imported).toEqual([]);
  });
});

describe('a deployment that ends', () => {
  const retire = () =>
    retireDeployment({ deployments: ports.deployments, start: async () => {} }, training.experiment_id);

  test('a deployment that ends is deleted with its imported model', async () => {
    await change({ status: 'ready', model_arn: ARN, ready_at: record.created_at });

    expect(await retire()).toMatchObject({ status: 'deleting' });
    expect(await advance()).toEqual({ status: 'gone' });

    expect(removed).toEqual([ARN]);
  });

  test('a deployment that ends while its import runs waits for the import, and then deletes what it made', async () => {
    await advance();
    await retire();

    expect(await advance()).toEqual({ status: 'deleting' });
    expect(removed).toEqual([]);
    state = { state: 'done', modelArn: ARN };
    expect(await advance()).toEqual({ status: 'gone' });
    expect(removed).toEqual([ARN]);
    expect(filesLeft()).toEqual([]);
  });

  test('a deployment that ends between the request of an import and its answer is found by its name', async () => {
    await change({ status: 'importing' });
    imported.push({ name: record.name, prefix: '' });
    state = { state: 'done', modelArn: ARN };
    await retire();

    expect(await advance()).toEqual({ status: 'gone' });
    expect(removed).toEqual([ARN]);
  });

  test('a deployment that ends while its weights are merged is not imported', async () => {
    const baseModels = createScriptedBaseModels();
    const find = baseModels.find.bind(baseModels);
    const late = {
      ...baseModels,
      async find(...asked: Parameters<typeof find>) {
        await retire();
        return find(...asked);
      },
    };

    expect(await advance({ baseModels: late })).toEqual({ status: 'deleting' });
    expect(imported).toEqual([]);
    expect(await advance()).toEqual({ status: 'gone' });
    expect(filesLeft()).toEqual([]);
  });

  test('a deployment that ends is tried again as long as the platform does not delete', async () => {
    await change({ status: 'ready', model_arn: ARN, ready_at: record.created_at });
    await retire();
    const importer = { ...ports.importer, remove: () => Promise.reject(new Error('throttled')) };

    for (let n = 1; n <= 4; n += 1) expect(await advance({ importer })).toEqual({ status: 'deleting' });
    // From the fifth time on the function fails, which an alarm tells: the model may cost money.
    for (let n = 5; n <= 7; n += 1) await expect(advance({ importer })).rejects.toThrow('throttled');
    expect(await advance()).toEqual({ status: 'gone' });
  });

  test('a deployment that ends that nobody used for as many days as the setting says is deleted, and one that was used is not', async () => {
    await change({ status: 'ready', model_arn: ARN, ready_at: record.created_at });
    now += 10 * DAY;
    await createDeploymentRepository(world.table).noteUse(await find(), now, 480);
    now += 5 * DAY;
    expect(await advance()).toEqual({ status: 'ready' });

    now += 9 * DAY;
    expect(await advance()).toEqual({ status: 'gone' });
    expect(removed).toEqual([ARN]);
  });

  test('a deployment that ends without such a setting stays', async () => {
    await change({ status: 'ready', model_arn: ARN, ready_at: record.created_at });
    now += 1000 * DAY;

    expect(await advance({ idleDays: null })).toEqual({ status: 'ready' });
  });

  test('a deployment that ends a use is noted once an hour', async () => {
    await change({ status: 'ready', model_arn: ARN, ready_at: record.created_at });
    const store = createDeploymentRepository(world.table);
    const noted = async (minutes: number): Promise<string | null> => {
      await store.noteUse(await find(), now + minutes * 60_000, 480);
      return (await find()).last_used_at;
    };

    expect(await noted(30)).toBeNull();
    expect(await noted(60)).toBe('2026-11-01T13:00:00.000Z');
    expect(await noted(90)).toBe('2026-11-01T13:00:00.000Z');
  });
});

describe('a deployment on Amazon SageMaker', () => {
  const COMPONENT = 'arn:aws:sagemaker:us-east-1:111122223333:inference-component/tunesmith-dev-1';
  const MINUTE = 60_000;
  const noteUse = async () => createDeploymentRepository(world.table).noteUse(await find(), now, 480);
  const minutes = () => ports.deployments.readyMinutes(record.team_id, now);

  beforeEach(() => change({ platform: 'amazon_sagemaker' }));

  async function seedOthers(count: number): Promise<DeploymentRecord[]> {
    const others = Array.from({ length: count }, (_, n) => ({
      ...record,
      platform: 'amazon_sagemaker' as const,
      experiment_id: `0000000${n}-0000-4000-8000-000000000000`,
    }));
    for (const [n, other] of others.entries()) {
      await ports.deployments.create(other, { experiment_ids: [], version: n + 1 });
    }
    return others;
  }

  async function deployed(): Promise<void> {
    await advance();
    endpoint = { state: 'done', modelArn: COMPONENT };
    expect(await advance()).toEqual({ status: 'ready' });
  }

  test('a deployment on Amazon SageMaker merges the weights, has an endpoint made, and keeps the files that it reads', async () => {
    expect(await advance()).toEqual({ status: 'importing' });
    expect(await advance()).toEqual({ status: 'importing' });
    expect((await find()).failures).toBe(0);
    endpoint = { state: 'done', modelArn: COMPONENT };
    now += 8 * MINUTE;

    expect(await advance()).toEqual({ status: 'ready' });

    const prefix = objectKeys.deployedModel(training.experiment_id, '');
    expect(made).toEqual(Array(3).fill(`tunesmith-dev-1 ${prefix} ml.g6.xlarge`));
    expect(await find()).toMatchObject({
      model_arn: COMPONENT,
      copies: 1,
      ready_at: '2026-11-01T12:08:00.000Z',
      warm_until: '2026-11-01T12:28:00.000Z',
    });
    expect(await model('model.safetensors')).toEqual(MERGED);
    expect(imported).toEqual([]);
  });

  test('a deployment on Amazon SageMaker that its region refuses fails before anything is merged, and leaves no configuration', async () => {
    const refused = new DeploymentRefused('Amazon SageMaker refused the endpoint: no such instance here');
    const endpoints = { ...ports.endpoints, prepare: () => Promise.reject(refused) };

    expect(await advance({ endpoints })).toEqual({ status: 'deleting' });
    expect(filesLeft()).toEqual([]);
    expect(await advance()).toEqual({ status: 'failed' });
    expect(await find()).toMatchObject({ reason: refused.message, base: null });
    expect(removed).toEqual(['tunesmith-dev-1']);
    expect(made).toEqual([]);
  });

  test('a deployment on Amazon SageMaker whose parts are not seen yet is tried again, five times at most', async () => {
    const unseen = new Error('Could not find endpoint configuration "x".');
    const endpoints = { ...ports.endpoints, make: () => Promise.reject(unseen) };

    for (let n = 1; n <= 4; n += 1) expect(await advance({ endpoints })).toEqual({ status: 'importing' });
    expect(await advance({ endpoints })).toEqual({ status: 'deleting' });
    expect((await find()).reason).toMatch(/in five attempts/);
  });

  test('a deployment on Amazon SageMaker ends its copy 20 minutes after the last use, and starts it for the next', async () => {
    await deployed();
    now += 10 * MINUTE;
    await noteUse();
    now += 19 * MINUTE;
    expect(await advance()).toEqual({ status: 'ready' });
    expect(scaled).toEqual([]);

    now += MINUTE;
    expect(await advance()).toEqual({ status: 'ready' });
    expect(await advance()).toEqual({ status: 'ready' });
    expect(scaled).toEqual(['tunesmith-dev-1 0']);

    now += 60 * MINUTE;
    await noteUse();
    expect(await advance()).toEqual({ status: 'ready' });
    expect(scaled).toEqual(['tunesmith-dev-1 0', 'tunesmith-dev-1 1']);
    expect((await find()).copies).toBe(1);
  });

  test('a deployment on Amazon SageMaker is swept when its copy is to start or to end until it has, and not between', async () => {
    const started: string[] = [];
    const start = async ({ experiment_id }: { experiment_id: string }) => void started.push(experiment_id);
    const sweep = () => sweepDeployments({ deployments: ports.deployments, idleDays: 14, start }, now);
    await deployed();

    expect(await sweep()).toBe(0);
    now += 20 * MINUTE;
    expect(await sweep()).toBe(1);
    await advance();
    expect(await sweep()).toBe(1);
    held = { desired: 0, current: 0, instances: 0 };
    await advance();
    expect(await sweep()).toBe(0);
    await noteUse();
    expect(await sweep()).toBe(1);
  });

  test('a deployment on Amazon SageMaker whose copies somebody changed gets back those that it was told', async () => {
    await deployed();
    now += 20 * MINUTE;
    await advance();
    held = { desired: 0, current: 0, instances: 0 };
    await advance();
    held = { desired: 1, current: 1, instances: 1 };
    now += 14 * MINUTE;
    await advance();
    expect(scaled).toEqual(['tunesmith-dev-1 0']);

    now += MINUTE;
    await advance();
    expect(scaled).toEqual(['tunesmith-dev-1 0', 'tunesmith-dev-1 0']);

    held = { desired: 0, current: 0, instances: 0 };
    now += MINUTE;
    await advance();
    expect(scaled).toHaveLength(2);
    expect(await find()).toMatchObject({ copies: 0, failures: 0, unsettled_since: null });
  });

  async function reason(): Promise<string | null> {
    const settings = { platforms: ['amazon_sagemaker' as const], region: '', idleDays: null, hoursPerDay: 8 };
    const ended = { ...training, status: 'succeeded' as const, best: bestOf(training.experiment_id) };
    return toDeployment(settings, ended, await find(), 0, now).reason;
  }

  /** Does what is due each minute. */
  async function pass(minutes: number): Promise<void> {
    for (let n = 0; n < minutes; n += 1) {
      now += MINUTE;
      await advance();
    }
  }

  test.each([
    ['a copy', { desired: 0, current: 1, instances: 1 }],
    ['an instance without a copy', { desired: 0, current: 0, instances: 1 }],
  ])(
    'a deployment on Amazon SageMaker that keeps %s after its end is overdue three quarters of an hour later',
    async (_, kept) => {
      await deployed();
      held = kept;
      await pass(64);
      expect(overdue).toEqual([]);

      await pass(1);
      expect(overdue).toEqual(['2026-11-01T12:20:00.000Z']);
      held = { desired: 0, current: 0, instances: 0 };
      await pass(20);
      expect(overdue).toHaveLength(1);
      expect(await find()).toMatchObject({ status: 'ready', unsettled_since: null, failures: 0 });
    },
  );

  test('a deployment on Amazon SageMaker whose copy comes after 16 minutes is never overdue', async () => {
    await deployed();
    await pass(60);
    for (let round = 0; round < 3; round += 1) {
      await noteUse();
      held = { desired: 1, current: 0, instances: 0 };
      await pass(16);
      held = { desired: 1, current: 1, instances: 1 };
      await pass(5);
      held = { desired: 0, current: 0, instances: 0 };
      await pass(30);
    }

    expect(overdue).toEqual([]);
  });

  test('a deployment on Amazon SageMaker to which no copy comes while it is asked is overdue when its time ends, and says so meanwhile', async () => {
    await deployed();
    held = { desired: 0, current: 0, instances: 0 };
    await pass(60);
    await noteUse();
    held = { desired: 1, current: 0, instances: 0 };
    await pass(19);
    expect(await reason()).toMatch(/started no ml\.g6\.xlarge for the model since 2026-11-01T13:01:00/);
    expect(overdue).toEqual([]);

    await pass(1);
    expect(overdue).toEqual(['2026-11-01T13:01:00.000Z']);
    expect((await find()).copies).toBe(0);
  });

  test('a deployment on Amazon SageMaker whose endpoint stays busy is overdue three quarters of an hour after it was told so', async () => {
    await deployed();
    const busy = { ...ports.endpoints, setCopies: async () => false };
    now += 20 * MINUTE;
    await advance({ endpoints: busy });
    expect(overdue).toEqual([]);
    now += 44 * MINUTE;
    await advance({ endpoints: busy });
    expect(overdue).toEqual([]);
    now += MINUTE;
    await advance({ endpoints: busy });
    expect(overdue).toHaveLength(1);
  });

  test('a deployment on Amazon SageMaker that is asked again and again without a copy is overdue each minute from three quarters of an hour on', async () => {
    await deployed();
    held = { desired: 0, current: 0, instances: 0 };
    await pass(60);
    held = { desired: 1, current: 0, instances: 0 };
    for (let n = 0; n < 46; n += 1) {
      await noteUse();
      await pass(1);
    }

    expect(overdue).toEqual(['2026-11-01T13:01:00.000Z']);
  });

  test('a deployment on Amazon SageMaker tries a copy again that SageMaker could not change', async () => {
    await deployed();
    now += 20 * MINUTE;
    const busy = { ...ports.endpoints, setCopies: () => Promise.reject(new Error('in progress')) };

    expect(await advance({ endpoints: busy })).toEqual({ status: 'ready' });
    expect(await find()).toMatchObject({ copies: 1, failures: 1 });
    expect(await advance()).toEqual({ status: 'ready' });
    expect(await find()).toMatchObject({ copies: 0, failures: 0 });
  });

  test('a deployment on Amazon SageMaker stays, however often its platform fails or is busy', async () => {
    await deployed();
    now += 20 * MINUTE;
    const away = { ...ports.endpoints, setCopies: () => Promise.reject(new Error('ServiceUnavailable')) };
    for (let n = 1; n <= 4; n += 1) expect(await advance({ endpoints: away })).toEqual({ status: 'ready' });
    // From the fifth time on the function fails, which an alarm tells.
    for (let n = 5; n <= 12; n += 1)
      await expect(advance({ endpoints: away })).rejects.toThrow('ServiceUnavailable');
    expect(await find()).toMatchObject({ status: 'ready', copies: 1, failures: 12 });

    const busy = { ...ports.endpoints, setCopies: async () => false };
    expect(await advance({ endpoints: busy })).toEqual({ status: 'ready' });
    expect(await find()).toMatchObject({ copies: 1 });
  });

  test('a deployment on Amazon SageMaker that cannot start any more is deleted there, and stays as failed with the reason', async () => {
    await deployed();
    now += 20 * MINUTE;
    const refused = new DeploymentRefused('Amazon SageMaker does not start the model any more: no file');
    const endpoints = { ...ports.endpoints, setCopies: () => Promise.reject(refused) };

    expect(await advance({ endpoints })).toEqual({ status: 'deleting' });
    expect(await advance()).toEqual({ status: 'failed' });
    expect(await find()).toMatchObject({ reason: refused.message });
    expect(removed).toEqual(['tunesmith-dev-1']);
    expect(filesLeft()).toEqual([]);
  });

  test.each([
    ['fails', { state: 'failed', reason: 'the container did not pass its health check' }, /health check/],
    ['is refused', new DeploymentRefused('Refused.'), /^Refused\.$/],
  ] as const)(
    'a deployment on Amazon SageMaker whose endpoint %s leaves nothing behind but the reason',
    async (_, outcome, message) => {
      await advance();
      const make = async () => {
        if (outcome instanceof Error) throw outcome;
        return outcome;
      };

      expect(await advance({ endpoints: { ...ports.endpoints, make } })).toEqual({ status: 'deleting' });
      isGone = false;
      expect(await advance()).toEqual({ status: 'deleting' });
      isGone = true;
      expect(await advance()).toEqual({ status: 'failed' });

      expect((await find()).reason).toMatch(message);
      expect(filesLeft()).toEqual([]);
    },
  );

  test('a deployment on Amazon SageMaker waits for an instance, for two days at most', async () => {
    endpoint = { state: 'no_room' };
    expect(await advance()).toEqual({ status: 'importing' });
    expect(await find()).toMatchObject({ failures: 0, waits_for: 'room' });

    now += 2 * DAY + 1;
    expect(await advance()).toEqual({ status: 'deleting' });
    expect((await find()).reason).toMatch(/no room for another ml\.g6\.xlarge/);
  });

  const NO_CAPACITY = { state: 'no_capacity', hadInstance: false } as const;

  test('a deployment on Amazon SageMaker for which AWS has no instance keeps the merged model, says so, and is made again after ten minutes', async () => {
    await advance();
    now += 7 * MINUTE;
    endpoint = NO_CAPACITY;

    expect(await advance()).toEqual({ status: 'importing' });
    expect(await reason()).toMatch(/AWS has no ml\.g6\.xlarge to give .* merged model is kept/);
    isGone = false;
    await pass(2);
    isGone = true;
    await pass(7);
    expect(made).toHaveLength(2);
    expect(removed).toHaveLength(9);
    expect(await model('model.safetensors')).toEqual(MERGED);

    endpoint = { state: 'running' };
    await pass(1);
    expect(made).toHaveLength(3);
    await pass(3);
    expect(removed).toHaveLength(10);
    expect(await reason()).toBeNull();
    endpoint = { state: 'done', modelArn: COMPONENT };
    expect(await advance()).toEqual({ status: 'ready' });
    expect(await find()).toMatchObject({ waits_for: null, waits_since: null, retry_at: null, reason: null });
  });

  test('a deployment on Amazon SageMaker for which AWS has no instance costs its team the time of none', async () => {
    await advance();
    await pass(7);
    endpoint = NO_CAPACITY;
    await pass(1);
    expect(await minutes()).toBe(0);
    expect((await find()).warm_until).toBeNull();

    endpoint = { state: 'no_capacity', hadInstance: true };
    await pass(11);
    expect(await minutes()).toBe(20);
  });

  test('a deployment on Amazon SageMaker that had an instance, and then has no room, costs its team no more time, and begins nothing without minutes', async () => {
    await advance();
    await pass(2);
    endpoint = { state: 'no_capacity', hadInstance: true };
    await pass(1);
    const counted = await minutes();
    endpoint = { state: 'no_room' };
    await pass(40);
    expect(await minutes()).toBe(counted);

    const before = made.length;
    await advance({ hoursPerDay: 0 });
    expect(made).toHaveLength(before);
  });

  test('a deployment on Amazon SageMaker for which AWS has no instance for two days fails, and leaves nothing behind', async () => {
    endpoint = NO_CAPACITY;
    await advance();
    now += 2 * DAY - MINUTE;
    expect(await advance()).toEqual({ status: 'importing' });
    now += 11 * MINUTE;

    expect(await advance()).toEqual({ status: 'deleting' });
    expect(await advance()).toEqual({ status: 'failed' });
    expect((await find()).reason).toMatch(/AWS had no ml\.g6\.xlarge to give for two days/);
    expect(filesLeft()).toEqual([]);
  });

  test.each(['setCopies', 'copiesOf'] as const)(
    'a deployment on Amazon SageMaker that answers and loses its copy for lack of instances gets another endpoint (%s)',
    async (asked) => {
      await deployed();
      now += 10 * DAY;
      await noteUse();
      if (asked === 'setCopies') await change({ copies: 0 });
      const lacking = () => Promise.reject(new NoCapacity('InsufficientInstanceCapacity'));

      expect(await advance({ endpoints: { ...ports.endpoints, [asked]: lacking } })).toEqual({
        status: 'importing',
      });
      endpoint = { state: 'running' };
      await pass(1);
      expect(removed).toEqual(['tunesmith-dev-1']);
      endpoint = { state: 'done', modelArn: COMPONENT };
      await pass(1);
      expect(await find()).toMatchObject({ status: 'ready', model_arn: COMPONENT, copies: 1 });
      expect(await model('model.safetensors')).toEqual(MERGED);
    },
  );

  test('a deployment on Amazon SageMaker that loses its copy for lack of instances while nobody asks it gets another endpoint when it is asked', async () => {
    await deployed();
    const lacking = () => Promise.reject(new NoCapacity('InsufficientInstanceCapacity'));
    const endpoints = { ...ports.endpoints, setCopies: lacking, copiesOf: lacking };
    const before = made.length;
    now += 30 * MINUTE;
    for (let minute = 0; minute < 60; minute += 1, now += MINUTE) {
      expect(await advance({ endpoints })).toEqual({ status: 'ready' });
    }
    const counted = await minutes();
    expect([made.length, removed]).toEqual([before, []]);
    expect(await find()).toMatchObject({ copies: 0, unsettled_since: null, waits_for: null });

    await noteUse();
    expect(await advance({ endpoints })).toEqual({ status: 'importing' });
    expect(await minutes()).toBe(counted + 20);
    await pass(1);
    expect(made).toHaveLength(before + 1);
  });

  test('a deployment on Amazon SageMaker whose start lasts over midnight counts each minute for its day, and takes each back from it', async () => {
    const ofDay = (day: string) => ports.deployments.readyMinutes(record.team_id, Date.parse(day));
    now = Date.parse('2026-11-01T23:50:30.000Z');
    await advance();
    await pass(15);
    expect([await ofDay('2026-11-01'), await ofDay('2026-11-02')]).toEqual([10, 25]);

    endpoint = NO_CAPACITY;
    await pass(1);
    expect([await ofDay('2026-11-01'), await ofDay('2026-11-02')]).toEqual([0, 0]);
  });

  test('a deployment on Amazon SageMaker whose endpoint is not made within three quarters of an hour is overdue, and fails after two days', async () => {
    await advance();
    await pass(44);
    expect(overdue).toEqual([]);
    await pass(1);
    expect(overdue).toEqual(['2026-11-01T12:00:00.000Z']);

    now += 2 * DAY;
    expect(await advance()).toEqual({ status: 'deleting' });
    expect((await find()).reason).toMatch(/did not start the model within two days/);
  });

  test('a deployment on Amazon SageMaker that is deleted is gone when all of its endpoint is', async () => {
    await deployed();
    await retireDeployment({ deployments: ports.deployments, start: async () => {} }, training.experiment_id);
    isGone = false;
    expect(await advance()).toEqual({ status: 'deleting' });
    expect(await model('model.safetensors')).toEqual(MERGED);

    isGone = true;
    expect(await advance()).toEqual({ status: 'gone' });
    expect(filesLeft()).toEqual([]);
  });

  test('a deployment on Amazon SageMaker that nobody used for as many days as the setting says is deleted', async () => {
    await deployed();
    now += 14 * DAY;

    expect(await advance()).toEqual({ status: 'gone' });
  });

  test('a deployment on Amazon SageMaker notes its use once a minute', async () => {
    await deployed();
    const until = async (seconds: number): Promise<string | null> => {
      now += seconds * 1000;
      await noteUse();
      return (await find()).warm_until;
    };

    expect([await until(30), await until(30), await until(59)]).toEqual([
      '2026-11-01T12:20:00.000Z',
      '2026-11-01T12:21:00.000Z',
      '2026-11-01T12:21:00.000Z',
    ]);
  });

  test('a deployment on Amazon SageMaker counts the minutes of a day for which it is kept ready, each of them once', async () => {
    await deployed();
    const minutesAfter = async (seconds: number): Promise<number> => {
      now += seconds * 1000;
      await noteUse();
      return minutes();
    };

    expect(await minutesAfter(0)).toBe(20);
    expect(await minutesAfter(600)).toBe(30);
    for (let n = 0; n < 10; n += 1) await minutesAfter(61);
    expect(await minutes()).toBe(40);
    expect(await minutesAfter(3600)).toBe(60);
    expect(await minutesAfter(12 * 3600)).toBe(20);
  });

  test('a deployment on Amazon SageMaker that is asked by many at once counts the time once', async () => {
    await deployed();
    now += 60 * MINUTE;
    const read = await find();
    const store = createDeploymentRepository(world.table);

    await Promise.all([1, 2, 3].map(() => store.noteUse(read, now, 480)));

    expect(await minutes()).toBe(40);
  });

  test('a deployment on Amazon SageMaker counts from the start of its endpoint, and its deletion gives no time back', async () => {
    await advance();
    expect(await minutes()).toBe(20);
    now += 15 * MINUTE;
    await deployed();
    expect(await minutes()).toBe(35);

    await retireDeployment({ deployments: ports.deployments, start: async () => {} }, training.experiment_id);
    expect(await advance()).toEqual({ status: 'gone' });
    endpoint = { state: 'running' };
    await ports.deployments.create(
      { ...record, platform: 'amazon_sagemaker', name: 'tunesmith-dev-2' },
      { experiment_ids: [record.experiment_id], version: 1 },
    );
    await advance();

    expect(await minutes()).toBe(55);
  });

  test('a deployment on Amazon SageMaker for which the account has no room costs its team no time', async () => {
    endpoint = { state: 'no_room' };
    await advance();
    await advance();
    const away = { ...ports.endpoints, make: () => Promise.reject(new Error('away')) };
    await advance({ endpoints: away });

    expect(await minutes()).toBe(0);
    expect((await find()).warm_until).toBeNull();
  });

  test('a deployment on Amazon SageMaker begins no endpoint without minutes of its team, until the next day', async () => {
    for (const other of await seedOthers(3)) await ports.deployments.keepReady(other, now, null);

    expect(await advance({ hoursPerDay: 1 })).toEqual({ status: 'importing' });
    expect(made).toEqual([]);
    now += DAY;
    expect(await advance({ hoursPerDay: 1 })).toEqual({ status: 'importing' });
    expect(made).toHaveLength(1);
  });

  test('a deployment on Amazon SageMaker that is begun when the minutes of its team run out is made to its end', async () => {
    await advance();
    now += 10 * MINUTE;
    endpoint = { state: 'done', modelArn: COMPONENT };

    expect(await advance({ hoursPerDay: 0 })).toEqual({ status: 'ready' });
    expect(await minutes()).toBe(20);
    expect(await ports.deployments.keepReady(await find(), now, 20)).toBeNull();
  });

  test('a deployment on Amazon SageMaker and others of its team that start at once share one bound', async () => {
    const others = await seedOthers(5);

    const counted = await Promise.all(others.map((other) => ports.deployments.keepReady(other, now, 60)));

    expect(counted.filter((each) => each === 20)).toHaveLength(3);
    expect(counted.filter((each) => each === null)).toHaveLength(2);
    expect(await minutes()).toBe(60);
  });

  test.each([
    'model.language_model.layers.0.self_attn.q_proj.weight',
    'language_model.model.layers.0.self_attn.q_proj.weight',
  ])(
    'a deployment on Amazon SageMaker of a model that also sees merges what was trained of it: %s',
    async (name) => {
      const weights = (values: readonly number[]) =>
        safetensors({ 'model.visual.norm.weight': bfloats([1], [1]), [name]: bfloats([2, 4], values) });
      const baseModels = createScriptedBaseModels({
        ...BASE_FILES,
        'model.safetensors': weights([1, 2, 3, 4, 5, 6, 7, 8]),
      });

      expect(await advance({ baseModels })).toEqual({ status: 'importing' });
      expect(await model('model.safetensors')).toEqual(weights([3, 4, 5, 6, 5, 6, 7, 8]));
    },
  );
});

describe('a deployment on the model server', () => {
  beforeEach(async () => {
    await world.store.trainings.findOfAnyTeam(training.experiment_id);
    await change({ platform: 'model_server' });
  });

  test('a deployment on the model server gives it the adapter by a link, and is ready at once', async () => {
    const put: string[] = [];
    const best = { ...bestOf(training.experiment_id), gguf_key: 'trainings/x/adapter.gguf' };
    const trainings = { findOfAnyTeam: async () => ({ ...training, best }) };
    const modelServer = {
      ...ports.modelServer,
      put: async (base: string, id: string, url: string) => void put.push(base, id, url),
    };

    expect(await advance({ trainings, modelServer })).toEqual({ status: 'ready' });
    expect(put.slice(0, 2)).toEqual([BASE, training.experiment_id]);
    expect(put[2]).toContain('adapter.gguf');
  });

  test('a deployment on the model server that does not serve the base model fails with what it says', async () => {
    const best = { ...bestOf(training.experiment_id), gguf_key: 'trainings/x/adapter.gguf' };
    const trainings = { findOfAnyTeam: async () => ({ ...training, best }) };
    const modelServer = {
      ...ports.modelServer,
      put: () => Promise.reject(new DeploymentRefused('Not served.')),
    };

    expect(await advance({ trainings, modelServer })).toEqual({ status: 'failed' });
    expect((await find()).reason).toBe('Not served.');
  });

  test('a deployment on the model server is taken from it when it is deleted', async () => {
    await change({ status: 'ready', ready_at: record.created_at });
    await retireDeployment({ deployments: ports.deployments, start: async () => {} }, training.experiment_id);

    expect(await advance()).toEqual({ status: 'gone' });
    expect(removed).toEqual([training.experiment_id]);
  });
});

test('the sweep starts what is due, and nothing that answers or has failed', async () => {
  const started: string[] = [];
  const start = async ({ experiment_id }: { experiment_id: string }) => void started.push(experiment_id);
  const sweep = () => sweepDeployments({ deployments: ports.deployments, idleDays: 14, start }, now);

  expect(await sweep()).toBe(1);
  await change({ status: 'ready', ready_at: record.created_at });
  expect(await sweep()).toBe(0);
  now += 15 * DAY;
  expect(await sweep()).toBe(1);
  await ports.deployments.update(record, { status: 'failed' }, ['ready']);
  expect(await sweep()).toBe(0);
  expect(started).toEqual([training.experiment_id, training.experiment_id]);
});
