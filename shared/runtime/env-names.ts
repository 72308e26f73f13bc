/** File beside a function's code that holds the tool servers which the operator offers; it has none where there are none. */
export const toolCatalogFile = 'tool-catalog.json';

/**
 * Names of the environment variables through which the deployed stack tells a function what exists. Infra writes
 * them, `env.ts` reads them; a function gets those that its contract's `uses` calls for.
 */
export const envNames = {
  stage: 'STAGE',
  tableName: 'TABLE_NAME',
  bucketName: 'BUCKET_NAME',
  /** `openai` (any OpenAI-compatible URL) or `bedrock`. */
  modelProvider: 'MODEL_PROVIDER',
  modelBaseUrl: 'MODEL_BASE_URL',
  /** `chat` or `responses`: how an OpenAI-compatible endpoint is asked for answers to callers. */
  modelRespondApi: 'MODEL_RESPOND_API',
  /** Calls to the model that the installation may have open at once. */
  modelConcurrency: 'MODEL_CONCURRENCY',
  modelTimeoutSeconds: 'MODEL_TIMEOUT_SECONDS',
  /** Silence of a model after which workers give up. */
  modelOutageSeconds: 'MODEL_OUTAGE_SECONDS',
  modelContextTokens: 'MODEL_CONTEXT_TOKENS',
  /** `true` where the model that writes answers takes images. */
  modelSeesImages: 'MODEL_SEES_IMAGES',
  modelCachesPrompts: 'MODEL_CACHES_PROMPTS',
  /** The models that answer callers, as JSON. */
  hostedModels: 'HOSTED_MODELS',
  evaluationSampleRows: 'EVALUATION_SAMPLE_ROWS',
  /** Address of the SearXNG instance on whose results answers may rest; absent where there is none. */
  searchBaseUrl: 'SEARCH_BASE_URL',
  trainers: 'TRAINERS',
  /** What training jobs of SageMaker are launched with. */
  trainingJobImage: 'TRAINING_JOB_IMAGE',
  trainingJobRoleArn: 'TRAINING_JOB_ROLE_ARN',
  trainingJobSourceUrl: 'TRAINING_JOB_SOURCE_URL',
  trainingJobInstanceType: 'TRAINING_JOB_INSTANCE_TYPE',
  trainingJobVolumeGb: 'TRAINING_JOB_VOLUME_GB',
  trainingJobHoursMax: 'TRAINING_JOB_HOURS_MAX',
  /** `true` where they run on what others leave unused, and may be interrupted. */
  trainingJobSpot: 'TRAINING_JOB_SPOT',
  /** Searches that the installation may have open at once. */
  searchConcurrency: 'SEARCH_CONCURRENCY',
  uploadBytesMax: 'UPLOAD_BYTES_MAX',
  huggingFaceUrl: 'HUGGINGFACE_BASE_URL',
  kaggleUrl: 'KAGGLE_BASE_URL',
  googleSheetsUrl: 'GOOGLE_SHEETS_BASE_URL',
  /** Targets that imports and calls of tools may reach wherever they are, as `host:port`, with commas between them. */
  egressAllow: 'EGRESS_ALLOW',
  /** Beginning of the names of the secrets in which teams' connections are stored. */
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
