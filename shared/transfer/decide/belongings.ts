import { objectKeys } from '#shared/platform/storage/object-keys.ts';

/**
 * What a kind of item does when its team moves: `moves` with the partition of a team, dataset, its verdicts, run or training;
 * `settings` are written by steps of their own; a `statement` goes into the archive and is not restored; `made` is
 * derived from others at the import; `stays` for the reason given.
 */
export type RecordFate =
  | { readonly moves: 'team' | 'dataset' | 'verdicts' | 'run' | 'training' | 'approvals' | 'idempotency' }
  | { readonly settings: true }
  | { readonly statement: 'credits' | 'meter' }
  | { readonly made: true }
  | { readonly stays: string };

export type ObjectFate =
  | { readonly moves: 'dataset' | 'run' | 'training' | 'responses' | 'reuse' }
  | { readonly stays: string };

const KEYS_STAY = 'API keys do not move, nor do their hashes: make new ones with `key create`';
const MINUTES = 'counts requests of a few seconds, minutes or hours';
const INSTALLATION = 'belongs to the installation, and to no team';
const EVENTS = 'events tell of what has happened in this installation, for 30 days; their numbers begin anew';
const WEBHOOKS = 'names a receiver and a secret of this installation: create it anew';
const EVALS =
  'an eval is its definition and runs that can be repeated: create it anew; its files move as datasets';
const BATCHES = 'a batch and the files that it left are there for 30 days: download them';
const ACTIVE = 'exists during active work, and a team with active work is not exported';

/** Every kind of item: the names are those of `keys` in `platform/store/keys.ts`. */
export const recordFates = {
  team: { moves: 'team' },
  member: { moves: 'team' },
  stack: { moves: 'team' },
  dataset: { moves: 'dataset' },
  version: { moves: 'dataset' },
  verdict: { moves: 'verdicts' },
  verdictText: { moves: 'verdicts' },
  run: { moves: 'dataset' },
  evaluation: { moves: 'dataset' },
  customEval: { moves: 'dataset' },
  publication: {
    stays: 'says what this installation has sent to a platform, by a connection that does not move',
  },
  finetuneJob: { moves: 'dataset' },
  chunk: { moves: 'run' },
  training: { moves: 'training' },
  approval: { moves: 'approvals' },
  idempotency: { moves: 'idempotency' },
  organization: { settings: true },
  user: { settings: true },
  plan: { settings: true },
  voucher: { settings: true },
  balance: { statement: 'credits' },
  hold: { statement: 'credits' },
  ledgerEntry: { statement: 'credits' },
  meterShard: { statement: 'meter' },
  dayUsage: { statement: 'meter' },
  organizationName: { made: true },
  userName: { made: true },
  teamName: { made: true },
  activeTraining: { stays: ACTIVE },
  activePilot: { stays: ACTIVE },
  trainerAttempt: { stays: 'the lease of a trainer, which has ended with its training' },
  claim: { stays: 'the lock of a process' },
  key: { stays: KEYS_STAY },
  teamKey: { stays: KEYS_STAY },
  rate: { stays: MINUTES },
  tokens: { stays: MINUTES },
  freeUse: { stays: MINUTES },
  unbilledTokens: { stays: MINUTES },
  usage: {
    stays: 'usage of single answers, kept for 30 days; the sums of each day are among the statements',
  },
  outbox: { stays: EVENTS },
  feedEvent: { stays: EVENTS },
  feedPosition: { stays: EVENTS },
  eventSequence: { stays: EVENTS },
  publishedSequence: { stays: EVENTS },
  batch: { stays: BATCHES },
  batchFile: { stays: BATCHES },
  eval: { stays: EVALS },
  evalRun: { stays: EVALS },
  evalTexts: { stays: EVALS },
  evalRunTexts: { stays: EVALS },
  queuedEvalRun: { stays: EVALS },
  webhook: { stays: WEBHOOKS },
  delivery: { stays: WEBHOOKS },
  dueDelivery: { stays: WEBHOOKS },
  auditEntry: { stays: INSTALLATION },
  deployment: {
    stays: 'an account of this installation holds the model; the training can be deployed there',
  },
  teamDeployments: { stays: 'the list of deployments, which stay' },
  readyMinutes: { stays: 'a bound of this installation, for a day' },
  calibration: { stays: INSTALLATION },
  speed: { stays: INSTALLATION },
} as const satisfies Readonly<Record<string, RecordFate>>;

export type RecordKind = keyof typeof recordFates;

const SCRATCH = 'files of an import or an ingest while it runs; the dataset has copies of its own';
/** Files for the platform of an installation. */
const DEPLOYED = 'made for what answers with trained models here; the training can be deployed there';
const REBUILT = 'built again from the rows on the next request';
const UPLOADS = 'uploads that were never completed';
const SEARCH_PLANS = 'plans of index builds that have ended';

/** Every kind of object: the names are those of `objectKeys`. */
export const objectFates = {
  dataset: { moves: 'dataset' },
  batch: { moves: 'dataset' },
  raw: { moves: 'dataset' },
  manifest: { moves: 'dataset' },
  rows: { moves: 'dataset' },
  appendedRows: { moves: 'dataset' },
  appendedManifest: { moves: 'dataset' },
  index: { moves: 'dataset' },
  indexManifest: { moves: 'dataset' },
  indexBuild: { moves: 'dataset' },
  indexTexts: { moves: 'dataset' },
  indexWords: { moves: 'dataset' },
  indexVectors: { moves: 'dataset' },
  indexShard: { moves: 'dataset' },
  file: { moves: 'dataset' },
  run: { moves: 'run' },
  runRequest: { moves: 'run' },
  plan: { moves: 'run' },
  work: { moves: 'run' },
  signaturePlan: { moves: 'run' },
  signatures: { moves: 'run' },
  duplicates: { moves: 'run' },
  notBelieved: { moves: 'run' },
  doubts: { moves: 'run' },
  checkpoints: { moves: 'run' },
  batchState: { moves: 'run' },
  wantedCalls: { moves: 'run' },
  batchInput: { moves: 'run' },
  batchOutput: { stays: ACTIVE },
  batchedAnswersOf: { moves: 'run' },
  batchedAnswers: { moves: 'run' },
  result: { moves: 'run' },
  combined: { moves: 'run' },
  expansionPlan: { moves: 'run' },
  expansionWork: { moves: 'run' },
  expansionSelection: { moves: 'run' },
  expansionLabels: { moves: 'run' },
  takenRows: { moves: 'run' },
  topics: { moves: 'run' },
  examples: { moves: 'run' },
  rowShape: { moves: 'run' },
  writingPlan: { moves: 'run' },
  candidates: { moves: 'run' },
  expansionRequest: { moves: 'run' },
  roundPlan: { moves: 'run' },
  invention: { moves: 'run' },
  pilotSample: { moves: 'run' },
  pilotRows: { moves: 'run' },
  pilotJudge: { moves: 'run' },
  pilotArm: { moves: 'run' },
  pilotResults: { moves: 'run' },
  pilotPlan: { moves: 'run' },
  pilotAnswers: { moves: 'run' },
  pilotState: { moves: 'run' },
  reviewed: { moves: 'run' },
  reviewedRows: { moves: 'run' },
  report: { moves: 'run' },
  reportRows: { moves: 'run' },
  evaluationPlan: { moves: 'run' },
  evaluationSample: { moves: 'run' },
  evaluationScores: { moves: 'run' },
  evaluationCheckpoints: { moves: 'run' },
  evaluation: { moves: 'run' },
  evaluationRows: { moves: 'run' },
  mapResults: { moves: 'run' },
  customEvalPlan: { moves: 'run' },
  customEvalScores: { moves: 'run' },
  customEvalCheckpoints: { moves: 'run' },
  customEvalMap: { moves: 'run' },
  training: { moves: 'training' },
  trainingInputs: { moves: 'training' },
  trainingData: { moves: 'training' },
  trainingRows: { moves: 'training' },
  heldOutCandidates: { moves: 'training' },
  adaptedRows: { moves: 'training' },
  heldOutRows: { moves: 'training' },
  trainerOutput: { moves: 'training' },
  trainerCheckpoints: { moves: 'training' },
  proposal: { moves: 'training' },
  comparisonPlan: { moves: 'training' },
  comparisonChecks: { moves: 'training' },
  comparisonSample: { moves: 'training' },
  comparisonVerdicts: { moves: 'training' },
  comparisonCheckpoints: { moves: 'training' },
  iterationOutcome: { moves: 'training' },
  iterationAnswers: { moves: 'training' },
  trainingReport: { moves: 'training' },
  trainingArtifact: { moves: 'training' },
  batchLinesOf: { stays: BATCHES },
  batchLines: { stays: BATCHES },
  batchLine: { stays: BATCHES },
  batchFile: { stays: BATCHES },
  resultFile: { stays: 'made of the metrics of a training when it is read' },
  evalRun: { stays: EVALS },
  evalContent: { stays: EVALS },
  evalItems: { stays: EVALS },
  evalStatuses: { stays: EVALS },
  evalSaid: { stays: EVALS },
  responsesOf: { moves: 'responses' },
  response: { moves: 'responses' },
  reuseOf: { moves: 'reuse' },
  reuseOfChunk: { moves: 'reuse' },
  reuseOfDataset: { moves: 'reuse' },
  datasetReuse: { moves: 'reuse' },
  reuseMarkers: { moves: 'reuse' },
  reuseOfEvaluations: { moves: 'reuse' },
  brokenReuse: { moves: 'reuse' },
  reuseCoverage: { moves: 'reuse' },
  importSource: { stays: 'the address of an import, which may hold credentials; the files were imported' },
  deployment: { stays: DEPLOYED },
  deployedAdapter: { stays: DEPLOYED },
  deployedModel: { stays: DEPLOYED },
  trainingJob: {
    stays: 'jobs of trainers, which name the bucket, the table and a task of this installation',
  },
  upload: { stays: UPLOADS },
  uploadsOf: { stays: UPLOADS },
  imported: { stays: SCRATCH },
  imports: { stays: SCRATCH },
  importedFiles: { stays: SCRATCH },
  importedNames: { stays: SCRATCH },
  ingestPlan: { stays: SCRATCH },
  converted: { stays: SCRATCH },
  convertedManifest: { stays: SCRATCH },
  conversions: { stays: SCRATCH },
  indexPlans: { stays: SEARCH_PLANS },
  indexPlansOf: { stays: SEARCH_PLANS },
  indexPlan: { stays: SEARCH_PLANS },
  indexMap: { stays: SEARCH_PLANS },
  export: { stays: REBUILT },
  mappedExport: { stays: REBUILT },
  exports: { stays: REBUILT },
  exportsOf: { stays: REBUILT },
  diffs: { stays: REBUILT },
  diff: { stays: REBUILT },
  diffIndex: { stays: REBUILT },
  diffRows: { stays: REBUILT },
  diffFailure: { stays: REBUILT },
  rowIndexOf: { stays: REBUILT },
  rowIndex: { stays: REBUILT },
  rowTable: { stays: REBUILT },
  indexedRows: { stays: REBUILT },
  indexedTexts: { stays: REBUILT },
  longRows: { stays: REBUILT },
  largeRow: { stays: REBUILT },
  rowHashes: { stays: REBUILT },
  rowDoubts: { stays: REBUILT },
  poolLoad: { stays: INSTALLATION },
  poolLoads: { stays: INSTALLATION },
  poolRows: { stays: INSTALLATION },
  poolVectors: { stays: INSTALLATION },
  poolShards: { stays: INSTALLATION },
} as const satisfies Readonly<Record<keyof typeof objectKeys, ObjectFate>>;

/** The ids that the items and objects of a team are found by. */
export interface TeamIds {
  readonly team: string;
  readonly datasets: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  /** A training has the id of its run. */
  readonly trainings: ReadonlySet<string>;
}

/** The prefixes below which the objects of a team lie. */
export function prefixesOf({ team, datasets, runs, trainings }: TeamIds): string[] {
  return [
    ...[...datasets].map((id) => objectKeys.dataset(id)),
    ...[...runs].map((id) => objectKeys.run(id)),
    ...[...trainings].map((id) => objectKeys.training(id)),
    objectKeys.responsesOf(team),
    objectKeys.reuseOf(team),
  ];
}

/** Stands for each part of a key; long enough that no padding changes it. */
export const ANY = 'any-part-of-a-key';

/** The pattern of what a builder of keys returns, of all its parameters; `part` is the pattern of a parameter. */
export function patternOf(built: string, part: string): RegExp {
  const text = built.split(ANY).map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${text.join(part)}${built.endsWith('/') ? '' : '$'}`, 's');
}

/** The key, or prefix, of a kind of object, with `ANY` for each part. */
export function anyObjectOf(kind: keyof typeof objectKeys): string {
  return (objectKeys[kind] as (...parts: string[]) => string)(ANY, ANY, ANY, ANY);
}

const staying = (Object.keys(objectFates) as (keyof typeof objectKeys)[])
  .filter((kind) => 'stays' in objectFates[kind])
  .map((kind) => patternOf(anyObjectOf(kind), '[^/]+'));

/** Whether an object moves, of those below `prefixesOf`. */
export function objectMoves(key: string): boolean {
  return !staying.some((pattern) => pattern.test(key));
}

/** What no archive holds: each kind of item and object, with the reason. */
export function leftOutKinds(): { kind: string; reason: string }[] {
  const reasons = (fates: Readonly<Record<string, RecordFate | ObjectFate>>, what: string) =>
    Object.entries(fates).flatMap(([kind, fate]) =>
      'stays' in fate ? [{ kind: `${what}:${kind}`, reason: fate.stays }] : [],
    );
  return [
    ...reasons(recordFates, 'item'),
    ...reasons(objectFates, 'object'),
    { kind: 'secret:connections', reason: 'credentials for providers do not leave Secrets Manager' },
  ];
}
