import type * as z from 'zod';
import { type HostedModel, HostedModels } from '#shared/schema/hosted-model.ts';
import { MODEL_ROLES, type ModelRole, RespondApi } from '#shared/schema/model-role.ts';
import { ToolCatalog } from '#shared/schema/tool.ts';
import { Trainer } from '#shared/schema/training.ts';
import { listHostedModels } from './hosted-catalog.ts';
import { readCatalog } from './read-catalog.ts';

/** What a deployment is told; everything else is derived from the contracts. */
export interface Config {
  /** Name of the environment; it is part of every resource's name and of the API's URL. */
  readonly stage: string;
  /** Deployed to an emulator, which differs from AWS where a construct says so. */
  readonly emulated: boolean;
  /** Address of the emulator; null on AWS. */
  readonly emulatorUrl: string | null;
  /** Whether stateful resources outlive their stack. */
  readonly retain: boolean;
  /** Folder that `bin/build.ts` filled. */
  readonly assetRoot: string;
  readonly model: {
    readonly provider: 'bedrock' | 'openai';
    /** OpenAI-compatible URL that ends in the version (`/v1`); null for Bedrock. */
    readonly baseUrl: string | null;
    readonly ids: Readonly<Partial<Record<ModelRole, string>>>;
    /** The models that answer callers: first that of the role `respond`. */
    readonly hosted: readonly HostedModel[];
    /** How an OpenAI-compatible endpoint is asked for their answers. */
    readonly respondApi: RespondApi;
    /** Calls that may be open at once. */
    readonly concurrency: number;
    readonly contextTokens: number;
    /** Whether the model that writes answers takes images: no endpoint tells, so the operator says it. */
    readonly seesImages: boolean;
    /** Whether Bedrock is told which part of a prompt all rows share, where the model can keep it. */
    readonly cachesPrompts: boolean;
    /** The whole of one call. */
    readonly timeoutSeconds: number;
    /** Silence of the model after which workers give up. */
    readonly outageSeconds: number;
  };
  /** The tool servers that are offered to callers. */
  readonly toolCatalog: ToolCatalog;
  /** The web search on which answers may rest; null where there is none. */
  readonly search: {
    /** Address of a SearXNG instance. */
    readonly baseUrl: string;
    /** Searches that may be open at once. */
    readonly concurrency: number;
  } | null;
  readonly imports: {
    readonly huggingFaceUrl: string;
    readonly kaggleUrl: string;
    readonly googleSheetsUrl: string;
    /** `host:port` of targets that imports and calls of tools may reach wherever they are, over http too. */
    readonly egressAllow: readonly string[];
  };
  /** The trainers of this installation: they decide which models can be trained. */
  readonly trainers: readonly Trainer[];
  /** The training jobs of SageMaker that do the work of the trainer for GPUs; null where machines of one's own do. */
  readonly sagemaker: {
    readonly instanceType: string;
    /** Whether they run on machines that may be taken away from them. */
    readonly spot: boolean;
    /** Time for which one may run. */
    readonly hoursMax: number;
    readonly volumeGb: number;
  } | null;
  readonly evaluationSampleRows: number;
  readonly uploadBytesMax: number;
  /** Workers that a map runs at once on an emulator, which does not read the number from the run's plan. */
  readonly emulatedMapConcurrency: number;
  /** Who is told of alarms; null tells nobody, and alarms are seen in CloudWatch alone. */
  readonly alarmEmail: string | null;
  /** Throttle of the whole API; a team's own limit is in its plan. */
  readonly throttle: { readonly requestsPerSecond: number; readonly burst: number };
}

/** Stages whose table, bucket and secrets stay when their stack is deleted. */
const PRODUCTION_STAGES = ['prod', 'production'];

/** Beginning of the names of stages that live on an emulator. */
const EMULATED_STAGES = 'local';

/** The state machine gives an attempt up after a day and the time for which it waits to be claimed. */
const TRAINING_HOURS_MAX = 24;

const DEFAULT_EMBEDDING_MODEL = 'amazon.titan-embed-text-v2:0';

/**
 * Reads the configuration. A setting called `MODEL_ID` comes from the CDK context (`-c model_id=…`) or from the
 * environment variable of that name; the context wins.
 * @throws Error that says what to set.
 */
export function loadConfig(
  context: (key: string) => unknown,
  environment: Readonly<Record<string, string | undefined>>,
): Config {
  const setting = (name: string): string | undefined => {
    const value = context(name.toLowerCase()) ?? environment[name];
    return value === undefined || value === '' ? undefined : String(value);
  };
  const integer = (name: string, fallback: number): number => {
    const text = setting(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) {
      throw new Error(`${name} must be a whole number above 0, not "${text}".`);
    }
    return value;
  };

  const boolean = (name: string, fallback: boolean): boolean => {
    const text = setting(name);
    if (text === undefined) return fallback;
    if (text !== 'true' && text !== 'false') throw new Error(`${name} must be true or false, not "${text}".`);
    return text === 'true';
  };

  const stage = setting('STAGE') ?? 'dev';
  if (!/^[a-z][a-z0-9]{0,11}$/.test(stage)) {
    throw new Error(
      `The stage "${stage}" is not usable: take 1 to 12 lower-case letters and digits, beginning with a letter (-c stage=NAME).`,
    );
  }
  const emulated = stage.startsWith(EMULATED_STAGES);
  const emulatorUrl = emulated ? (setting('AWS_ENDPOINT_URL')?.replace(/\/+$/, '') ?? null) : null;
  if (emulated && emulatorUrl === null) {
    throw new Error(
      `The stage "${stage}" is one of the emulator's: set AWS_ENDPOINT_URL to its address, or name another stage (-c stage=NAME).`,
    );
  }

  const baseUrl = setting('MODEL_BASE_URL') ?? null;
  const provider = setting('MODEL_PROVIDER') ?? (baseUrl === null ? 'bedrock' : 'openai');
  if (provider !== 'bedrock' && provider !== 'openai') {
    throw new Error(`MODEL_PROVIDER must be bedrock or openai, not "${provider}".`);
  }
  if (provider === 'openai' && baseUrl === null) {
    throw new Error('Set MODEL_BASE_URL to the OpenAI-compatible URL of the model, with its version (…/v1).');
  }

  const shared = setting('MODEL_ID');
  const ids: Partial<Record<ModelRole, string>> = {};
  for (const role of MODEL_ROLES) {
    const own = setting(`MODEL_ID_${role.toUpperCase()}`);
    const id = own ?? (role === 'embed' ? embeddingFallback(provider) : shared);
    if (id !== undefined) ids[role] = id;
  }
  for (const role of ['rewrite', 'answer', 'judge'] as const) {
    if (ids[role] === undefined) {
      throw new Error(
        `No model is named for the role "${role}": set MODEL_ID to a model id or an inference profile that the ` +
          `account may use (MODEL_ID=… npm run deploy, or -c model_id=…), or MODEL_ID_${role.toUpperCase()} for this role alone.`,
      );
    }
  }

  const respondApi = RespondApi.safeParse(setting('MODEL_RESPOND_API') ?? 'chat');
  if (!respondApi.success) {
    throw new Error(
      `MODEL_RESPOND_API must be ${RespondApi.options.join(' or ')}, not "${setting('MODEL_RESPOND_API')}".`,
    );
  }
  const catalog = <T>(name: string, schema: z.ZodType<T[]>, what: string): T[] => {
    const path = setting(name);
    return path === undefined ? [] : readCatalog(name, path, schema, what);
  };
  const hosted = listHostedModels(
    [ids.respond ?? '', ...(setting('RESPOND_MODELS') ?? '').split(',')].filter(Boolean),
    catalog('RESPOND_CATALOG', HostedModels, 'hosted models (docs/operations.md)'),
  );

  const searchUrl = setting('SEARCH_BASE_URL');
  if (searchUrl !== undefined && !/^https?:\/\/[^/]/.test(searchUrl)) {
    throw new Error(`SEARCH_BASE_URL must be the http(s) address of a SearXNG instance, not "${searchUrl}".`);
  }

  const origin = (name: string, fallback: string): string => {
    const text = setting(name) ?? fallback;
    if (!URL.canParse(text) || new URL(text).origin !== text) {
      throw new Error(`${name} must be a scheme and a host (https://hub.example), not "${text}".`);
    }
    return text;
  };
  const egressAllow = (setting('EGRESS_ALLOW') ?? '').split(',').filter(Boolean);
  if (egressAllow.length > 0 && PRODUCTION_STAGES.includes(stage)) {
    throw new Error(
      `EGRESS_ALLOW opens ${egressAllow.join(', ')} to callers; the stage "${stage}" does not take it. Unset it.`,
    );
  }
  for (const target of egressAllow) {
    if (!/^[A-Za-z0-9._:-]+:\d{1,5}$/.test(target)) {
      throw new Error(
        `EGRESS_ALLOW must list targets as host:port with commas between them, not "${target}".`,
      );
    }
  }

  const trainers = (setting('TRAINERS') ?? (emulated ? 'embedded' : 'gpu')).split(',');
  const unknown = trainers.find((name) => !Trainer.safeParse(name).success);
  if (unknown !== undefined) {
    throw new Error(
      `TRAINERS must list trainers with commas between them (${Trainer.options.join(', ')}), not "${unknown}".`,
    );
  }

  const instanceType = setting('SAGEMAKER_INSTANCE_TYPE');
  if (instanceType !== undefined) {
    if (!/^ml\.[a-z0-9-]+\.[a-z0-9]+$/.test(instanceType)) {
      throw new Error(
        `SAGEMAKER_INSTANCE_TYPE must be a type of SageMaker's machines such as ml.g5.2xlarge, not "${instanceType}".`,
      );
    }
    if (emulated || !trainers.includes('gpu')) {
      throw new Error(
        `SAGEMAKER_INSTANCE_TYPE is for the trainer gpu on AWS; the stage "${stage}" has ${trainers.join(', ')}. ` +
          'Unset it, or set TRAINERS=gpu in a stage on AWS.',
      );
    }
  }
  const hoursMax = integer('SAGEMAKER_MAX_HOURS', TRAINING_HOURS_MAX);
  if (hoursMax > TRAINING_HOURS_MAX) {
    throw new Error(`SAGEMAKER_MAX_HOURS must be at most ${TRAINING_HOURS_MAX}, not ${hoursMax}.`);
  }

  const alarmEmail = setting('ALARM_EMAIL') ?? null;
  if (alarmEmail !== null && !/^[^@\s]+@[^@\s]+$/.test(alarmEmail)) {
    throw new Error(`ALARM_EMAIL must be an e-mail address, not "${alarmEmail}" (-c alarm_email=ADDRESS).`);
  }

  return {
    stage,
    emulated,
    emulatorUrl,
    retain: PRODUCTION_STAGES.includes(stage),
    assetRoot: setting('ASSET_ROOT') ?? 'dist',
    model: {
      provider,
      baseUrl: provider === 'openai' ? baseUrl : null,
      ids,
      hosted,
      respondApi: respondApi.data,
      concurrency: integer('MODEL_CONCURRENCY', 32),
      contextTokens: integer('MODEL_CONTEXT_TOKENS', 8192),
      seesImages: boolean('MODEL_SEES_IMAGES', false),
      cachesPrompts: boolean('MODEL_CACHES_PROMPTS', true),
      timeoutSeconds: integer('MODEL_TIMEOUT_SECONDS', 180),
      outageSeconds: integer('MODEL_OUTAGE_SECONDS', 240),
    },
    toolCatalog: catalog('TOOL_CATALOG', ToolCatalog, 'tool servers (docs/tools.md)'),
    search:
      searchUrl === undefined ? null : { baseUrl: searchUrl, concurrency: integer('SEARCH_CONCURRENCY', 8) },
    imports: {
      huggingFaceUrl: origin('HUGGINGFACE_BASE_URL', 'https://huggingface.co'),
      kaggleUrl: origin('KAGGLE_BASE_URL', 'https://www.kaggle.com'),
      googleSheetsUrl: origin('GOOGLE_SHEETS_BASE_URL', 'https://docs.google.com'),
      egressAllow,
    },
    trainers: trainers.map((name) => Trainer.parse(name)),
    sagemaker:
      instanceType === undefined
        ? null
        : {
            instanceType,
            spot: boolean('SAGEMAKER_SPOT', true),
            hoursMax,
            volumeGb: integer('SAGEMAKER_VOLUME_GB', 200),
          },
    evaluationSampleRows: integer('EVALUATION_SAMPLE_ROWS', 100),
    uploadBytesMax: integer('UPLOAD_BYTES_MAX', 2_147_483_648),
    emulatedMapConcurrency: integer('EMULATED_MAP_CONCURRENCY', 2),
    alarmEmail,
    throttle: {
      requestsPerSecond: integer('THROTTLE_REQUESTS_PER_SECOND', 200),
      burst: integer('THROTTLE_BURST', 400),
    },
  };
}

/** On Bedrock an embedding model is in every account's reach; elsewhere nobody can guess its name. */
function embeddingFallback(provider: 'bedrock' | 'openai'): string | undefined {
  return provider === 'bedrock' ? DEFAULT_EMBEDDING_MODEL : undefined;
}
