import { randomUUID } from 'node:crypto';
import { createCustomEval } from '#shared/adaptation/custom-evals.ts';
import { launchAdaptation } from '#shared/adaptation/launch-adaptation.ts';
import { lintDataset } from '#shared/adaptation/lint-dataset.ts';
import { requireAdaptation } from '#shared/adaptation/require-adaptation.ts';
import type { LintRequest } from '#shared/adaptation/schema/lint.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { ExportFilePorts } from '#shared/exports/export-file.ts';
import { exportFile } from '#shared/exports/export-file.ts';
import { checkCombination } from '#shared/growth/check-combination.ts';
import { combineDatasets } from '#shared/growth/combine-datasets.ts';
import { launchAugmentation } from '#shared/growth/launch-augmentation.ts';
import { launchExpansion } from '#shared/growth/launch-expansion.ts';
import { launchExtension } from '#shared/growth/launch-extension.ts';
import { launchInvention } from '#shared/growth/launch-invention.ts';
import { completeBatch } from '#shared/ingest/complete-batch.ts';
import { completeUpload, startIngest } from '#shared/ingest/complete-upload.ts';
import type { ImportSettings } from '#shared/ingest/decide/imports/providers.ts';
import { createOpenUploads } from '#shared/ingest/open-uploads.ts';
import { createReadColumns, type ReadColumns } from '#shared/ingest/read-columns.ts';
import { startImport } from '#shared/ingest/start-import.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { RateLimiter } from '#shared/platform/access/repository.ts';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import type { Needs } from '#shared/platform/runtime/need.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import { createResponseRepository } from '#shared/responses/response-history.ts';
import { createLaunchRun, type LaunchRun } from '#shared/runs/launch-run.ts';
import { readProgress } from '#shared/runs/read-progress.ts';
import { readReport } from '#shared/runs/read-report.ts';
import { createSettleRun, type SettleRun } from '#shared/runs/settle-run.ts';
import { readColumns as readHeader } from '#shared/tabular/adapters/read-columns.ts';
import { cancelTraining } from '#shared/training/cancel-training.ts';
import { createTraining } from '#shared/training/create-training.ts';
import { recommendTraining } from '#shared/training/recommend-training.ts';
import type { Trainer } from '#shared/training/schema/training.ts';
import { call, type Request, type Response } from './call.ts';
import { createMemoryExecutions, type MemoryExecutions } from './memory-executions.ts';
import { createMemoryObjects, type MemoryObjects } from './memory-objects.ts';
import { createMemoryStore, type Store } from './memory-store.ts';
import { createResponding } from './responding.ts';
import { createScriptedAnswerer, saying } from './scripted-answerer.ts';

const UPLOAD_BYTES_MAX = 1_000_000;
const UPLOADS_WAITING_BYTES_MAX = 20 * 2 ** 30;
/** The model that embeds, as an installation of the tests has it. */
export const EMBEDDING_MODEL = 'scripted-embedder';

/** What an installation of the tests is told. */
const TRAINERS: readonly Trainer[] = ['gpu'];

export const LAUNCH_SETTINGS = {
  modelConcurrency: 32,
  evaluationSampleRows: 100,
  hasSearch: false,
  answerModel: { id: 'scripted', seesImages: true },
} as const;

export const IMPORT_SETTINGS: ImportSettings = {
  huggingFaceUrl: 'https://huggingface.co',
  kaggleUrl: 'https://www.kaggle.com',
  googleSheetsUrl: 'https://docs.google.com',
  allowed: ['hub.internal:8080'],
};

/** The service in memory: the real operations on stand-ins for the table, the bucket and the machines. */
export interface World {
  readonly store: Store;
  readonly objects: MemoryObjects;
  readonly executions: MemoryExecutions;
  readonly launchRun: LaunchRun;
  readonly settleRun: SettleRun;
  /** Payloads by function, in the order in which they were handed over. */
  readonly invoked: { functionId: string; payload: unknown }[];
  /** What stands in for the needs of handlers, by name. */
  readonly needs: Readonly<Record<string, unknown>>;
  call<C extends EndpointContract, N extends Needs>(
    handler: ServedHandler<C, N>,
    request: Request,
    overrides?: Readonly<Record<string, unknown>> & { readonly rateLimiter?: RateLimiter },
  ): Promise<Response<C>>;
}

/** @param now the time of the table, in milliseconds since the epoch */
export function createWorld(now: () => number = Date.now): World {
  const store = createMemoryStore(now);
  const objects = createMemoryObjects();
  const executions = createMemoryExecutions();
  const invoked: World['invoked'] = [];
  const { datasets, runs, ledger, idempotency } = store;
  const invoker = (functionId: string) => ({
    start: async (payload: unknown) => void invoked.push({ functionId, payload }),
  });
  const settleRun = createSettleRun({ ledger });
  const launchRun = createLaunchRun({
    ledger,
    runs,
    idempotency,
    objects,
    executions,
    settleRun,
    newId: randomUUID,
  });
  const columnsOf = createReadColumns({ objects, readColumns: readHeader });
  const readColumns: ReadColumns = (files) => {
    invoked.push({ functionId: 'tasks/uploads/read-columns', payload: { files } });
    return columnsOf(files);
  };
  const startBuild: ExportFilePorts['startBuild'] = invoker('tasks/exports/build-export').start;

  const needs: Readonly<Record<string, unknown>> = {
    datasets,
    objects,
    newId: randomUUID,
    cursorKey: async () => 'signing key of the tests',
    eraseDataset: invoker('tasks/datasets/erase-dataset'),
    readProgress: (dataset: DatasetRecord) => readProgress(runs, dataset),
    readReport: (...args: Parameters<typeof readReport> extends [unknown, ...infer Rest] ? Rest : never) =>
      readReport({ runs, objects }, ...args),
    lintDataset: (dataset: DatasetRecord, request: LintRequest) =>
      lintDataset({ objects, clock: { now }, milliseconds: 60_000 }, dataset, request),
    responses: createResponseRepository(objects),
    respond: createResponding({ model: createScriptedAnswerer([saying('Hello.')]) }).respond,
    toolCatalog: [],
    customEvals: store.customEvals,
    createCustomEval: (input: Parameters<typeof createCustomEval>[1]) =>
      createCustomEval({ ...store, executions, hasJudge: true, newId: randomUUID }, input),
    checkCombination: (caller: Caller, ids: readonly string[]) =>
      checkCombination({ ...store, objects }, caller, ids),
    combineDatasets: (input: Parameters<typeof combineDatasets>[1]) =>
      combineDatasets({ ...store, objects, launchRun, newId: randomUUID }, input),
    startIngest: (input: Parameters<typeof startIngest>[1]) => startIngest(launchRun, input),
    importSettings: IMPORT_SETTINGS,
    trainers: TRAINERS,
    recommendTraining: (
      ...asked: Parameters<typeof recommendTraining> extends [unknown, ...infer Rest] ? Rest : never
    ) => recommendTraining({ datasets, runs, objects, trainers: TRAINERS }, ...asked),
    trainings: store.trainings,
    finetuneJobs: store.finetuneJobs,
    createTraining: (input: Parameters<typeof createTraining>[1]) =>
      createTraining({ ...store, objects, launchRun, trainers: TRAINERS }, input),
    cancelTraining: (
      ...asked: Parameters<typeof cancelTraining> extends [unknown, ...infer Rest] ? Rest : never
    ) => cancelTraining({ ...store, settleRun, executions, onStopFailed: () => {} }, ...asked),
    startImport: (input: Parameters<typeof startImport>[1]) =>
      startImport({ datasets, objects, launchRun }, input),
    openUploads: createOpenUploads({ objects, waitingBytesMax: UPLOADS_WAITING_BYTES_MAX }),
    completeUpload: (input: Parameters<typeof completeUpload>[1]) =>
      completeUpload({ datasets, objects, launchRun, readColumns, uploadBytesMax: UPLOAD_BYTES_MAX }, input),
    completeBatch: (input: Parameters<typeof completeBatch>[1]) =>
      completeBatch({ datasets, objects, launchRun, readColumns, uploadBytesMax: UPLOAD_BYTES_MAX }, input),
    launchAdaptation: (input: Parameters<typeof launchAdaptation>[1]) =>
      launchAdaptation({ ...LAUNCH_SETTINGS, datasets, speeds: store.speeds, launchRun }, input),
    launchAugmentation: (input: Parameters<typeof launchAugmentation>[1]) =>
      launchAugmentation(
        { datasets, objects, launchRun, embeddingModelId: EMBEDDING_MODEL, newId: randomUUID },
        input,
      ),
    launchExpansion: (input: Parameters<typeof launchExpansion>[1]) =>
      launchExpansion({ datasets, objects, launchRun, newId: randomUUID }, input),
    launchExtension: (input: Parameters<typeof launchExtension>[1]) =>
      launchExtension({ datasets, objects, launchRun, newId: randomUUID, modelConcurrency: 32 }, input),
    launchInvention: (input: Parameters<typeof launchInvention>[1]) =>
      launchInvention(
        {
          ...store,
          launchRun,
          newId: randomUUID,
          infer: async () => ({ problem: 'unavailable' }),
        },
        input,
      ),
    requireAdaptation: (dataset: DatasetRecord, runId: string) => requireAdaptation(runs, dataset, runId),
    exportFile: (input: Parameters<typeof exportFile>[1]) =>
      exportFile({ claims: store.claims, objects, startBuild }, input),
  };

  return {
    store,
    objects,
    executions,
    launchRun,
    settleRun,
    invoked,
    needs,
    call: (handler, request, overrides = {}) => call(handler, request, { ...needs, ...overrides }),
  };
}

/** Keeps a dataset's file where its caller would have put it. */
export async function upload(world: World, dataset: DatasetRecord, content: string): Promise<void> {
  await world.objects.write(dataset.s3_key, content, 'text/csv');
}

/** A caller whose organization has another team. */
export function strangerTo(caller: Caller): Caller {
  return { ...caller, team_id: randomUUID(), user_id: randomUUID(), key_id: randomUUID() };
}
