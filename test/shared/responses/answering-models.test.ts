import { expect, it, vi } from 'vitest';
import type { DeploymentRecord } from '#shared/deployments/decide/record.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { AnsweringModel, TurnRequest } from '#shared/models/decide/turn.ts';
import type { HostedModel } from '#shared/platform/schema/hosted-model.ts';
import { createAnsweringModels } from '#shared/responses/answering-models.ts';
import {
  createDeployedTrainings,
  type DeployedTrainings,
  withDeployments,
} from '#shared/responses/deployed-trainings.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';

const TRAINING = '5f0c3f5e-8d0b-4b6e-9a55-1f2d3c4b5a69';
const SERVED = `smollm2-135m:${TRAINING}`;

function modelsOf(options: {
  hosted?: HostedModel[];
  training?: Pick<TrainingRecord, 'status'> & Partial<TrainingRecord>;
  served?: string | null;
  find?: () => Promise<string | null>;
  deployed?: DeployedTrainings;
  isLocal?: boolean;
}) {
  const connect = vi.fn((modelId: string) => ({ modelId }) as AnsweringModel);
  const models = createAnsweringModels({
    hosted: options.hosted ?? [{ id: 'large' }],
    contextTokens: 8192,
    connect,
    connectImported: (modelArn, baseModel) =>
      ({ modelId: `${modelArn} of ${baseModel}`, async *answer() {} }) as unknown as AnsweringModel,
    connectEndpoint: (name, baseModel, reasons) =>
      ({ modelId: `${name} of ${baseModel}${reasons ? ', reasoning' : ''}` }) as AnsweringModel,
    deployed: options.deployed ?? null,
    trainings: {
      find: async (teamId) =>
        teamId === 'team' && options.training ? (options.training as TrainingRecord) : null,
    },
    served: {
      find: options.find ?? (async () => options.served ?? null),
      list: async () => ({ ids: [], failure: null }),
    },
    isLocal: options.isLocal ?? false,
  });
  return { models, connect };
}

it('the models that answer are hosted ones at the price of the catalog, in thousandths of a credit', async () => {
  const { models } = modelsOf({
    hosted: [
      { id: 'large', input_credits: 0.29, output_credits: 1.005, context_tokens: 131_072 },
      { id: 'free', input_credits: 0, output_credits: 0 },
    ],
  });

  expect(await models.choose('team', 'large')).toEqual({
    id: 'large',
    model: { modelId: 'large' },
    price: { input_millicredits: 290, output_millicredits: 1005 },
    toolPrices: new Map(),
    contextTokens: 131_072,
  });
  expect((await models.choose('team', 'free')).price).toEqual({
    input_millicredits: 0,
    output_millicredits: 0,
  });
});

it('cost the default where nobody has said a price', async () => {
  const { models } = modelsOf({});

  expect(await models.choose('team', 'large')).toMatchObject({
    price: { input_millicredits: 5, output_millicredits: 20 },
    contextTokens: 8192,
  });
});

it.each([
  ['qwen3-8', ['qwen3-4b', 'qwen3-8b', 'large'], ' Hosted here: "qwen3-8b", "qwen3-4b".'],
  ['gpt-x', ['one', 'two'], ' Hosted here: "one", "two".'],
  ['gpt-x', ['1', '2', '3', '4', '5', '6'], ' Hosted here: "1", "2", "3", "4", "5".'],
  ['gpt-x', [], ''],
])('an unknown model is told with those that are meant or hosted: %s of %j', async (id, ids, hint) => {
  const { models } = modelsOf({ hosted: ids.map((each) => ({ id: each })) });

  await expect(models.choose('team', id)).rejects.toMatchObject({
    message: `There is no model "${id}".${hint} GET /api/v1/models lists all models.`,
  });
});

it('the models that answer are connected once', async () => {
  const { models, connect } = modelsOf({});

  await models.choose('team', 'large');
  await models.choose('other', 'large');

  expect(connect).toHaveBeenCalledTimes(1);
});

it('the models that answer are those of the own trainings, under the id that they are served by', async () => {
  const { models } = modelsOf({ training: { status: 'succeeded' }, served: SERVED });

  expect(await models.choose('team', TRAINING)).toMatchObject({
    id: TRAINING,
    model: { modelId: SERVED },
  });
});

it.each(['unknown', TRAINING, 'stack:support', SERVED])(
  'the models that answer are none of another team, and none that nobody knows: %s',
  async (id) => {
    const { models } = modelsOf({ training: { status: 'succeeded' }, served: SERVED });

    await expect(models.choose('other', id)).rejects.toMatchObject({
      code: 'model_not_found',
      details: [{ path: 'model' }],
    });
  },
);

it.each([
  ['goes on', { training: { status: 'running' } as const, served: SERVED }, /has not ended/],
  ['has failed', { training: { status: 'failed' } as const, served: SERVED }, /ended as failed/],
  ['is not served', { training: { status: 'succeeded' } as const }, /not served here.*deploy\), or download/],
  [
    'is not served on a laptop',
    { training: { status: 'succeeded' } as const, isLocal: true },
    new RegExp(`npm run local -- serve ${TRAINING}, or download it`),
  ],
])('the models that answer refuse a training that %s by saying so', async (_, options, message) => {
  await expect(modelsOf(options).models.choose('team', TRAINING)).rejects.toMatchObject({
    code: 'model_not_served',
    message: expect.stringMatching(message),
  });
});

it.each([
  ['throttled', 7, 7],
  ['unavailable', undefined, 10],
  ['timeout', undefined, 10],
] as const)(
  'the models that answer are asked for again later where their endpoint does not say what it serves: %s',
  async (kind, retryAfterSeconds, wait) => {
    const failure = new ModelError(kind, 'The model endpoint failed', { retryAfterSeconds });
    const { models } = modelsOf({
      training: { status: 'succeeded' },
      find: () => Promise.reject(failure),
    });

    await expect(models.choose('team', TRAINING)).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfterSeconds: wait,
      cause: failure,
    });
  },
);

it('a trained model answers by the name that a fine-tuning job gives it, for its own team alone', async () => {
  const { models, connect } = modelsOf({ training: { status: 'succeeded' }, served: SERVED });
  const name = `ft:SmolLM2-135M:team:support:${TRAINING.replaceAll('-', '')}`;

  expect((await models.choose('team', name)).id).toBe(TRAINING);
  expect(connect).toHaveBeenCalledWith(SERVED);
  await expect(models.choose('other', name)).rejects.toMatchObject({ code: 'model_not_found' });
  await expect(models.choose('team', `${name}:ckpt-iteration-1`)).rejects.toMatchObject({
    code: 'model_not_found',
  });
});

const ARN = 'arn:aws:bedrock:us-east-1:111122223333:imported-model/r4c4kewx2s0n';
const deployedAs = (
  record: Partial<DeploymentRecord>,
  whyNot: string | null = null,
  usedUp: string | null = null,
) => {
  const uses: string[] = [];
  const deployed: DeployedTrainings = {
    find: async () => record as DeploymentRecord,
    whyNot: async () => whyNot,
    noteUse: async ({ experiment_id }) => {
      uses.push(experiment_id);
      return usedUp;
    },
  };
  return { deployed, uses };
};
const COLUMNS = {
  prompt: 'p',
  completion: 'c',
  reasoning_trace: null,
  chosen: null,
  rejected: null,
  context: [],
};
const ready = { experiment_id: TRAINING, status: 'ready', model_arn: ARN } as const;

it('a trained model that is imported answers by its deployment, whose use is noted', async () => {
  const { deployed, uses } = deployedAs(ready);
  const training = { status: 'succeeded', model: 'acme/base', columns: COLUMNS } as const;
  const { models, connect } = modelsOf({ training, deployed });

  const chosen = await models.choose('team', TRAINING);

  expect(chosen).toMatchObject({
    id: TRAINING,
    model: { modelId: `${ARN} of acme/base` },
    price: { input_millicredits: 5, output_millicredits: 20 },
  });
  // What is refused before the model is asked keeps no instance.
  expect(uses).toEqual([]);
  for await (const _ of chosen.model.answer({} as TurnRequest, AbortSignal.timeout(1000))) break;
  expect(uses).toEqual([TRAINING]);
  expect(connect).not.toHaveBeenCalled();
});

it.each([
  [null, 'tunesmith-dev-1 of acme/base'],
  ['trace', 'tunesmith-dev-1 of acme/base, reasoning'],
])(
  'a trained model with an endpoint answers by its name, and reasons if it was trained so: %s',
  async (reasoning_trace, modelId) => {
    const { deployed } = deployedAs({ ...ready, platform: 'amazon_sagemaker', name: 'tunesmith-dev-1' });
    const columns = { ...COLUMNS, reasoning_trace };
    const { models } = modelsOf({ training: { status: 'succeeded', model: 'acme/base', columns }, deployed });

    expect((await models.choose('team', TRAINING)).model).toMatchObject({ modelId });
  },
);

it('a trained model whose hours of the day are used up does not answer, and is not kept ready for the request', async () => {
  const { deployed, uses } = deployedAs(ready, 'it has been kept ready for 8 hours today.');
  const training = { status: 'succeeded', model: 'acme/base', columns: COLUMNS } as const;

  await expect(modelsOf({ training, deployed }).models.choose('team', TRAINING)).rejects.toMatchObject({
    code: 'model_not_served',
    message: expect.stringMatching(/kept ready for 8 hours today/),
  });
  expect(uses).toEqual([]);
});

it('a trained model whose hours are used up by others at the same moment is not asked', async () => {
  const { deployed } = deployedAs(ready, null, 'the models of your team have been kept ready for 8 hours.');
  const training = { status: 'succeeded', model: 'acme/base', columns: COLUMNS } as const;
  const { model } = await modelsOf({ training, deployed }).models.choose('team', TRAINING);

  const parts = model.answer({} as TurnRequest, AbortSignal.timeout(1000));

  await expect(parts[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'model_not_served',
    message: expect.stringMatching(/kept ready for 8 hours/),
  });
});

it.each([
  [479, 8, null],
  [480, 8, /in a day. They answer again from midnight/],
  [4320, null, null],
])(
  'a trained model of a team whose models were ready for %i minutes, with %s hours a day, answers unless they are used up',
  async (minutes, hours, told) => {
    const store = {
      find: async () => null,
      readyMinutes: async () => minutes,
      noteUse: async (_record: DeploymentRecord, _now: number, max: number | null) =>
        max === null || minutes < max,
    };
    const deployed = createDeployedTrainings(store, () => Date.parse('2026-11-01T23:00:00Z'), hours);
    const record = { ...ready, team_id: 'team' } as unknown as DeploymentRecord;

    for (const why of [await deployed.whyNot(record), await deployed.noteUse(record)]) {
      if (told === null) expect(why).toBeNull();
      else expect(why).toMatch(told);
    }
  },
);

it('the imported model of another team is not found', async () => {
  const { deployed, uses } = deployedAs(ready);

  await expect(
    modelsOf({ training: { status: 'succeeded' }, deployed }).models.choose('other', TRAINING),
  ).rejects.toMatchObject({ code: 'model_not_found' });
  expect(uses).toEqual([]);
});

it.each([
  ['is being made', { status: 'preparing' }, /being deployed/],
  ['has failed', { status: 'failed', reason: 'It is too large.' }, /deployment failed: It is too large\./],
  ['is being deleted', { status: 'deleting', model_arn: ARN }, /being deleted/],
] as const)(
  'a trained model whose deployment %s does not answer, and says why',
  async (_, record, message) => {
    const { deployed } = deployedAs(record);

    await expect(
      modelsOf({ training: { status: 'succeeded' }, deployed }).models.choose('team', TRAINING),
    ).rejects.toMatchObject({ code: 'model_not_served', message: expect.stringMatching(message) });
  },
);

it('models that are imported are listed beside those of the endpoint, when they answer', async () => {
  const failure = new ModelError('timeout', 'The model did not answer');
  const served = { find: async () => null, list: async () => ({ ids: ['of-the-endpoint'], failure }) };
  const records = [ready, { experiment_id: 'importing', status: 'importing', model_arn: null }];
  const deployments = {
    async *list() {
      yield* records as DeploymentRecord[];
    },
  };

  expect(await withDeployments(served, deployments).list()).toEqual({
    ids: ['of-the-endpoint', TRAINING],
    failure,
  });
});
