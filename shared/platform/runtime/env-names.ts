/** File next to a function's code with the operator's tool servers; absent if there are none. */
export const toolCatalogFile = 'tool-catalog.json';

/**
 * Names of the environment variables that the deployed stack sets for a function. Infra writes them, `env.ts` reads
 * them; a function gets those that the uses of its needs require.
 */
export const envNames = {
  stage: 'STAGE',
  tableName: 'TABLE_NAME',
  bucketName: 'BUCKET_NAME',
  /** Where browsers exchange files with the bucket, as scheme, host and port. */
  bucketOrigin: 'BUCKET_ORIGIN',
  /** Origins of the web pages that may read responses, separated by commas; absent if there are none. */
  corsOrigins: 'CORS_ORIGINS',
  /** `openai` (any OpenAI-compatible URL) or `bedrock`. */
  modelProvider: 'MODEL_PROVIDER',
  modelBaseUrl: 'MODEL_BASE_URL',
  /** `chat` or `responses`: the API of an OpenAI-compatible endpoint for responses to callers. */
  modelRespondApi: 'MODEL_RESPOND_API',
  /** The installation's limit of concurrent model calls. */
  modelConcurrency: 'MODEL_CONCURRENCY',
  modelTimeoutSeconds: 'MODEL_TIMEOUT_SECONDS',
  /** Seconds without a model response after which workers give up. */
  modelOutageSeconds: 'MODEL_OUTAGE_SECONDS',
  /** Hours after its start for which a run waits for a quota of the model that is used up. */
  modelQuotaWaitHours: 'MODEL_QUOTA_WAIT_HOURS',
  modelContextTokens: 'MODEL_CONTEXT_TOKENS',
  /** `true` if the model that writes answers supports images. */
  modelSeesImages: 'MODEL_SEES_IMAGES',
  modelCachesPrompts: 'MODEL_CACHES_PROMPTS',
  /** `true` if the model's provider has a batch interface that the installation uses. */
  modelBatchJobs: 'MODEL_BATCH_JOBS',
  /** The role that Amazon Bedrock assumes for batch jobs. */
  batchJobRoleArn: 'BATCH_JOB_ROLE_ARN',
  jobTags: 'JOB_TAGS',
  /** The models for `POST /responses`, as JSON. */
  hostedModels: 'HOSTED_MODELS',
  /** `true` if functions log every call of a model, for telemetry. */
  modelCallLogs: 'MODEL_CALL_LOGS',
  /** Base URL of the operator's receiver of OpenTelemetry. */
  otlpEndpoint: 'OTLP_ENDPOINT',
  evaluationSampleRows: 'EVALUATION_SAMPLE_ROWS',
  /** URL of the SearXNG instance for web search; absent if there is none. */
  searchBaseUrl: 'SEARCH_BASE_URL',
  /** The bus that events are published to. */
  eventBusName: 'EVENT_BUS_NAME',
  trainers: 'TRAINERS',
  /** The role whose sessions are lent to trainers. */
  attemptRoleArn: 'ATTEMPT_ROLE_ARN',
  /** What training jobs of SageMaker are launched with. */
  trainingJobImage: 'TRAINING_JOB_IMAGE',
  trainingJobRoleArn: 'TRAINING_JOB_ROLE_ARN',
  trainingJobSourceUrl: 'TRAINING_JOB_SOURCE_URL',
  trainingJobInstanceType: 'TRAINING_JOB_INSTANCE_TYPE',
  trainingJobVolumeGb: 'TRAINING_JOB_VOLUME_GB',
  trainingJobHoursMax: 'TRAINING_JOB_HOURS_MAX',
  /** `true` for spot instances, which may be interrupted. */
  trainingJobSpot: 'TRAINING_JOB_SPOT',
  /** The private network of training jobs, and of the endpoints of models. */
  trainingJobSubnets: 'TRAINING_JOB_SUBNETS',
  trainingJobSecurityGroups: 'TRAINING_JOB_SECURITY_GROUPS',
  /** What trained models are deployed to, with commas between them (`DeploymentPlatform`); absent if they are not. */
  trainedModels: 'TRAINED_MODELS',
  /** Days without use after which a deployed model is deleted. */
  trainedModelsIdleDays: 'TRAINED_MODELS_IDLE_DAYS',
  /** Hours of a day for which a deployed model is kept ready. */
  trainedModelsHours: 'TRAINED_MODELS_HOURS',
  /** The role that Amazon Bedrock assumes for the import of a model. */
  modelImportRoleArn: 'MODEL_IMPORT_ROLE_ARN',
  /** The key by which imported models are encrypted; absent for one of AWS. */
  modelImportKeyArn: 'MODEL_IMPORT_KEY_ARN',
  /** The container that answers with a model on Amazon SageMaker, and the role that SageMaker assumes for it. */
  modelEndpointImage: 'MODEL_ENDPOINT_IMAGE',
  modelEndpointRoleArn: 'MODEL_ENDPOINT_ROLE_ARN',
  /** The installation's limit of concurrent searches. */
  searchConcurrency: 'SEARCH_CONCURRENCY',
  uploadBytesMax: 'UPLOAD_BYTES_MAX',
  uploadsWaitingBytesMax: 'UPLOADS_WAITING_BYTES_MAX',
  huggingFaceUrl: 'HUGGINGFACE_BASE_URL',
  kaggleUrl: 'KAGGLE_BASE_URL',
  googleSheetsUrl: 'GOOGLE_SHEETS_BASE_URL',
  /** Targets that imports and tool calls may reach at any address, as `host:port`, separated by commas. */
  egressAllow: 'EGRESS_ALLOW',
  /** Prefix of the names of the secrets with teams' connections. */
  connectionsPrefix: 'CONNECTIONS_PREFIX',
} as const;

const upperSnake = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]+/g, '_').toUpperCase();

/** `adapt` → `STATE_MACHINE_ARN_ADAPT`. */
export const stateMachineArnName = (pipelineId: string): string =>
  `STATE_MACHINE_ARN_${upperSnake(pipelineId)}`;

/** `tasks/exports/build-export` → `FUNCTION_NAME_TASKS_EXPORTS_BUILD_EXPORT`. */
export const functionNameName = (functionId: string): string => `FUNCTION_NAME_${upperSnake(functionId)}`;

/** `cursor_signing` → `SECRET_ARN_CURSOR_SIGNING`. */
export const secretArnName = (secret: string): string => `SECRET_ARN_${upperSnake(secret)}`;

/** `embedded` → `TRAINER_QUEUE_URL_EMBEDDED`. */
export const trainerQueueUrlName = (trainer: string): string => `TRAINER_QUEUE_URL_${upperSnake(trainer)}`;

/** `judge` → `MODEL_ID_JUDGE`. */
export const modelIdName = (role: string): string => `MODEL_ID_${upperSnake(role)}`;

/** Whether a stage runs on an emulator, as `npm run local` makes it, by its name. */
export const isEmulatedStage = (stage: string): boolean => stage.startsWith('local');
