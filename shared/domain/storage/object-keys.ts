import type { TabularFormat } from '../../schema/rows-manifest.ts';

const six = (n: number): string => String(n).padStart(6, '0');

/** A file name as it may stand in a key and in a URL: what else there is becomes `_`. */
export function safeFileName(name: string): string {
  const safe = name.replaceAll(/[^a-zA-Z0-9._-]+/g, '_').replace(/^\.+/, '');
  return safe === '' ? 'file' : safe.slice(-120);
}

/** Where everything lies in the data bucket. Prefixes match `bucketPrefixes` of the contracts. */
export const objectKeys = {
  /** The team stands in the key, so that a key which a caller sends back can be checked without a look-up. */
  upload: (teamId: string, datasetId: string, fileName: string) =>
    `uploads/${teamId}/${datasetId}/${safeFileName(fileName)}`,
  /** What a dataset is imported from. */
  importSource: (datasetId: string) => `datasets/${datasetId}/import.json`,
  /** What files a batch has. */
  batch: (datasetId: string) => `datasets/${datasetId}/batch.json`,
  /** File `n` of an import, as its provider answered it. */
  imported: (runId: string, n: number) => `imports/${runId}/files/${six(n)}`,
  importedFiles: (runId: string) => `imports/${runId}/files/`,
  /** Names of an import's files, where only the provider knows them. */
  importedNames: (runId: string) => `imports/${runId}/names.json`,
  raw: (datasetId: string, fileName: string) => `datasets/${datasetId}/raw/${safeFileName(fileName)}`,
  manifest: (datasetId: string) => `datasets/${datasetId}/rows/manifest.json`,
  rows: (datasetId: string, n: number) => `datasets/${datasetId}/rows/${six(n)}.jsonl`,
  /** What a dataset is searched by: it names a build, whose shards lie below that build's prefix. */
  index: (datasetId: string) => `datasets/${datasetId}/index/`,
  indexManifest: (datasetId: string) => `datasets/${datasetId}/index/manifest.json`,
  indexBuild: (datasetId: string, buildId: string) => `datasets/${datasetId}/index/builds/${buildId}/`,
  indexTexts: (datasetId: string, buildId: string, n: number) =>
    `datasets/${datasetId}/index/builds/${buildId}/texts/${six(n)}.jsonl`,
  indexWords: (datasetId: string, buildId: string, n: number) =>
    `datasets/${datasetId}/index/builds/${buildId}/words/${six(n)}.bin`,
  indexVectors: (datasetId: string, buildId: string, n: number) =>
    `datasets/${datasetId}/index/builds/${buildId}/vectors/${six(n)}.bin`,
  /** What became of a shard. */
  indexShard: (datasetId: string, buildId: string, n: number) =>
    `datasets/${datasetId}/index/builds/${buildId}/shards/${six(n)}.json`,
  /** What the builds of an index leave beside it: the map machine reads plans of runs alone. */
  indexPlans: (datasetId: string) => `runs/index-${datasetId}/`,
  indexPlansOf: (datasetId: string, buildId: string) => `runs/index-${datasetId}/${buildId}/`,
  indexPlan: (datasetId: string, buildId: string) => `runs/index-${datasetId}/${buildId}/plan.jsonl`,
  indexMap: (datasetId: string, buildId: string) => `runs/index-${datasetId}/${buildId}/map`,
  /** A file that rows refer to by its path, such as an image. */
  file: (datasetId: string, path: string) => `datasets/${datasetId}/files/${path}`,
  dataset: (datasetId: string) => `datasets/${datasetId}/`,
  runRequest: (runId: string) => `runs/${runId}/request.json`,
  plan: (runId: string) => `runs/${runId}/plan.jsonl`,
  /** What is compared of the rows: one object for each line of the plan of signatures. */
  signaturePlan: (runId: string) => `runs/${runId}/signatures/plan.jsonl`,
  signatures: (runId: string, n: number) => `runs/${runId}/signatures/${six(n)}.bin`,
  duplicates: (runId: string, stretch: number) => `runs/${runId}/duplicates/${six(stretch)}.jsonl`,
  checkpoints: (runId: string, n: number) => `runs/${runId}/checkpoints/${six(n)}/`,
  result: (runId: string, n: number) => `runs/${runId}/results/${six(n)}.jsonl`,
  /** What a merge has taken of its source `n`. */
  combined: (runId: string, n: number) => `runs/${runId}/combined/${six(n)}.json`,
  expansionPlan: (runId: string) => `runs/${runId}/expansion/plan.jsonl`,
  expansionSelection: (runId: string, n: number) => `runs/${runId}/expansion/selections/${six(n)}.jsonl`,
  /** The rows of a source, where only some of them become rows of the dataset that is made. */
  takenRows: (runId: string, n: number) => `runs/${runId}/source/${six(n)}.jsonl`,
  /** What a run has learned of its source's topics. */
  topics: (runId: string) => `runs/${runId}/topics.json`,
  /** Rows of the source that new ones are to be like. */
  examples: (runId: string) => `runs/${runId}/examples.jsonl`,
  /** Rows that are to be written in the style of the source; numbers go on after those of the pool's groups. */
  similarPlan: (runId: string) => `runs/${runId}/similar/plan.jsonl`,
  /** What a search found in a group of the pool's shards. */
  candidates: (runId: string, n: number) => `runs/${runId}/candidates/${six(n)}.jsonl`,
  /** What rows in other languages are made of, where the run's own request says something else. */
  expansionRequest: (runId: string) => `runs/${runId}/expansion/request.json`,
  roundPlan: (runId: string, round: number) => `runs/${runId}/rounds/${six(round)}.jsonl`,
  /** What a run has invented, once it is enough. */
  invention: (runId: string) => `runs/${runId}/invention.json`,
  report: (runId: string) => `runs/${runId}/report.json`,
  reportRows: (runId: string, n: number) => `runs/${runId}/report-rows/${six(n)}.jsonl`,
  evaluationPlan: (runId: string) => `runs/${runId}/evaluation/plan.jsonl`,
  evaluationSample: (runId: string, n: number) => `runs/${runId}/evaluation/samples/${six(n)}.jsonl`,
  evaluationScores: (runId: string, n: number) => `runs/${runId}/evaluation/scores/${six(n)}.jsonl`,
  evaluationCheckpoints: (runId: string, n: number) => `runs/${runId}/evaluation/checkpoints/${six(n)}/`,
  evaluation: (runId: string) => `runs/${runId}/evaluation/result.json`,
  mapResults: (runId: string, stage: string) => `runs/${runId}/map/${stage}/`,
  /** Custom evaluations lie with the run whose sample they score. */
  customEvalPlan: (runId: string, id: string) => `runs/${runId}/custom-evals/${id}/plan.jsonl`,
  customEvalScores: (runId: string, id: string, n: number) =>
    `runs/${runId}/custom-evals/${id}/scores/${six(n)}.jsonl`,
  customEvalCheckpoints: (runId: string, id: string, n: number) =>
    `runs/${runId}/custom-evals/${id}/checkpoints/${six(n)}/`,
  customEvalMap: (runId: string, id: string) => `runs/${runId}/custom-evals/${id}/map`,
  /** Everything that a training leaves, its artifacts too. */
  training: (experimentId: string) => `trainings/${experimentId}/`,
  run: (runId: string) => `runs/${runId}/`,
  trainingData: (experimentId: string) => `trainings/${experimentId}/data/manifest.json`,
  trainingRows: (experimentId: string, n: number) => `trainings/${experimentId}/data/train/${six(n)}.jsonl`,
  /** Rows among which those are that are held out; the others are trained on in the end. */
  heldOutCandidates: (experimentId: string, n: number) =>
    `trainings/${experimentId}/data/candidates/${six(n)}.jsonl`,
  heldOutRows: (experimentId: string) => `trainings/${experimentId}/data/held-out.jsonl`,
  /** All that an attempt of a trainer leaves lies below this. */
  trainerOutput: (experimentId: string, iteration: number, attempt: number) =>
    `trainings/${experimentId}/iterations/${iteration}/attempts/${attempt}/`,
  trainingJob: (experimentId: string, iteration: number, attempt: number) =>
    `trainings/${experimentId}/iterations/${iteration}/attempts/${attempt}/job.json`,
  proposal: (experimentId: string, iteration: number) =>
    `trainings/${experimentId}/iterations/${iteration}/proposal.json`,
  comparisonPlan: (experimentId: string, iteration: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/plan.jsonl`,
  comparisonSample: (experimentId: string, iteration: number, n: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/samples/${six(n)}.jsonl`,
  comparisonVerdicts: (experimentId: string, iteration: number, n: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/verdicts/${six(n)}.jsonl`,
  comparisonCheckpoints: (experimentId: string, iteration: number, n: number) =>
    `trainings/${experimentId}/iterations/${iteration}/comparison/checkpoints/${six(n)}/`,
  iterationOutcome: (experimentId: string, iteration: number) =>
    `trainings/${experimentId}/iterations/${iteration}/outcome.json`,
  trainingReport: (experimentId: string) => `trainings/${experimentId}/report.json`,
  /** What callers download. */
  trainingArtifact: (experimentId: string) => `trainings/${experimentId}/artifact.tar.gz`,
  /** `version` is the run whose rows are exported, or `source` where there was none. */
  export: (datasetId: string, version: string, format: TabularFormat) =>
    `exports/${datasetId}/${version}/data.${format}`,
  exports: (datasetId: string) => `exports/${datasetId}/`,
  /** A load of the curated pool: it belongs to the pool once this is there. */
  poolLoad: (loadId: string) => `pool/loads/${loadId}.json`,
  poolLoads: () => 'pool/loads/',
  poolRows: (loadId: string, n: number) => `pool/shards/${loadId}/rows/${six(n)}.jsonl`,
  poolVectors: (loadId: string, n: number) => `pool/shards/${loadId}/vectors/${six(n)}.bin`,
  /** Stored responses. The team stands in the key, so that no id leads to another team's. */
  response: (teamId: string, responseId: string) => `responses/${teamId}/${responseId}.json`,
  poolShards: (loadId: string) => `pool/shards/${loadId}/`,
} as const;
