import { DEPLOYMENTS_MAX, DeploymentPlatform } from '#shared/deployments/schema/deployment.ts';
import { isEmulatedStage } from '#shared/platform/runtime/env-names.ts';
import { type HostedModel, HostedModels } from '#shared/platform/schema/hosted-model.ts';
import { MODEL_ROLES, type ModelRole, RespondApi } from '#shared/platform/schema/model-role.ts';
import type { Network } from '#shared/platform/schema/network.ts';
import { ToolCatalog } from '#shared/responses/schema/tool.ts';
import { Trainer } from '#shared/training/schema/training.ts';
import { TRAINING_HOURS_MAX } from '#shared/training/schema/training-job.ts';
import { WORKERS_MAX } from './definitions.ts';
import { listHostedModels, requireGrantable } from './hosted-catalog.ts';
import { isOrigin, readSettings, type Settings } from './settings.ts';

/** The configuration of a deployment; everything else is derived from the contracts. */
export interface Config {
  /** Name of the environment; it is part of every resource's name and of the API's URL. */
  readonly stage: string;
  /** Whether it is deployed to an emulator, which differs from AWS in some constructs. */
  readonly emulated: boolean;
  /** Address of the emulator; null on AWS. */
  readonly emulatorUrl: string | null;
  /** Whether stateful resources are retained when their stack is deleted. */
  readonly retain: boolean;
  /** Output folder of `bin/build.ts`. */
  readonly assetRoot: string;
  readonly model: {
    readonly provider: 'bedrock' | 'openai';
    /** OpenAI-compatible URL that ends in the version (`/v1`); null for Bedrock. */
    readonly baseUrl: string | null;
    readonly ids: Readonly<Partial<Record<ModelRole, string>>>;
    /** The models for `POST /responses`: first that of the role `respond`. */
    readonly hosted: readonly HostedModel[];
    /** The API of an OpenAI-compatible endpoint for responses. */
    readonly respondApi: RespondApi;
    /** Maximum concurrent calls. */
    readonly concurrency: number;
    readonly contextTokens: number;
    /**
     * Whether the model that writes answers supports images: no endpoint reports this, so the operator configures it.
     */
    readonly seesImages: boolean;
    /** Whether prompts for Bedrock have a cache point after the common prefix, if the model supports it. */
    readonly cachesPrompts: boolean;
    /** Whether runs may be processed in batch jobs, for which the provider needs a batch interface. */
    readonly batchJobs: boolean;
    /** Timeout of a whole call. */
    readonly timeoutSeconds: number;
    /** Seconds without a model response after which workers give up. */
    readonly outageSeconds: number;
    /** Hours after its start for which a run waits for a quota that is used up; null ends it at once. */
    readonly quotaWaitHours: number | null;
  };
  /** The tool servers for callers. */
  readonly toolCatalog: ToolCatalog;
  /** The web search for answers; null without one. */
  readonly search: {
    /** URL of a SearXNG instance. */
    readonly baseUrl: string;
    /** Maximum concurrent searches. */
    readonly concurrency: number;
  } | null;
  readonly imports: {
    readonly huggingFaceUrl: string;
    readonly kaggleUrl: string;
    readonly googleSheetsUrl: string;
    /** `host:port` of targets that imports and tool calls may reach at any address, and over HTTP too. */
    readonly egressAllow: readonly string[];
  };
  /** The trainers of this installation: they determine which models can be trained. */
  readonly trainers: readonly Trainer[];
  /** SageMaker training jobs for the GPU trainer's queue; null if your own machines run it. */
  readonly sagemaker: {
    readonly instanceType: string;
    /** Whether they use spot instances. */
    readonly spot: boolean;
    /** Maximum hours of a job. */
    readonly hoursMax: number;
    readonly volumeGb: number;
    /** The private network of the jobs; null for SageMaker's own. */
    readonly network: Network | null;
  } | null;
  /** What trained models are deployed to, when a caller asks for it; null if they are not. */
  readonly trainedModels: {
    /** In the order in which they are tried. */
    readonly platforms: readonly DeploymentPlatform[];
    /** Days without use after which a deployed model is deleted; null if it stays. */
    readonly idleDays: number | null;
    /** Hours of a day for which a deployed model is kept ready; null for a laptop. */
    readonly hoursPerDay: number | null;
    /** The private network from which SageMaker reads the files of a model; null for SageMaker's own. */
    readonly network: Network | null;
  } | null;
  readonly evaluationSampleRows: number;
  readonly uploadBytesMax: number;
  /** Maximum bytes of a team's uncompleted uploads. */
  readonly uploadsWaitingBytesMax: number;
  /** Maximum concurrent workers of a run that ask no model. */
  readonly workersMax: number;
  /** Concurrent workers of a map on an emulator, which does not read the number from the run's plan. */
  readonly emulatedMapConcurrency: number;
  /** The operator's own address of the API, with its certificate; null for that of API Gateway. */
  readonly domain: { readonly name: string; readonly certificateArn: string } | null;
  /** The private network of functions that reach beyond AWS; null for Lambda's own. */
  readonly network: Network | null;
  /** ARN of the operator's key for what is stored; null for the keys of the services. */
  readonly keyArn: string | null;
  /** Ids of the VPC endpoints through which alone the API answers; none for an API of the internet. */
  readonly apiVpcEndpoints: readonly string[];
  /** Name of the account's policy that bounds every role; null for none. */
  readonly permissionsBoundary: string | null;
  /** Days for which the table and the bucket can be brought back to any moment. */
  readonly backupDays: number;
  /** Where telemetry leaves by OpenTelemetry; null if it stays in CloudWatch and X-Ray. */
  readonly telemetry: {
    /** Base URL of a receiver of OTLP over HTTP. */
    readonly endpoint: string;
    /** Reserved concurrency of the function that sends it, which is also its maximum; null reserves none. */
    readonly concurrency: number | null;
  } | null;
  /** Whether a probe does the main job once an hour. */
  readonly probe: boolean;
  /** Whether alarms watch how fast the objectives of a stage use up their budgets of errors. */
  readonly objectives: boolean;
  /** The recipient of alarm notifications; null sends none, and alarms are only visible in CloudWatch. */
  readonly alarmEmail: string | null;
  /** Web pages of these origins may call the API and exchange files with the bucket; none by default. */
  readonly corsOrigins: readonly string[];
  /** Tags of every resource and of every job that the service starts, besides those for the application and the stage. */
  readonly tags: Readonly<Record<string, string>>;
  /**
   * Reserved concurrency of a function, from the account's quota, which is also its maximum; null reserves none,
   * because the quota of a new account leaves nothing to reserve.
   */
  readonly concurrency: {
    readonly authorizer: number | null;
    /** For the function of `POST /responses`, which runs for up to a quarter of an hour. */
    readonly answers: number | null;
    /** Streams of events. */
    readonly events: number | null;
    /** Deliveries of webhooks. */
    readonly webhooks: number | null;
  };
  /** Metrics of single API methods and of the bucket's requests, which cost a few dollars a month. */
  readonly detailedMetrics: boolean;
  /** Requests from one address in five minutes above which a firewall blocks it; null for no firewall. */
  readonly addressRequests: number | null;
  /** Throttle of the whole API; a team's own limit is in its plan. */
  readonly throttle: { readonly requestsPerSecond: number; readonly burst: number };
}

/** Stages that retain what they hold unless `RETAIN` says otherwise, and open no private target to callers. */
const PRODUCTION_STAGES = ['prod', 'production'];

const DEFAULT_EMBEDDING_MODEL = 'amazon.titan-embed-text-v2:0';

/**
 * Reads the configuration from the CDK context and the environment.
 * @throws Error that says what to set.
 */
export function loadConfig(
  context: (key: string) => unknown,
  environment: Readonly<Record<string, string | undefined>>,
): Config {
  const settings = readSettings(context, environment);
  const { text, integer, optionalInteger, boolean } = settings;
  const stage = readStage(settings);
  const { emulated } = stage;
  const model = readModel(settings);
  const search = readSearch(settings);
  const corsOrigins = readCorsOrigins(settings);
  const imports = readImports(settings, stage.stage);
  const trainers = readTrainers(settings, emulated);
  const sagemaker = readSagemaker(settings, stage, trainers);
  return {
    ...stage,
    retain: boolean('RETAIN', PRODUCTION_STAGES.includes(stage.stage)),
    assetRoot: text('ASSET_ROOT') ?? 'dist',
    model,
    toolCatalog: settings.catalog('TOOL_CATALOG', ToolCatalog, 'tool servers (docs/tools.md)'),
    search,
    imports,
    trainers,
    sagemaker,
    trainedModels: readTrainedModels(settings, emulated),
    evaluationSampleRows: integer('EVALUATION_SAMPLE_ROWS', 100),
    uploadBytesMax: integer('UPLOAD_BYTES_MAX', 2_147_483_648),
    uploadsWaitingBytesMax: integer('UPLOADS_WAITING_BYTES_MAX', 21_474_836_480),
    workersMax: integer('WORKERS_AT_ONCE', WORKERS_MAX),
    emulatedMapConcurrency: integer('EMULATED_MAP_CONCURRENCY', 2),
    domain: readDomain(settings, emulated),
    network: readNetwork(settings, emulated, 'VPC'),
    apiVpcEndpoints: readApiVpcEndpoints(settings, emulated),
    keyArn: readKeyArn(settings, emulated),
    permissionsBoundary: readPermissionsBoundary(settings),
    backupDays: readBackupDays(settings),
    telemetry: readTelemetry(settings),
    probe: boolean('PROBE', false),
    objectives: boolean('OBJECTIVES', false),
    alarmEmail: readAlarmEmail(settings),
    corsOrigins,
    tags: readTags(text('TAGS') ?? ''),
    concurrency: {
      authorizer: optionalInteger('AUTHORIZER_CONCURRENCY'),
      answers: optionalInteger('ANSWERS_CONCURRENCY'),
      events: optionalInteger('EVENTS_CONCURRENCY'),
      webhooks: optionalInteger('WEBHOOKS_CONCURRENCY'),
    },
    detailedMetrics: boolean('DETAILED_METRICS', false),
    addressRequests: optionalInteger('FIREWALL_REQUESTS'),
    throttle: {
      requestsPerSecond: integer('THROTTLE_REQUESTS_PER_SECOND', 200),
      burst: integer('THROTTLE_BURST', 400),
    },
  };
}

const IDLE_DAYS = 14;
/** A working day of one model: who answers around the clock says so. */
const HOURS_PER_DAY = 8;
/** All models that a team may deploy, around the clock. */
const HOURS_PER_DAY_MAX = 24 * DEPLOYMENTS_MAX;

/** What AWS deploys costs while it answers, and is kept; the adapters of a laptop cost nothing. */
function readTrainedModels(settings: Settings, emulated: boolean): Config['trainedModels'] {
  const { list, integer } = settings;
  const given = list('TRAINED_MODELS');
  const stray = given.find((name) => !DeploymentPlatform.safeParse(name).success);
  if (stray !== undefined) {
    throw new Error(
      `TRAINED_MODELS must list platforms with commas between them (${DeploymentPlatform.options.join(', ')}), not "${stray}".`,
    );
  }
  const platforms = DeploymentPlatform.options.filter((platform) => given.includes(platform));
  const idleDays = integer('TRAINED_MODELS_IDLE_DAYS', IDLE_DAYS);
  const hoursPerDay = integer('TRAINED_MODELS_HOURS', HOURS_PER_DAY);
  if (hoursPerDay > HOURS_PER_DAY_MAX) {
    throw new Error(`TRAINED_MODELS_HOURS must be at most ${HOURS_PER_DAY_MAX}, not ${hoursPerDay}.`);
  }
  if (platforms.length === 0) return null;
  if (platforms.includes('model_server')) {
    if (platforms.length === 1) return { platforms, idleDays: null, hoursPerDay: null, network: null };
    throw new Error('TRAINED_MODELS=model_server is for a laptop, and for nothing beside it.');
  }
  if (emulated) {
    throw new Error(
      `TRAINED_MODELS=${platforms.join()} is for a stage on AWS: an emulator imports no models, and has no instances. Unset it.`,
    );
  }
  const hasInstances = platforms.includes('amazon_sagemaker');
  const network = hasInstances ? readNetwork(settings, emulated, 'SAGEMAKER') : null;
  return { platforms, idleDays, hoursPerDay, network };
}

function readStage({ text }: Settings): Pick<Config, 'stage' | 'emulated' | 'emulatorUrl'> {
  const stage = text('STAGE') ?? 'dev';
  if (!/^[a-z][a-z0-9]{0,11}$/.test(stage)) {
    throw new Error(
      `The stage "${stage}" is not usable: take 1 to 12 lower-case letters and digits, beginning with a letter (-c stage=NAME).`,
    );
  }
  const emulated = isEmulatedStage(stage);
  const emulatorUrl = emulated ? (text('AWS_ENDPOINT_URL')?.replace(/(?<!\/)\/+$/, '') ?? null) : null;
  if (emulated && emulatorUrl === null) {
    throw new Error(
      `The stage "${stage}" is one of the emulator's: set AWS_ENDPOINT_URL to its address, or name another stage (-c stage=NAME).`,
    );
  }
  return { stage, emulated, emulatorUrl };
}

function readModel(settings: Settings): Config['model'] {
  const { text, integer, boolean } = settings;
  const baseUrl = text('MODEL_BASE_URL') ?? null;
  const provider = text('MODEL_PROVIDER') ?? (baseUrl === null ? 'bedrock' : 'openai');
  if (provider !== 'bedrock' && provider !== 'openai') {
    throw new Error(`MODEL_PROVIDER must be bedrock or openai, not "${provider}".`);
  }
  if (provider === 'openai' && baseUrl === null) {
    throw new Error('Set MODEL_BASE_URL to the OpenAI-compatible URL of the model, with its version (…/v1).');
  }
  const ids = readModelIds(settings, provider);
  const respondApi = RespondApi.safeParse(text('MODEL_RESPOND_API') ?? 'chat');
  if (!respondApi.success) {
    throw new Error(
      `MODEL_RESPOND_API must be ${RespondApi.options.join(' or ')}, not "${text('MODEL_RESPOND_API')}".`,
    );
  }
  const hosted = listHostedModels(
    [ids.respond ?? '', ...settings.list('RESPOND_MODELS')].filter(Boolean),
    settings.catalog('RESPOND_CATALOG', HostedModels, 'hosted models (docs/operations/configure.md)'),
  );
  if (provider === 'bedrock') requireGrantable(hosted, settings.list('TRAINED_MODELS'));
  return {
    provider,
    baseUrl: provider === 'openai' ? baseUrl : null,
    ids,
    hosted,
    respondApi: respondApi.data,
    concurrency: integer('MODEL_CONCURRENCY', 32),
    contextTokens: integer('MODEL_CONTEXT_TOKENS', 8192),
    seesImages: boolean('MODEL_SEES_IMAGES', false),
    cachesPrompts: boolean('MODEL_CACHES_PROMPTS', true),
    batchJobs: boolean('MODEL_BATCH_JOBS', false),
    timeoutSeconds: integer('MODEL_TIMEOUT_SECONDS', 180),
    outageSeconds: integer('MODEL_OUTAGE_SECONDS', 240),
    quotaWaitHours: readQuotaWait(settings),
  };
}

/** The map over the rows of a run ends after a day. */
const QUOTA_WAIT_HOURS_MAX = 23;

function readQuotaWait({ optionalInteger }: Settings): number | null {
  const hours = optionalInteger('MODEL_QUOTA_WAIT_HOURS');
  if (hours !== null && hours > QUOTA_WAIT_HOURS_MAX) {
    throw new Error(`MODEL_QUOTA_WAIT_HOURS must be at most ${QUOTA_WAIT_HOURS_MAX}, not ${hours}.`);
  }
  return hours;
}

function readModelIds({ text }: Settings, provider: Config['model']['provider']): Config['model']['ids'] {
  const shared = text('MODEL_ID');
  const ids: Partial<Record<ModelRole, string>> = {};
  for (const role of MODEL_ROLES) {
    const own = text(`MODEL_ID_${role.toUpperCase()}`);
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
  return ids;
}

/** On Bedrock every account has access to an embedding model; for other providers there is no default. */
function embeddingFallback(provider: 'bedrock' | 'openai'): string | undefined {
  return provider === 'bedrock' ? DEFAULT_EMBEDDING_MODEL : undefined;
}

function readSearch({ text, integer }: Settings): Config['search'] {
  const baseUrl = text('SEARCH_BASE_URL');
  if (baseUrl === undefined) return null;
  if (!/^https?:\/\/[^/]/.test(baseUrl)) {
    throw new Error(`SEARCH_BASE_URL must be the http(s) address of a SearXNG instance, not "${baseUrl}".`);
  }
  return { baseUrl, concurrency: integer('SEARCH_CONCURRENCY', 8) };
}

function readCorsOrigins({ list }: Settings): string[] {
  const origins = list('CORS_ORIGINS');
  const noOrigin = origins.find((text) => !isOrigin(text));
  if (noOrigin !== undefined) {
    throw new Error(
      `CORS_ORIGINS must list origins with commas between them (https://app.example), not "${noOrigin}".`,
    );
  }
  return origins;
}

function readImports({ list, origin }: Settings, stage: string): Config['imports'] {
  const egressAllow = list('EGRESS_ALLOW');
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
  return {
    huggingFaceUrl: origin('HUGGINGFACE_BASE_URL', 'https://huggingface.co'),
    kaggleUrl: origin('KAGGLE_BASE_URL', 'https://www.kaggle.com'),
    googleSheetsUrl: origin('GOOGLE_SHEETS_BASE_URL', 'https://docs.google.com'),
    egressAllow,
  };
}

function readTrainers({ text }: Settings, emulated: boolean): Trainer[] {
  const names = (text('TRAINERS') ?? (emulated ? 'embedded' : 'gpu')).split(',');
  return names.map((name) => {
    const trainer = Trainer.safeParse(name);
    if (trainer.success) return trainer.data;
    throw new Error(
      `TRAINERS must list trainers with commas between them (${Trainer.options.join(', ')}), not "${name}".`,
    );
  });
}

function readSagemaker(
  settings: Settings,
  { stage, emulated }: Pick<Config, 'stage' | 'emulated'>,
  trainers: readonly Trainer[],
): Config['sagemaker'] {
  const { text, integer, boolean } = settings;
  const instanceType = text('SAGEMAKER_INSTANCE_TYPE');
  const network = readNetwork(settings, emulated, 'SAGEMAKER');
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
  if (instanceType === undefined) return null;
  return {
    instanceType,
    spot: boolean('SAGEMAKER_SPOT', true),
    hoursMax,
    volumeGb: integer('SAGEMAKER_VOLUME_GB', 200),
    network,
  };
}

/** A label of a host name. */
const HOST_LABEL = /^[a-z0-9-]{1,63}$/;

function readDomain({ text }: Settings, emulated: boolean): Config['domain'] {
  const name = text('API_DOMAIN');
  const certificateArn = text('API_CERTIFICATE_ARN');
  if (name === undefined && certificateArn === undefined) return null;
  if (name === undefined || certificateArn === undefined) {
    throw new Error(
      `${name === undefined ? 'API_DOMAIN' : 'API_CERTIFICATE_ARN'} is missing: an address of your own takes a name and its certificate.`,
    );
  }
  if (emulated)
    throw new Error('API_DOMAIN is for a stage on AWS: an emulator answers at its own address. Unset it.');
  const labels = name.split('.');
  if (labels.length < 2 || name.length > 253 || !labels.every((label) => HOST_LABEL.test(label))) {
    throw new Error(`API_DOMAIN must be a host name in lower case (api.example.org), not "${name}".`);
  }
  if (!/^arn:[a-z-]+:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/.test(certificateArn)) {
    throw new Error(
      `API_CERTIFICATE_ARN must be the ARN of a certificate of AWS Certificate Manager, not "${certificateArn}".`,
    );
  }
  return { name, certificateArn };
}

/** The most that the table's point-in-time recovery takes. */
const BACKUP_DAYS_MAX = 35;

function readBackupDays({ integer }: Settings): number {
  const days = integer('BACKUP_DAYS', BACKUP_DAYS_MAX);
  if (days > BACKUP_DAYS_MAX) {
    throw new Error(`BACKUP_DAYS must be at most ${BACKUP_DAYS_MAX}, not ${days}.`);
  }
  return days;
}

function readPermissionsBoundary({ text }: Settings): string | null {
  const name = text('PERMISSIONS_BOUNDARY') ?? null;
  // Beside the name a path: names of policies in IAM.
  if (name !== null && !/^[\w+=,.@/-]{1,128}$/.test(name)) {
    throw new Error(`PERMISSIONS_BOUNDARY must be the name of a policy of the account, not "${name}".`);
  }
  return name;
}

/** Ids with commas between them. @throws {Error} for one of another form, and for too many */
function readIds({ list }: Settings, name: string, form: RegExp, most: number): string[] {
  const ids = list(name);
  const stray = ids.find((id) => !form.test(id));
  if (stray !== undefined) throw new Error(`${name} must list ids with commas between them, not "${stray}".`);
  if (ids.length > most) throw new Error(`${name} may list ${most} ids, not ${ids.length}.`);
  return ids;
}

/** SageMaker and Lambda take as many subnets and security groups. */
function readNetwork(settings: Settings, emulated: boolean, of: 'SAGEMAKER' | 'VPC'): Network | null {
  const names = [`${of}_SUBNETS`, `${of}_SECURITY_GROUPS`] as const;
  const subnets = readIds(settings, names[0], /^subnet-[0-9a-f]{8,17}$/, 16);
  const securityGroups = readIds(settings, names[1], /^sg-[0-9a-f]{8,17}$/, 5);
  if (subnets.length === 0 && securityGroups.length === 0) return null;
  if (subnets.length === 0 || securityGroups.length === 0) {
    throw new Error(
      `${subnets.length === 0 ? names[0] : names[1]} is missing: a private network takes subnets and security groups.`,
    );
  }
  if (emulated) throw new Error(`${names[0]} is for a stage on AWS: an emulator has no networks. Unset it.`);
  return { subnets, securityGroups };
}

function readKeyArn({ text }: Settings, emulated: boolean): string | null {
  const arn = text('KMS_KEY_ARN') ?? null;
  if (arn === null) return null;
  if (!/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/.test(arn)) {
    throw new Error(`KMS_KEY_ARN must be the ARN of a key of AWS KMS, not of an alias, and not "${arn}".`);
  }
  if (emulated) throw new Error('KMS_KEY_ARN is for a stage on AWS: an emulator encrypts nothing. Unset it.');
  return arn;
}

function readApiVpcEndpoints(settings: Settings, emulated: boolean): string[] {
  const ids = readIds(settings, 'API_VPC_ENDPOINTS', /^vpce-[0-9a-f]{8,17}$/, 50);
  if (ids.length > 0 && emulated)
    throw new Error('API_VPC_ENDPOINTS is for a stage on AWS: an emulator has no networks. Unset it.');
  if (ids.length > 0 && settings.text('API_DOMAIN') !== undefined) {
    throw new Error(
      'API_DOMAIN is the address of an API of the internet, and API_VPC_ENDPOINTS make the API private. Unset one of them.',
    );
  }
  return ids;
}

function readTelemetry({ text, optionalInteger }: Settings): Config['telemetry'] {
  const endpoint = text('OTLP_ENDPOINT');
  const concurrency = optionalInteger('TELEMETRY_CONCURRENCY');
  if (endpoint === undefined) return null;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isPlain =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(
      'OTLP_ENDPOINT must be the http(s) base URL of a receiver of OpenTelemetry, without a key: headers are in a secret ' +
        '(docs/operations/configure.md#telemetry-by-opentelemetry).',
    );
  }
  return { endpoint, concurrency };
}

function readAlarmEmail({ text }: Settings): string | null {
  const address = text('ALARM_EMAIL') ?? null;
  if (address !== null && !/^[^@\s]+@[^@\s]+$/.test(address)) {
    throw new Error(`ALARM_EMAIL must be an e-mail address, not "${address}" (-c alarm_email=ADDRESS).`);
  }
  return address;
}

/** Parses `team=data,cost-center=42`. */
function readTags(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((pair) => {
        const [, name, value] = /^([\w.:/+@-]{1,128})=([\w .:/+@-]{1,256})$/.exec(pair) ?? [];
        if (name === undefined || value === undefined || /^aws:/i.test(name)) {
          throw new Error(`TAGS must list name=value with commas between them, not "${pair}".`);
        }
        return [name, value];
      }),
  );
}

/** The tags of what a stage makes. */
export const tagsOf = ({ tags, stage }: Pick<Config, 'tags' | 'stage'>): Record<string, string> => ({
  ...tags,
  application: 'tunesmith',
  stage,
});
