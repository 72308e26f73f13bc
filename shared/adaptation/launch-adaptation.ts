import { requireComparable } from '#shared/answers/decide/deduplication/duplicate-index.ts';
import { requireColumns, requireMapping } from '#shared/answers/decide/row-mapping.ts';
import {
  type AnswerModel,
  requireFittingColumns,
  requireSight,
  sightProblem,
} from '#shared/datasets/decide/mapped-columns.ts';
import { holdsNoRows, runIsActive } from '#shared/datasets/decide/not-ready.ts';
import type { DatasetChanges, DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { mappingHints } from '#shared/datasets/decide/unknown-columns.ts';
import { latestVersion } from '#shared/datasets/decide/versions.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { DocumentFormat } from '#shared/platform/schema/file-format.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { budgetOf } from '#shared/runs/decide/budget.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { resolveExpansion } from './decide/expansion.ts';
import { fingerprintOf } from './decide/fingerprint.ts';
import { priceProcessed } from './decide/price-rows.ts';
import { type AdaptationQuote, quoteAdaptation, toRunQuote } from './decide/quote.ts';
import {
  fieldsSetAside,
  requireBatchJobs,
  requireSearch,
  requireSmallCalls,
  runMapping,
  sendsImages,
} from './decide/request.ts';
import { type AdaptationRoute, specificationOf } from './decide/resolve-specification.ts';
import type { AdaptationSpecification } from './decide/specification.ts';
import { findKnownSpeed, type KnownSpeed, type SpeedStore } from './decide/speed.ts';
import { countReusable } from './reuse-coverage.ts';
import type { AdaptRequest, Processing, RunQuote, RunRequest } from './schema/adaptation.ts';

export interface LaunchAdaptationPorts {
  readonly datasets: DatasetRepository;
  readonly launchRun: LaunchRun;
  readonly modelConcurrency: number;
  readonly answerModel: AnswerModel;
  readonly evaluationSampleRows: number;
  readonly speeds: Pick<SpeedStore, 'findSpeed'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  /** Model id by role, and version by prompt: rows that earlier runs adapted with the same ones are reused. */
  readonly models: Readonly<Partial<Record<string, string>>>;
  readonly promptVersions: Readonly<Record<string, string>>;
  /** Whether the installation has a web search. */
  readonly hasSearch: boolean;
  /** Whether the installation makes batch jobs. */
  readonly hasBatchJobs: boolean;
  /** Whether the provider of batch jobs takes no addresses of images, so that calls hold the images. */
  readonly fetchesImages: boolean;
}

export interface LaunchAdaptationInput {
  readonly caller: Caller;
  readonly datasetId: string;
  readonly route: AdaptationRoute;
  readonly request: AdaptRequest | RunRequest;
  /** What the caller sent, where the request was made of it; a repetition must send it again. */
  readonly asked?: object;
  /** The pilot whose arm the request is. */
  readonly piloted?: PilotedArm;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a pilot has done of the run of one of its arms. */
export interface PilotedArm {
  readonly pilot_id: string;
  /** Of the dataset when the pilot was launched (`fingerprintOf`). */
  readonly fingerprint: string;
  /** Object with the delivered rows, and their number; 0 if they were taken over already. */
  readonly results_key: string;
  readonly rows: number;
}

/**
 * `/adapt` and `/run` (spec §4.7, §4.8): checks the request against the dataset, and either prices it or launches it.
 * @throws {ServiceError} every code of the contract `datasets.adapt`
 */
export async function launchAdaptation(
  ports: LaunchAdaptationPorts,
  input: LaunchAdaptationInput,
): Promise<RunQuote> {
  const { request, route } = input;
  const asked: ColumnMapping | undefined = request.column_mapping;
  const mapping = asked === undefined || route === 'adapt' ? asked : runMapping(asked);
  if (mapping !== undefined) requireMapping(mapping);
  if (request.language_expansion) resolveExpansion(request.language_expansion);
  const processing = request.job_specification?.processing ?? 'standard';
  const dataset = await ports.datasets.require(input.caller, input.datasetId);

  if (request.estimate === true) return estimate(ports, { input, dataset, mapping, processing });
  if (mapping === undefined) throw mappingRequired(dataset);
  return launch(ports, { input, dataset, mapping, processing });
}

/** A checked request with its dataset. */
interface AskedAdaptation {
  readonly input: LaunchAdaptationInput;
  readonly dataset: DatasetRecord;
  /** As the route reads it; only an estimate can do without. */
  readonly mapping: ColumnMapping | undefined;
  readonly processing: Processing;
}

async function estimate(ports: LaunchAdaptationPorts, asked: AskedAdaptation): Promise<RunQuote> {
  const { input, dataset, mapping } = asked;
  requireSameRows(input.piloted, dataset);
  const own = ownMapping(dataset);
  const assumed = specificationOf(
    input.request,
    mapping ?? own ?? assumedMapping(dataset),
    dataset,
    input.route,
  );
  requireInstallation(ports, asked, assumed);
  const known = await findKnown(ports, asked, assumed);
  const quoted = quote(ports, asked, assumed, known);
  const unseen = sightProblem(mapping, ports.answerModel);
  const notes = unseen === null ? [] : [`A launch would be refused: ${unseen}.`];
  return {
    ...toRunQuote({ ...quoted, notes: [...quoted.notes, ...notes] }, null),
    ...(ports.hasBatchJobs && !assumed.grounding && !sendsImages(assumed, ports.fetchesImages)
      ? {
          processing: {
            standard: toProcessingQuote(quote(ports, asked, assumed, known, 'standard')),
            batch: toProcessingQuote(quote(ports, asked, assumed, known, 'batch')),
          },
        }
      : {}),
  };
}

async function launch(
  ports: LaunchAdaptationPorts,
  asked: AskedAdaptation & { readonly mapping: ColumnMapping },
): Promise<RunQuote> {
  const { input, dataset, mapping, processing } = asked;
  const { caller, request, piloted, now } = input;
  const specification = specificationOf(request, mapping, dataset, input.route);
  const known = await findKnown(ports, asked, specification);
  const reuse = reusedOf(piloted, specification, dataset);
  const key = request.job_specification?.idempotency_key;
  return ports.launchRun({
    caller,
    dataset,
    pipeline: 'adapt',
    isBatched: processing === 'batch',
    ...(piloted === undefined ? {} : { pilot: { id: piloted.pilot_id, rows: reuse?.rows ?? 0 } }),
    request: {
      request,
      specification,
      budget: budgetOf(caller.plan),
      reuse,
      ...(request.reuse === false ? { anew: true } : {}),
      ...(processing === 'batch' ? { processing } : {}),
    },
    ...(key === undefined
      ? {}
      : { idempotency: { operation: 'adapt' as const, key, request: input.asked ?? request } }),
    decide: () => {
      requireInstallation(ports, asked, specification);
      if (dataset.state === 'running') throw runIsActive(dataset);
      requireSameRows(piloted, dataset);
      const quoted = quote(ports, asked, specification, known);
      requireSight(mapping, ports.answerModel);
      return {
        credits: quoted.credits,
        rows: quoted.outputRows,
        changes: {
          configured_column_mapping: specification.mapping,
          ...imageColumnOf(dataset, specification),
          ...(request.language_expansion === undefined
            ? {}
            : { language_expansion: request.language_expansion }),
        },
        response: (runId: string) => ({ ...toRunQuote(quoted, runId), version: latestVersion(dataset) + 1 }),
      };
    },
    now,
  });
}

/** The dataset's image columns with the one that is mapped: cells that do not look like images may be links of them. */
function imageColumnOf(
  { image_column_formats: formats }: DatasetRecord,
  { mapping: { image }, image_format: format }: AdaptationSpecification,
): Pick<DatasetChanges, 'image_column_formats'> {
  return image === undefined || format === null
    ? {}
    : { image_column_formats: Object.fromEntries([...Object.entries(formats ?? {}), [image, format]]) };
}

/**
 * Requires what the request needs of the installation. A replay does not: it is answered also after a web search or batch
 * jobs were removed.
 * @throws {ServiceError} `not_available_yet`, `invalid_request`
 */
function requireInstallation(
  { hasSearch, hasBatchJobs, fetchesImages }: LaunchAdaptationPorts,
  { input, processing }: AskedAdaptation,
  specification: AdaptationSpecification,
): void {
  requireSearch(input.request, hasSearch);
  requireBatchJobs(input.request, hasBatchJobs);
  requireSmallCalls(processing, specification, fetchesImages);
}

async function findKnown(
  ports: LaunchAdaptationPorts,
  { input, dataset }: AskedAdaptation,
  specification: AdaptationSpecification,
): Promise<Known> {
  // The rows of a pilot are counted alone: it may have adapted the same ones.
  const mayReuse = input.request.reuse !== false && input.piloted === undefined;
  return {
    speed: await findKnownSpeed(ports.speeds, ports.answerModel.id, specification, input.caller.team_id),
    reusedRows: mayReuse ? await countReusable(ports, dataset, specification) : 0,
  };
}

/** The checks and the price that a launch and its estimate share. */
function quote(
  ports: LaunchAdaptationPorts,
  { input, dataset, mapping, processing }: AskedAdaptation,
  specification: AdaptationSpecification,
  known: Known,
  by: Processing = processing,
): AdaptationQuote {
  const { rowCount, columns } = requireRows(dataset);
  if (mapping !== undefined) requireMapped(mapping, columns);
  const quoted = price(ports, specification, rowCount, known, by);
  requirePlan(input.caller, quoted);
  const reuse = reusedOf(input.piloted, specification, dataset);
  const { notes, ...rest } = input.piloted === undefined ? quoted : withoutReused(quoted, reuse);
  return {
    ...rest,
    notes: [
      ...notes,
      ...notesOnMapping(input.request.column_mapping, mapping),
      ...notesOnExpansion(input.request, specification, quoted),
    ],
  };
}

/** What is known before a run of its time and of the rows that it reuses. */
interface Known {
  readonly speed: KnownSpeed;
  readonly reusedRows: number;
}

const toProcessingQuote = ({ minutes, credits }: AdaptationQuote) => ({
  estimatedMinutes: minutes,
  estimatedCreditsConsumed: credits,
});

/** @throws {ServiceError} `pilot_outdated` */
function requireSameRows(piloted: PilotedArm | undefined, dataset: DatasetRecord): void {
  if (piloted === undefined || piloted.fingerprint === fingerprintOf(dataset)) return;
  throw new ServiceError(
    'pilot_outdated',
    'The dataset changed since the pilot, so its results no longer hold. Run another pilot, or send the settings without pilot_id.',
  );
}

/**
 * The rows that the run takes over from a pilot. A run that drops repeated rows, or takes a sample, decides anew about
 * every row.
 */
function reusedOf(
  piloted: PilotedArm | undefined,
  { deduplication, max_rows: maxRows }: AdaptationSpecification,
  { row_count: rowCount }: Pick<DatasetRecord, 'row_count'>,
): { results_key: string; rows: number } | null {
  if (piloted === undefined || piloted.rows === 0 || deduplication) return null;
  if (maxRows !== null && maxRows < (rowCount ?? 0)) return null;
  return { results_key: piloted.results_key, rows: piloted.rows };
}

/** The quote without the rows that cost nothing again. */
function withoutReused(quoted: AdaptationQuote, reuse: { readonly rows: number } | null): AdaptationQuote {
  if (reuse === null) {
    const note = 'The run takes over no rows of the pilot: it decides anew about every row.';
    return { ...quoted, notes: [...quoted.notes, note] };
  }
  return {
    ...quoted,
    credits: priceProcessed(
      { rows: quoted.rows - reuse.rows, added: quoted.outputRows - quoted.rows },
      quoted.price,
      quoted.processing,
    ),
    notes: [
      ...quoted.notes,
      `${reuse.rows} ${reuse.rows === 1 ? 'row' : 'rows'} of the pilot are taken over and cost nothing again.`,
    ],
  };
}

/** A note with the columns that are not read. */
function notesOnMapping(asked: ColumnMapping | undefined, mapping: ColumnMapping | undefined): string[] {
  const aside = asked === undefined || mapping === undefined ? [] : fieldsSetAside(asked, mapping);
  return aside.length === 0
    ? []
    : [
        `column_mapping.chat holds the conversations: the columns of ${aside.join(', ')} are not read and stay as they are.`,
      ];
}

/** Notes on rows in other languages: that those of an earlier request are made again, and who scores them. */
function notesOnExpansion(
  { language_expansion: asked }: AdaptRequest | RunRequest,
  { expansion, safety }: AdaptationSpecification,
  { rows, outputRows }: AdaptationQuote,
): string[] {
  if (expansion === null) return [];
  const added = outputRows - rows;
  const again = `The language_expansion that the dataset has from an earlier request runs again and adds up to ${added} ${added === 1 ? 'row' : 'rows'}, which are billed; send null to leave it out.`;
  const scored =
    'Rows in other languages are scored by a judge that is believed on safety; without one they are delivered without scores, and not_scored is language.';
  return [...(asked === undefined ? [again] : []), ...(safety === null ? [] : [scored])];
}

/** Infers an instruction for each passage of a document; the passage is the answer. */
const DOCUMENT_MAPPING: ColumnMapping = { completion: 'text', context: ['heading'] };

/** Whether the rows are passages: a workbook may be a table. */
function holdsDocuments({ file_format, columns }: Pick<DatasetRecord, 'file_format' | 'columns'>): boolean {
  return (
    DocumentFormat.safeParse(file_format).success &&
    (columns === null || ['text', 'heading'].every((name) => columns.some((column) => column.name === name)))
  );
}

/** The mapping of the dataset's latest adaptation or of its raw ingest, as a request states it; null if it has none. */
function ownMapping({
  configured_column_mapping: own,
}: Pick<DatasetRecord, 'configured_column_mapping'>): ColumnMapping | null {
  if (own === null) return null;
  const { context, chosen, rejected: _, beside: __, ...rest } = own;
  const completion = rest.completion ?? chosen;
  return {
    ...rest,
    ...(completion === undefined ? {} : { completion }),
    ...(rest.chat === undefined ? { context: context.filter((name) => name !== rest.image) } : {}),
  };
}

/** An estimate of a dataset without a mapping assumes the most common one. */
function assumedMapping(dataset: Pick<DatasetRecord, 'file_format' | 'columns'>): ColumnMapping {
  return holdsDocuments(dataset) ? DOCUMENT_MAPPING : { prompt: 'prompt', completion: 'completion' };
}

/** The error of a run without a mapping, with the columns that there are and a mapping that may be meant. */
function mappingRequired(dataset: Pick<DatasetRecord, 'file_format' | 'columns'>): ServiceError {
  const { listed, hints } = mappingHints(dataset.columns ?? []);
  const ofDocuments = holdsDocuments(dataset)
    ? [`To turn the passages of these documents into instructions, send ${JSON.stringify(DOCUMENT_MAPPING)}.`]
    : [];
  return new ServiceError(
    'column_mapping_required',
    [
      'column_mapping: is required to start a run; only an estimate can omit it.',
      ...hints,
      ...ofDocuments,
    ].join(' '),
    { details: [{ path: 'column_mapping', message: 'is required to start a run', available: listed }] },
  );
}

/** @throws {ServiceError} `column_unknown`, `invalid_request` */
function requireMapped(mapping: ColumnMapping, columns: readonly RowsColumn[]): void {
  requireColumns(
    mapping,
    columns.map(({ name }) => name),
  );
  requireFittingColumns(mapping, columns);
}

/** @throws {ServiceError} `dataset_not_ready`, with the reason */
function requireRows(dataset: DatasetRecord): { rowCount: number; columns: readonly RowsColumn[] } {
  if (dataset.row_count !== null && dataset.columns !== null) {
    return { rowCount: dataset.row_count, columns: dataset.columns };
  }
  throw holdsNoRows(dataset.state);
}

function price(
  ports: LaunchAdaptationPorts,
  specification: AdaptationSpecification,
  rowCount: number,
  { speed, reusedRows }: Known,
  processing: Processing,
): AdaptationQuote {
  if (specification.deduplication) {
    requireComparable(Math.min(rowCount, specification.max_rows ?? rowCount));
  }
  return quoteAdaptation({
    rowCount,
    specification,
    reusedRows,
    processing,
    evaluationRows: ports.evaluationSampleRows,
    modelConcurrency: ports.modelConcurrency,
    measured: { modelId: ports.answerModel.id, speed },
  });
}

/** @throws {ServiceError} `plan_limit_exceeded` */
function requirePlan(caller: Caller, quote: AdaptationQuote): void {
  const { name, rows_per_launch: rowsMax } = caller.plan;
  if (quote.outputRows <= rowsMax) return;
  const fitting = rowsFitting(rowsMax, quote);
  throw new ServiceError(
    'plan_limit_exceeded',
    `The plan ${JSON.stringify(name)} allows ${rowsMax} rows a launch, and this launch has ${quote.outputRows}. ` +
      `Set job_specification.max_rows to ${fitting} or less, or ask your operator for another plan.`,
    {
      details: [
        { path: 'job_specification.max_rows', message: `must be at most ${fitting}`, limit: fitting },
      ],
    },
  );
}

/** Rows of the dataset that fit into `rowsMax` output rows; 1 if not even one fits with all the targets. */
function rowsFitting(rowsMax: number, { rows, outputRows }: AdaptationQuote): number {
  return Math.max(1, Math.floor((rowsMax * rows) / outputRows));
}
