import type { ExportFormat } from '../schema/file-format.ts';

const six = (n: number): string => String(n).padStart(6, '0');

/** A file name for keys and URLs: other characters become `_`. */
export function safeFileName(name: string): string {
  const safe = name.replaceAll(/[^a-zA-Z0-9._-]+/g, '_').replace(/^\.+/, '');
  return safe === '' ? 'file' : safe.slice(-120);
}

/** All keys of the data bucket. Prefixes match `bucketPrefixes`, which grants are made for. */
export const objectKeys = {
  /** The key contains the team, so that a key from a caller can be checked without a query. */
  upload: (teamId: string, datasetId: string, fileName: string) =>
    `uploads/${teamId}/${datasetId}/${safeFileName(fileName)}`,
  /** A team's uncompleted uploads. */
  uploadsOf: (teamId: string) => `uploads/${teamId}/`,
  /** The source of an import. */
  importSource: (datasetId: string) => `datasets/${datasetId}/import.json`,
  /** The list of files of a batch. */
  batch: (datasetId: string) => `datasets/${datasetId}/batch.json`,
  /** File `n` that a run reads: of an import as its provider answered it, otherwise a copy of what was uploaded. */
  imported: (runId: string, n: number) => `imports/${runId}/files/${six(n)}`,
  /** All that lies of an import or of an ingest while it runs. */
  imports: (runId: string) => `imports/${runId}/`,
  conversions: (runId: string) => `converted/${runId}/`,
  importedFiles: (runId: string) => `imports/${runId}/files/`,
  /** Names of an import's files, if only the provider knows them. */
  importedNames: (runId: string) => `imports/${runId}/names.json`,
  /** Which files a run reads, and how. */
  ingestPlan: (runId: string) => `imports/${runId}/plan.json`,
  /** What the files of a run were converted to, until it is copied to the rows of the dataset. */
  converted: (runId: string, n: number) => `converted/${runId}/${six(n)}.jsonl`,
  convertedManifest: (runId: string) => `converted/${runId}/manifest.json`,
  raw: (datasetId: string, fileName: string) => `datasets/${datasetId}/raw/${safeFileName(fileName)}`,
  manifest: (datasetId: string) => `datasets/${datasetId}/rows/manifest.json`,
  rows: (datasetId: string, n: number) => `datasets/${datasetId}/rows/${six(n)}.jsonl`,
  /** The rows that an append adds, and the manifest of all rows after it. */
  appendedRows: (datasetId: string, runId: string, n: number) =>
    `datasets/${datasetId}/rows/${runId}/${six(n)}.jsonl`,
  appendedManifest: (datasetId: string, runId: string) => `datasets/${datasetId}/rows/${runId}/manifest.json`,
  /** The search index of a dataset: it names a build, whose shards have that build's prefix. */
  index: (datasetId: string) => `datasets/${datasetId}/index/`,
  indexManifest: (datasetId: string) => `datasets/${datasetId}/index/manifest.json`,
  indexBuild: (datasetId: string, buildId: string) => `datasets/${datasetId}/index/builds/${buildId}/`,
  indexTexts: (datasetId: string, buildId: string, n: number) =>
    `datasets/${datasetId}/index/builds/${buildId}/texts/${six(n)}.jsonl`,
  indexWords: (datasetId: string, buildId: string, n: number) =>
    `datasets/${datasetId}/index/builds/${buildId}/words/${six(n)}.bin`,
  indexVectors: (datasetId: string, buildId: string, n: number) =>
    `datasets/${datasetId}/index/builds/${buildId}/vectors/${six(n)}.bin`,
  /** The result of a shard. */
  indexShard: (datasetId: string, buildId: string, n: number) =>
    `datasets/${datasetId}/index/builds/${buildId}/shards/${six(n)}.json`,
  /** Plans of index builds: the map state machine reads plans of runs only. */
  indexPlans: (datasetId: string) => `runs/index-${datasetId}/`,
  indexPlansOf: (datasetId: string, buildId: string) => `runs/index-${datasetId}/${buildId}/`,
  indexPlan: (datasetId: string, buildId: string) => `runs/index-${datasetId}/${buildId}/plan.jsonl`,
  indexMap: (datasetId: string, buildId: string) => `runs/index-${datasetId}/${buildId}/map`,
  /** A file that rows refer to by its path, such as an image. */
  file: (datasetId: string, path: string) => `datasets/${datasetId}/files/${path}`,
  dataset: (datasetId: string) => `datasets/${datasetId}/`,
  runRequest: (runId: string) => `runs/${runId}/request.json`,
  plan: (runId: string) => `runs/${runId}/plan.jsonl`,
  /** The same batches as workers take them: small ones together. */
  work: (runId: string) => `runs/${runId}/work.jsonl`,
  /** Plan of signatures: one object for each line. */
  signaturePlan: (runId: string) => `runs/${runId}/signatures/plan.jsonl`,
  signatures: (runId: string, n: number) => `runs/${runId}/signatures/${six(n)}.bin`,
  duplicates: (runId: string, batch: number) => `runs/${runId}/duplicates/${six(batch)}.jsonl`,
  /** Which of a run's judges are believed for nothing, and why. */
  notBelieved: (runId: string) => `runs/${runId}/not-believed.json`,
  /** What the rows of a run are doubted for before it begins. */
  doubts: (runId: string) => `runs/${runId}/doubts.json`,
  checkpoints: (runId: string, n: number) => `runs/${runId}/checkpoints/${six(n)}/`,
  result: (runId: string, n: number) => `runs/${runId}/results/${six(n)}.jsonl`,
  /** What is known of a run's batch jobs; absent of a run whose calls are made singly. */
  batchState: (runId: string) => `runs/${runId}/batch-jobs/state.json`,
  /** The calls that the rows of batch `n` want in a pass. */
  wantedCalls: (runId: string, pass: number, n: number) =>
    `runs/${runId}/batch-jobs/passes/${six(pass)}/wanted/${six(n)}.jsonl`,
  /** The lines of a batch job, in the provider's form. */
  batchInput: (runId: string, pass: number, job: number) =>
    `runs/${runId}/batch-jobs/passes/${six(pass)}/inputs/${six(job)}.jsonl`,
  /**
   * Where a provider writes that takes a prefix for its results. Not below the run: a provider may still write when the run
   * has been deleted.
   */
  batchOutput: (runId: string, pass: number, job: number) =>
    `batch-outputs/${runId}/${six(pass)}/${six(job)}/`,
  /** What batch jobs have answered of the calls of batch `n`. */
  batchedAnswersOf: (runId: string, n: number) => `runs/${runId}/batch-jobs/answers/${six(n)}/`,
  batchedAnswers: (runId: string, n: number, pass: number, job: number) =>
    `runs/${runId}/batch-jobs/answers/${six(n)}/${six(pass)}-${six(job)}.jsonl`,
  /** The rows that a merge has read from its source `n`. */
  combined: (runId: string, n: number) => `runs/${runId}/combined/${six(n)}.json`,
  expansionPlan: (runId: string) => `runs/${runId}/expansion/plan.jsonl`,
  expansionWork: (runId: string) => `runs/${runId}/expansion/work.jsonl`,
  expansionSelection: (runId: string, n: number) => `runs/${runId}/expansion/selections/${six(n)}.jsonl`,
  /** Labels of the source's columns: they stay as they are in other languages, and rows that are written may have them. */
  expansionLabels: (runId: string) => `runs/${runId}/expansion/labels.jsonl`,
  /** The rows of a source, if the new dataset has only some of them. */
  takenRows: (runId: string, n: number) => `runs/${runId}/source/${six(n)}.jsonl`,
  /** The topics of a run's source. */
  topics: (runId: string) => `runs/${runId}/topics.json`,
  /** Example rows of the source for new rows. */
  examples: (runId: string) => `runs/${runId}/examples.jsonl`,
  /** What the rows of the source have in common. */
  rowShape: (runId: string) => `runs/${runId}/row-shape.json`,
  /** Rows that a model is to write; numbers go on after those of the pool's groups. */
  writingPlan: (runId: string) => `runs/${runId}/writing/plan.jsonl`,
  /** What a search found in a group of the pool's shards. */
  candidates: (runId: string, n: number) => `runs/${runId}/candidates/${six(n)}.jsonl`,
  /** The source of rows in other languages, if it differs from the run's request. */
  expansionRequest: (runId: string) => `runs/${runId}/expansion/request.json`,
  roundPlan: (runId: string, round: number) => `runs/${runId}/rounds/${six(round)}.jsonl`,
  /** The final rows of an invention. */
  invention: (runId: string) => `runs/${runId}/invention.json`,
  /** The rows that the arms of a pilot adapt, and what they are in the dataset. */
  pilotSample: (runId: string) => `runs/${runId}/pilot/sample.jsonl`,
  pilotRows: (runId: string) => `runs/${runId}/pilot/rows.json`,
  /** Who compares the answers of a pilot, and how often that is right. */
  pilotJudge: (runId: string) => `runs/${runId}/pilot/judge.json`,
  /** The request of an arm, as workers read it. */
  pilotArm: (runId: string, arm: number) => `runs/${runId}/pilot/arms/${arm}/request.json`,
  /** The delivered rows of an arm, which the run of the arm takes over. */
  pilotResults: (runId: string, arm: number) => `runs/${runId}/pilot/arms/${arm}/results.jsonl`,
  pilotPlan: (runId: string, step: number) => `runs/${runId}/pilot/plans/${step}.jsonl`,
  /** The answers of the arms side by side, as callers are shown them. */
  pilotAnswers: (runId: string) => `runs/${runId}/pilot/answers.jsonl`,
  /** What is known of the arms so far. */
  pilotState: (runId: string) => `runs/${runId}/pilot/state.json`,
  /** What a review has changed, by batch. */
  reviewed: (runId: string) => `runs/${runId}/review/`,
  /** The rows of batch `n` that a review has changed. */
  reviewedRows: (runId: string, n: number) => `runs/${runId}/review/${six(n)}.json`,
  report: (runId: string) => `runs/${runId}/report.json`,
  reportRows: (runId: string, n: number) => `runs/${runId}/report-rows/${six(n)}.jsonl`,
  evaluationPlan: (runId: string) => `runs/${runId}/evaluation/plan.jsonl`,
  evaluationSample: (runId: string, n: number) => `runs/${runId}/evaluation/samples/${six(n)}.jsonl`,
  evaluationScores: (runId: string, n: number) => `runs/${runId}/evaluation/scores/${six(n)}.jsonl`,
  evaluationCheckpoints: (runId: string, n: number) => `runs/${runId}/evaluation/checkpoints/${six(n)}/`,
  evaluation: (runId: string) => `runs/${runId}/evaluation/result.json`,
  /** The scores of each row of the sample. */
  evaluationRows: (runId: string) => `runs/${runId}/evaluation/rows.json`,
  mapResults: (runId: string, stage: string) => `runs/${runId}/map/${stage}/`,
  /** Custom evaluations are stored with the run whose sample they score. */
  customEvalPlan: (runId: string, id: string) => `runs/${runId}/custom-evals/${id}/plan.jsonl`,
  customEvalScores: (runId: string, id: string, n: number) =>
    `runs/${runId}/custom-evals/${id}/scores/${six(n)}.jsonl`,
  customEvalCheckpoints: (runId: string, id: string, n: number) =>
    `runs/${runId}/custom-evals/${id}/checkpoints/${six(n)}/`,
  customEvalMap: (runId: string, id: string) => `runs/${runId}/custom-evals/${id}/map`,
  /** All objects of a training, including its artifacts. */
  training: (experimentId: string) => `trainings/${experimentId}/`,
  /** What is made of a training's model for the platform that answers with it. */
  deployment: (experimentId: string) => `trainings/${experimentId}/deployment/`,
  deployedAdapter: (experimentId: string, name: string) =>
    `trainings/${experimentId}/deployment/adapter/${name}`,
  /** A file of the merged model; without a name their prefix. */
  deployedModel: (experimentId: string, name: string) => `trainings/${experimentId}/deployment/model/${name}`,
  run: (runId: string) => `runs/${runId}/`,
  /** What trainers are given to read of a training. */
  trainingInputs: (experimentId: string) => `trainings/${experimentId}/data/`,
  trainingData: (experimentId: string) => `trainings/${experimentId}/data/manifest.json`,
  trainingRows: (experimentId: string, n: number) => `trainings/${experimentId}/data/train/${six(n)}.jsonl`,
  /** Candidates for held-out rows; the others are trained on at the end. */
  heldOutCandidates: (experimentId: string, n: number) =>
    `trainings/${experimentId}/data/candidates/${six(n)}.jsonl`,
  adaptedRows: (experimentId: string, n: number) => `trainings/${experimentId}/data/adapted/${six(n)}.jsonl`,
  heldOutRows: (experimentId: string) => `trainings/${experimentId}/data/held-out.jsonl`,
  /** Prefix of all outputs of a trainer's attempt. */
  trainerOutput: (experimentId: string, iteration: number, attempt: number) =>
    `trainings/${experimentId}/iterations/${iteration}/attempts/${attempt}/`,
  /** Where attempts after it go on; of all attempts, for a policy. */
  trainerCheckpoints: (experimentId: string, iteration: number, attempt: number | '*') =>
    `trainings/${experimentId}/iterations/${iteration}/attempts/${attempt}/checkpoints/`,
  trainingJob: (experimentId: string, iteration: number, attempt: number) =>
    `trainings/${experimentId}/iterations/${iteration}/attempts/${attempt}/job.json`,
  proposal: (experimentId: string, iteration: number) =>
    `trainings/${experimentId}/iterations/${iteration}/proposal.json`,
  comparisonPlan: (experimentId: string, iteration: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/plan.jsonl`,
  /** The verdicts of the checks on the answers of both sides of a comparison. */
  comparisonChecks: (experimentId: string, iteration: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/checks.jsonl`,
  comparisonSample: (experimentId: string, iteration: number, n: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/samples/${six(n)}.jsonl`,
  comparisonVerdicts: (experimentId: string, iteration: number, n: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/verdicts/${six(n)}.jsonl`,
  comparisonCheckpoints: (experimentId: string, iteration: number, n: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/checkpoints/${six(n)}/`,
  iterationOutcome: (experimentId: string, iteration: number) =>
    `trainings/${experimentId}/iterations/${iteration}/outcome.json`,
  /** Some of the answers of an iteration, as callers are shown them. */
  iterationAnswers: (experimentId: string, iteration: number) =>
    `trainings/${experimentId}/iterations/${iteration}/answers.json`,
  trainingReport: (experimentId: string) => `trainings/${experimentId}/report.json`,
  /** The artifact that callers download. */
  trainingArtifact: (experimentId: string) => `trainings/${experimentId}/artifact.tar.gz`,
  /** `version` is the run whose rows are exported, or `source` without a run. */
  export: (datasetId: string, version: string, format: ExportFormat) =>
    `exports/${datasetId}/${version}/data.${format}`,
  /** The same in a form for trainers, whose rows follow from a mapping. */
  mappedExport: (datasetId: string, version: string, format: ExportFormat, mapping: string) =>
    `exports/${datasetId}/${version}/mapped/${mapping}/data.${format}`,
  exports: (datasetId: string) => `exports/${datasetId}/`,
  /** All that was built of the rows of a run. */
  exportsOf: (datasetId: string, version: string) => `exports/${datasetId}/${version}/`,
  /** What changed between two versions. */
  diffs: (datasetId: string) => `exports/${datasetId}/diffs/`,
  diff: (datasetId: string, from: number, to: number) => `exports/${datasetId}/diffs/${from}-${to}/`,
  /** The object that completes it. */
  diffIndex: (datasetId: string, from: number, to: number) =>
    `exports/${datasetId}/diffs/${from}-${to}/index.json`,
  diffRows: (datasetId: string, from: number, to: number, kind: string) =>
    `exports/${datasetId}/diffs/${from}-${to}/${kind}.jsonl`,
  /** Exists after an attempt to build it that failed. */
  diffFailure: (datasetId: string, from: number, to: number) =>
    `exports/${datasetId}/diffs/${from}-${to}/failure.json`,
  /** The row index of a version, whose other objects lie below the same prefix. */
  rowIndexOf: (datasetId: string, version: string) => `exports/${datasetId}/${version}/rows/`,
  rowIndex: (datasetId: string, version: string) => `exports/${datasetId}/${version}/rows/index.json`,
  rowTable: (datasetId: string, version: string) => `exports/${datasetId}/${version}/rows/table.bin`,
  /** What the rows of a version are doubted for that no run has adapted. */
  rowDoubts: (datasetId: string, version: string) => `exports/${datasetId}/${version}/rows/doubts.json`,
  /** Packed blocks of rows, with the beginnings of long cells. */
  indexedRows: (datasetId: string, version: string) => `exports/${datasetId}/${version}/rows/rows.bin`,
  /** Packed blocks of the text that is searched. */
  indexedTexts: (datasetId: string, version: string) => `exports/${datasetId}/${version}/rows/texts.bin`,
  /** Packed blocks of complete rows: of those with more than a page shows. */
  longRows: (datasetId: string, version: string) => `exports/${datasetId}/${version}/rows/long.bin`,
  /** A row that is too long for an answer. */
  largeRow: (datasetId: string, version: string, row: number) =>
    `exports/${datasetId}/${version}/rows/large/${row}.json`,
  /** Hashes of what the version has of rows with verdicts, as a mapping reads them, below the row index, which they are made of. */
  rowHashes: (datasetId: string, version: string, mapping: string) =>
    `exports/${datasetId}/${version}/rows/hashes/${mapping}.json`,
  /** A load of the curated pool: it belongs to the pool once this object exists. */
  poolLoad: (loadId: string) => `pool/loads/${loadId}.json`,
  poolLoads: () => 'pool/loads/',
  poolRows: (loadId: string, n: number) => `pool/shards/${loadId}/rows/${six(n)}.jsonl`,
  poolVectors: (loadId: string, n: number) => `pool/shards/${loadId}/vectors/${six(n)}.bin`,
  /** What belongs to the runs of a team's evals. */
  evalRun: (teamId: string, runId: string) => `evals/${teamId}/${runId}/`,
  /** The rows that a request brought. */
  evalContent: (teamId: string, runId: string) => `evals/${teamId}/${runId}/content.json`,
  /** The status of each output item of a run that is there, a letter for each row. */
  evalStatuses: (teamId: string, runId: string) => `evals/${teamId}/${runId}/statuses.txt`,
  /** What models have said of rows that wait for another one. */
  evalSaid: (teamId: string, runId: string) => `evals/${teamId}/${runId}/said.jsonl`,
  /** Output items of some rows, in their order. */
  evalItems: (teamId: string, runId: string, n: number) => `evals/${teamId}/${runId}/items/${six(n)}.jsonl`,
  /** Answers of a batch that goes on, by block, and the files that batches have left. */
  batchLinesOf: (teamId: string, batchId: string) => `batches/${teamId}/lines/${batchId}/`,
  batchLines: (teamId: string, batchId: string, n: number) =>
    `batches/${teamId}/lines/${batchId}/${six(n)}.jsonl`,
  /** A long answer of a batch. */
  batchLine: (teamId: string, batchId: string, row: number) =>
    `batches/${teamId}/lines/${batchId}/long/${six(row)}.json`,
  batchFile: (teamId: string, fileId: string) => `batches/${teamId}/files/${fileId}.jsonl`,
  /** The metrics of a fine-tuning job, written when they are read. */
  resultFile: (teamId: string, experimentId: string) => `batches/${teamId}/results/${experimentId}.csv`,
  /** A team's stored responses. */
  responsesOf: (teamId: string) => `responses/${teamId}/`,
  /** Stored responses. The key contains the team, so that no id leads to another team's response. */
  response: (teamId: string, responseId: string) => `responses/${teamId}/${responseId}.json`,
  /** The recorded model calls of a team. */
  reuseOf: (teamId: string) => `reuse/${teamId}/`,
  /** The recorded model calls of a rows chunk, found by its content, from all datasets of the team. */
  reuseOfChunk: (teamId: string, chunkId: string) => `reuse/${teamId}/chunks/${chunkId}/`,
  /** Those that a dataset has left. */
  reuseOfDataset: (teamId: string, chunkId: string, datasetId: string) =>
    `reuse/${teamId}/chunks/${chunkId}/${datasetId}/`,
  /** What belongs to a dataset alone: the chunks for which it has left calls, calls of evaluations, coverage. */
  datasetReuse: (teamId: string, datasetId: string) => `reuse/${teamId}/datasets/${datasetId}/`,
  /** One object for each chunk for which the dataset has left calls, so that they go with it. */
  reuseMarkers: (teamId: string, datasetId: string) => `reuse/${teamId}/datasets/${datasetId}/chunks/`,
  /** The recorded model calls of the dataset's evaluations. */
  reuseOfEvaluations: (teamId: string, datasetId: string) =>
    `reuse/${teamId}/datasets/${datasetId}/evaluation/`,
  /** There if a run of the dataset asked again about rows that its quote counted as reused. */
  brokenReuse: (teamId: string, datasetId: string) =>
    `reuse/${teamId}/datasets/${datasetId}/coverage/broken.json`,
  /** How many rows of each chunk were delivered with these settings. */
  reuseCoverage: (teamId: string, datasetId: string, settingsHash: string) =>
    `reuse/${teamId}/datasets/${datasetId}/coverage/${settingsHash}.json`,
  poolShards: (loadId: string) => `pool/shards/${loadId}/`,
} as const;
