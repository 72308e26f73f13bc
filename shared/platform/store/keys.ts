/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Keys of every item of the table: subject, then kind. No other module builds keys. */
export const keys = {
  dataset: (datasetId: string): Key => ({ pk: `DATASET#${datasetId}`, sk: 'DATASET' }),
  evaluation: (datasetId: string, runId: string): Key => ({
    pk: `DATASET#${datasetId}`,
    sk: `EVALUATION#${runId}`,
  }),
  customEval: (datasetId: string, customEvalId: string): Key => ({
    pk: `DATASET#${datasetId}`,
    sk: `CUSTOM_EVAL#${customEvalId}`,
  }),
  publication: (datasetId: string, publishId: string): Key => ({
    pk: `DATASET#${datasetId}`,
    sk: `PUBLICATION#${publishId}`,
  }),
  /** What answers with the model of a training. */
  deployment: (experimentId: string): Key => ({ pk: `DEPLOYMENT#${experimentId}`, sk: 'DEPLOYMENT' }),
  /** Which deployments a team has: what the bound on them is kept by. */
  teamDeployments: (teamId: string): Key => ({ pk: `DEPLOYMENT#${teamId}`, sk: 'TEAM_DEPLOYMENTS' }),
  /** For how long a team's models were kept ready on a day (UTC). */
  readyMinutes: (teamId: string, day: string): Key => ({ pk: `DEPLOYMENT#${teamId}`, sk: `READY#${day}` }),
  training: (experimentId: string): Key => ({ pk: `TRAINING#${experimentId}`, sk: 'TRAINING' }),
  /** Of a trainer at an iteration. A trainer may write nothing but the item of its attempt. */
  trainerAttempt: (experimentId: string, iteration: number, attempt: number): Key => ({
    pk: `ATTEMPT#${experimentId}#${iteration}#${attempt}`,
    sk: 'ATTEMPT',
  }),
  /** Exists while a training of the dataset is active. */
  activeTraining: (datasetId: string): Key => ({ pk: `DATASET#${datasetId}`, sk: 'ACTIVE_TRAINING' }),
  /** Exists while a pilot of the dataset is active. */
  activePilot: (datasetId: string): Key => ({ pk: `DATASET#${datasetId}`, sk: 'ACTIVE_PILOT' }),
  finetuneJob: (datasetId: string, jobId: string): Key => ({
    pk: `DATASET#${datasetId}`,
    sk: `JOB#${jobId}`,
  }),
  voucher: (code: string): Key => ({ pk: `VOUCHER#${code}`, sk: 'VOUCHER' }),
  run: (datasetId: string, runId: string): Key => ({ pk: `DATASET#${datasetId}`, sk: `RUN#${runId}` }),
  /** Sorted by number. */
  version: (datasetId: string, version: number): Key => ({
    pk: `DATASET#${datasetId}`,
    sk: `VERSION#${String(version).padStart(9, '0')}`,
  }),
  /** What a reviewer says of a row; sorted by row. In a partition of their own: there are as many as rows. */
  verdict: (datasetId: string, row: number, reviewer: string): Key => ({
    pk: `VERDICTS#${datasetId}`,
    sk: `VERDICT#${String(row).padStart(9, '0')}#${reviewer}`,
  }),
  /** The text of a mended row, which a verdict names. */
  verdictText: (datasetId: string, textId: string): Key => ({
    pk: `VERDICTS#${datasetId}`,
    sk: `TEXT#${textId}`,
  }),
  chunk: (runId: string, n: number): Key => ({ pk: `RUN#${runId}`, sk: `CHUNK#${n}` }),
  organization: (organizationId: string): Key => ({ pk: `ORG#${organizationId}`, sk: 'ORG' }),
  organizationName: (name: string): Key => ({ pk: `ORG_NAME#${name}`, sk: 'NAME' }),
  user: (userId: string): Key => ({ pk: `USER#${userId}`, sk: 'USER' }),
  userName: (name: string): Key => ({ pk: `USER_NAME#${name}`, sk: 'NAME' }),
  team: (teamId: string): Key => ({ pk: `TEAM#${teamId}`, sk: 'TEAM' }),
  teamName: (name: string): Key => ({ pk: `TEAM_NAME#${name}`, sk: 'NAME' }),
  member: (teamId: string, userId: string): Key => ({ pk: `TEAM#${teamId}`, sk: `MEMBER#${userId}` }),
  /** Exists after the call of an approval was made. */
  approval: (teamId: string, approvalId: string): Key => ({
    pk: `APPROVALS#${teamId}`,
    sk: `APPROVAL#${approvalId}`,
  }),
  /** An event that has not been published yet; `place` sorts those of a dataset by their number. */
  outbox: (teamId: string, place: string): Key => ({ pk: `OUTBOX#${teamId}`, sk: `EVENT#${place}` }),
  feedEvent: (teamId: string, position: number): Key => ({
    pk: `EVENTS#${teamId}`,
    sk: `EVENT#${String(position).padStart(15, '0')}`,
  }),
  /** The position of the latest event of a team. In a partition of its own: `feedEvent` is read by ranges. */
  feedPosition: (teamId: string): Key => ({ pk: `EVENT_COUNTS#${teamId}`, sk: 'POSITION' }),
  /** The number of the last published event of a dataset. */
  publishedSequence: (teamId: string, datasetId: string): Key => ({
    pk: `EVENT_COUNTS#${teamId}`,
    sk: `PUBLISHED#${datasetId}`,
  }),
  /** The number of the latest event of a dataset, published or not. */
  eventSequence: (teamId: string, datasetId: string): Key => ({
    pk: `EVENT_COUNTS#${teamId}`,
    sk: `SEQUENCE#${datasetId}`,
  }),
  eval: (teamId: string, evalId: string): Key => ({ pk: `EVALS#${teamId}`, sk: `EVAL#${evalId}` }),
  evalRun: (teamId: string, evalId: string, runId: string): Key => ({
    pk: `EVALS#${teamId}`,
    sk: `EVAL_RUN#${evalId}#${runId}`,
  }),
  /** What may be large of an eval: whoever lists evals does not read it. */
  evalTexts: (teamId: string, evalId: string): Key => ({ pk: `EVALS#${teamId}`, sk: `TEXTS#${evalId}` }),
  evalRunTexts: (teamId: string, runId: string): Key => ({ pk: `EVALS#${teamId}`, sk: `RUN_TEXTS#${runId}` }),
  /** Exists while a run of an eval waits for a place of its team; sorted by its time (ISO 8601). */
  queuedEvalRun: (teamId: string, createdAt: string, runId: string): Key => ({
    pk: `EVALS#${teamId}`,
    sk: `QUEUED#${createdAt}#${runId}`,
  }),
  batch: (teamId: string, batchId: string): Key => ({ pk: `BATCHES#${teamId}`, sk: `BATCH#${batchId}` }),
  /** A file that a batch has left. */
  batchFile: (teamId: string, fileId: string): Key => ({ pk: `BATCHES#${teamId}`, sk: `FILE#${fileId}` }),
  webhook: (teamId: string, webhookId: string): Key => ({
    pk: `WEBHOOKS#${teamId}`,
    sk: `WEBHOOK#${webhookId}`,
  }),
  /** What became of an event at a webhook; sorted by position. */
  delivery: (webhookId: string, position: number): Key => ({
    pk: `DELIVERIES#${webhookId}`,
    sk: `DELIVERY#${String(position).padStart(15, '0')}`,
  }),
  /** Exists while a delivery is pending; sorted by the time of its next attempt (ISO 8601). */
  dueDelivery: (webhookId: string, at: string, position: number): Key => ({
    pk: `DUE_DELIVERIES#${webhookId}`,
    sk: `DUE#${at}#${String(position).padStart(15, '0')}`,
  }),
  /** Exists while a process does a piece of work. */
  claim: (work: string): Key => ({ pk: `CLAIM#${work}`, sk: 'CLAIM' }),
  stack: (teamId: string, slug: string): Key => ({ pk: `TEAM#${teamId}`, sk: `STACK#${slug}` }),
  balance: (teamId: string): Key => ({ pk: `CREDITS#${teamId}`, sk: 'BALANCE' }),
  hold: (teamId: string, runId: string): Key => ({ pk: `CREDITS#${teamId}`, sk: `HOLD#${runId}` }),
  ledgerEntry: (teamId: string, createdAt: string, entryId: string): Key => ({
    pk: `CREDITS#${teamId}`,
    sk: `LEDGER#${createdAt}#${entryId}`,
  }),
  idempotency: (teamId: string, operation: string, datasetId: string, keyHash: string): Key => ({
    pk: `IDEMPOTENCY#${teamId}`,
    sk: `IDEMPOTENCY#${operation}#${datasetId}#${keyHash}`,
  }),
  teamKey: (teamId: string, keyId: string): Key => ({ pk: `TEAM_KEYS#${teamId}`, sk: `KEY#${keyId}` }),
  key: (keyHash: string): Key => ({ pk: `KEY#${keyHash}`, sk: 'KEY' }),
  /** What operators did in a month, in its order; `at` in ISO 8601. */
  auditEntry: (at: string, entryId: string): Key => ({
    pk: `AUDIT#${at.slice(0, 7)}`,
    sk: `ENTRY#${at}#${entryId}`,
  }),
  plan: (name: string): Key => ({ pk: `PLAN#${name}`, sk: 'PLAN' }),
  rate: (teamId: string, second: number): Key => ({ pk: `RATE#${teamId}#${second}`, sk: 'RATE' }),
  tokens: (teamId: string, minute: number): Key => ({ pk: `TOKENS#${teamId}#${minute}`, sk: 'TOKENS' }),
  freeUse: (teamId: string, use: string, hour: number): Key => ({
    pk: `FREE_USE#${teamId}#${use}#${hour}`,
    sk: 'FREE_USE',
  }),
  unbilledTokens: (teamId: string, hour: number): Key => ({
    pk: `UNBILLED#${teamId}#${hour}`,
    sk: 'UNBILLED',
  }),
  meterShard: (teamId: string, shard: number): Key => ({ pk: `METER#${teamId}#${shard}`, sk: 'SHARD' }),
  /** Sum of a shard's billed usage of a model on a day. */
  dayUsage: (teamId: string, shard: number, day: string, model: string): Key => ({
    pk: `METER#${teamId}#${shard}`,
    sk: `DAY#${day}#${model}`,
  }),
  usage: (teamId: string, responseId: string): Key => ({ pk: `USAGE#${teamId}#${responseId}`, sk: 'USAGE' }),
  calibration: (modelId: string, promptVersion: string, setHash: string): Key => ({
    pk: `CALIBRATION#${modelId}`,
    sk: `${promptVersion}#${setHash}`,
  }),
  speed: (modelId: string, shape: string): Key => ({ pk: `SPEED#${modelId}`, sk: `SHAPE#${shape}` }),
} as const;

/** Sort key prefixes of items by kind. */
export const sortKeyPrefixes = {
  run: 'RUN#',
  version: 'VERSION#',
  verdict: 'VERDICT#',
  evaluation: 'EVALUATION#',
  customEval: 'CUSTOM_EVAL#',
  publication: 'PUBLICATION#',
  finetuneJob: 'JOB#',
  chunk: 'CHUNK#',
  event: 'EVENT#',
  eval: 'EVAL#',
  evalRun: 'EVAL_RUN#',
  queuedEvalRun: 'QUEUED#',
  batch: 'BATCH#',
  webhook: 'WEBHOOK#',
  delivery: 'DELIVERY#',
  dueDelivery: 'DUE#',
  member: 'MEMBER#',
  hold: 'HOLD#',
  ledgerEntry: 'LEDGER#',
  teamKey: 'KEY#',
  stack: 'STACK#',
  dayUsage: 'DAY#',
  auditEntry: 'ENTRY#',
} as const;

/** Values of `list_pk`: the lists that the indexes sort. An item without it is in no index. */
export const lists = {
  datasets: (teamId: string) => `TEAM#${teamId}#DATASETS`,
  activeRuns: 'ACTIVE_RUNS',
  /** Deleted datasets that are to be erased once more, by the time at which that is due. */
  erasures: 'ERASURES',
  /** Events that have not been published yet. */
  outbox: 'OUTBOX',
  /** Webhooks with pending deliveries, by the time of the next attempt. */
  dueWebhooks: 'DUE_WEBHOOKS',
  /** Runs of evals that wait for a place. */
  queuedEvalRuns: 'QUEUED_EVAL_RUNS',
  /** Evals that are to be erased with their runs. */
  evalRemovals: 'EVAL_REMOVALS',
  /** Runs of evals over a dataset. */
  evalRunsOver: (datasetId: string) => `DATASET#${datasetId}#EVAL_RUNS`,
  /** Pilots of a dataset that have ended. */
  pilots: (datasetId: string) => `DATASET#${datasetId}#PILOTS`,
  customEvals: (datasetId: string) => `DATASET#${datasetId}#CUSTOM_EVALS`,
  trainings: (teamId: string) => `TEAM#${teamId}#TRAININGS`,
  comparisons: (teamId: string) => `TEAM#${teamId}#COMPARISONS`,
  revokedAttempts: 'REVOKED_ATTEMPTS',
  deployments: 'DEPLOYMENTS',
  grades: 'GRADES',
  organizations: 'ORGANIZATIONS',
  teams: 'TEAMS',
  users: 'USERS',
  plans: 'PLANS',
  vouchers: 'VOUCHERS',
} as const;

/** The index and its sort key for each order of a list. */
export const indexes = {
  created_at: { name: 'by_created', sortKey: 'list_created' },
  updated_at: { name: 'by_updated', sortKey: 'list_updated' },
  name: { name: 'by_name', sortKey: 'list_name' },
} as const;
