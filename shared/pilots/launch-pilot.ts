import { priceRows } from '#shared/access/decide/prices.ts';
import { fingerprintOf } from '#shared/adaptation/decide/fingerprint.ts';
import { rowPriceOf } from '#shared/adaptation/decide/price-rows.ts';
import { quoteAdaptation } from '#shared/adaptation/decide/quote.ts';
import { requireSearch } from '#shared/adaptation/decide/request.ts';
import { findKnownSpeed, type SpeedStore } from '#shared/adaptation/decide/speed.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { requireMapping } from '#shared/answers/decide/row-mapping.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import {
  type AnswerModel,
  requireFittingColumns,
  requireSight,
  sightProblem,
} from '#shared/datasets/decide/mapped-columns.ts';
import { runIsActive } from '#shared/datasets/decide/not-ready.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { RowPrice } from '#shared/platform/schema/row-prices.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { budgetOf } from '#shared/runs/decide/budget.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { piloted, planArms } from './decide/plan-arms.ts';
import { proposeArms } from './decide/propose-arms.ts';
import { rowsToShow } from './decide/recommend.ts';
import type { PilotRequestObject, PlannedArm } from './decide/request-object.ts';
import type { PilotArm } from './schema/arm.ts';
import { type PilotLaunch, type PilotRequest, SAMPLE_ROWS_DEFAULT } from './schema/pilot.ts';

export interface LaunchPilotPorts {
  readonly datasets: DatasetRepository;
  readonly objects: Pick<ObjectStore, 'read' | 'readRange'>;
  readonly launchRun: LaunchRun;
  readonly modelConcurrency: number;
  readonly answerModel: AnswerModel;
  readonly speeds: Pick<SpeedStore, 'findSpeed'>;
  /** Whether the installation has a web search. */
  readonly hasSearch: boolean;
}

export interface LaunchPilotInput {
  readonly caller: Caller;
  readonly datasetId: string;
  readonly request: PilotRequest;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Bytes at the beginning of a dataset by which arms are proposed. */
const BYTES_READ_MAX = 262_144;

const NOTES = [
  'A pilot drops no repeated rows and adds no rows in other languages; the run of an arm does what the arm says.',
];

/**
 * Checks a pilot against its dataset, and either prices it or launches it.
 * @throws {ServiceError} every code of the contract `datasets.pilots.create`
 */
export async function launchPilot(ports: LaunchPilotPorts, input: LaunchPilotInput): Promise<PilotLaunch> {
  const { caller, request, now } = input;
  requireMapping(request.column_mapping);
  const dataset = await ports.datasets.require(caller, input.datasetId);
  const plan = async () => {
    const rowCount = requireRows(dataset);
    const rows = sampleOf(request.sample_rows, rowCount);
    requireFittingColumns(request.column_mapping, dataset.columns ?? []);
    requireOriginals(request.column_mapping);
    const asked = request.arms === 'auto' ? await propose(ports, dataset, request) : request.arms;
    for (const [index, arm] of asked.entries()) requireArm(arm, index, ports.hasSearch);
    const arms = planArms(asked, request.column_mapping, dataset);
    const launch = await quote(ports, arms, rows, caller.team_id);
    const unseen = sightProblem(request.column_mapping, ports.answerModel);
    const notes = [
      ...launch.notes,
      ...notesOnSample(rows, arms.length),
      ...(unseen === null || request.estimate !== true ? [] : [`A launch would be refused: ${unseen}.`]),
    ];
    requirePlan(caller, rows * arms.length);
    return { arms, rows, rowCount, launch: { ...launch, notes } };
  };
  // A repetition is answered before the dataset is looked at, which may have changed.
  const planned = await plan().catch((error: unknown) => {
    if (request.estimate === true || key(request) === undefined) throw error;
    return { refusal: error };
  });
  if (request.estimate === true && 'launch' in planned) return planned.launch;

  return ports.launchRun({
    caller,
    dataset,
    pipeline: 'pilot',
    request:
      'refusal' in planned
        ? {}
        : requestObject(caller, request, dataset, { ...planned, concurrency: ports.modelConcurrency }),
    ...idempotencyOf(request),
    decide: () => {
      if ('refusal' in planned) throw planned.refusal;
      if (dataset.state === 'running') throw runIsActive(dataset);
      requireSight(request.column_mapping, ports.answerModel);
      return {
        credits: planned.launch.estimated_credits,
        rows: planned.rows * planned.arms.length,
        response: (runId: string): PilotLaunch => ({ ...planned.launch, pilot_id: runId, estimate: false }),
      };
    },
    now,
  });
}

const key = (request: PilotRequest): string | undefined => request.job_specification?.idempotency_key;

function idempotencyOf(request: PilotRequest) {
  const asked = key(request);
  return asked === undefined ? {} : { idempotency: { operation: 'pilot' as const, key: asked, request } };
}

/** @throws {ServiceError} `dataset_not_ready` */
function requireRows({ row_count, columns }: DatasetRecord): number {
  if (row_count !== null && row_count > 0 && columns !== null) return row_count;
  throw new ServiceError(
    'dataset_not_ready',
    'The dataset holds no rows yet. Wait until its file is read, or upload it again if it could not be.',
  );
}

/** @throws {ServiceError} `invalid_request` for a sample that is larger than the dataset */
function sampleOf(asked: number | undefined, rowCount: number): number {
  if (asked === undefined) return Math.min(SAMPLE_ROWS_DEFAULT, rowCount);
  if (asked <= rowCount) return asked;
  throw invalidField(
    'sample_rows',
    `is ${asked}, and the dataset has ${rowCount} ${rowCount === 1 ? 'row' : 'rows'}; send at most that`,
  );
}

/** @throws {ServiceError} `invalid_request` for a mapping without answers */
function requireOriginals({ completion, chat }: ColumnMapping): void {
  if (completion !== undefined || chat !== undefined) return;
  throw invalidField(
    'column_mapping.completion',
    'is needed: a pilot compares the answers of its arms with those that the rows have',
  );
}

/** @throws {ServiceError} `not_available_yet`, of the arm that needs a web search */
function requireArm(arm: PilotArm, index: number, hasSearch: boolean): void {
  try {
    requireSearch(arm, hasSearch);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const path = `arms[${index}].brand_controls.hallucination_mitigation`;
    throw new ServiceError('not_available_yet', `Arm ${index + 1}: ${error.message}`, {
      details: [{ path, message: 'needs a web search' }],
    });
  }
}

async function propose(
  { objects }: Pick<LaunchPilotPorts, 'objects'>,
  dataset: DatasetRecord,
  { column_mapping: mapping }: PilotRequest,
): Promise<PilotArm[]> {
  const [{ specification }] = planArms([{}], mapping, dataset) as [PlannedArm];
  const reader = materialReader(specification);
  const texts = (await beginningOf(objects, dataset)).flatMap((line) => {
    const material = reader.read(readCells(line, reader.columns));
    return 'skip' in material ? [] : [{ prompt: material.prompt, completion: material.completion }];
  });
  return proposeArms({ mode: specification.mode, texts });
}

/** The first whole rows of a dataset. */
async function beginningOf(
  objects: Pick<ObjectStore, 'read' | 'readRange'>,
  { dataset_id: datasetId, manifest_key: key }: DatasetRecord,
): Promise<string[]> {
  const { chunks } = await readJson(objects, key ?? objectKeys.manifest(datasetId), RowsManifest);
  const [first] = chunks;
  if (first === undefined) return [];
  const text = (await objects.readRange(first.key, 0, BYTES_READ_MAX - 1)).toString('utf8');
  // The last line is cut, or empty.
  return text.split('\n').slice(0, -1);
}

async function quote(
  { speeds, answerModel, modelConcurrency }: LaunchPilotPorts,
  arms: readonly PlannedArm[],
  rows: number,
  teamId: string,
): Promise<PilotLaunch> {
  let minutes = 0;
  const notes = new Set(NOTES);
  for (const { specification } of arms) {
    const speed = await findKnownSpeed(speeds, answerModel.id, specification, teamId);
    const quoted = quoteAdaptation({
      rowCount: rows,
      specification: piloted(specification),
      evaluationRows: rows,
      modelConcurrency,
      measured: { modelId: answerModel.id, speed },
    });
    minutes += quoted.minutes;
    for (const note of quoted.notes) notes.add(note);
  }
  return {
    pilot_id: null,
    estimate: true,
    sample_rows: rows,
    arms: arms.map(({ asked }) => withoutBlueprint(asked)),
    estimated_credits: priceRows(rows * arms.length, priceOf(arms)),
    estimated_minutes: Math.round(minutes * 10) / 10,
    notes: [...notes],
  };
}

/** A note if not even an arm that is better in every row could be shown to be. */
function notesOnSample(rows: number, arms: number): string[] {
  const needed = rowsToShow(arms);
  return rows >= needed
    ? []
    : [
        `${rows} rows are too few to show that an arm helps, even if it is better in all of them: with ${arms} ${arms === 1 ? 'arm' : 'arms'} it takes ${needed}.`,
      ];
}

/** The launch is kept with its idempotency key, in an item of limited size, and the caller knows its own texts. */
function withoutBlueprint(arm: PlannedArm['asked']): PlannedArm['asked'] {
  if (arm.brand_controls?.blueprint === undefined) return arm;
  const { blueprint: _blueprint, ...controls } = arm.brand_controls;
  return { ...arm, brand_controls: controls };
}

/** All arms read the same columns, and so have the same price. */
function priceOf([first]: readonly PlannedArm[]): RowPrice {
  return first === undefined ? 'text' : rowPriceOf(first.specification);
}

function requestObject(
  caller: Caller,
  request: PilotRequest,
  dataset: DatasetRecord,
  {
    arms,
    rows,
    rowCount,
    concurrency,
  }: { arms: PlannedArm[]; rows: number; rowCount: number; concurrency: number },
): PilotRequestObject {
  const scored = arms.find(({ specification }) => specification.safety !== null) ?? arms[0];
  if (scored === undefined) throw new RangeError('A pilot has at least one arm.');
  return {
    request: {},
    specification: piloted(scored.specification),
    budget: budgetOf(caller.plan),
    reuse: null,
    column_mapping: request.column_mapping,
    arms,
    sample_rows: rows,
    dataset_rows: rowCount,
    model_concurrency: concurrency,
    fingerprint: fingerprintOf(dataset),
  };
}

/** @throws {ServiceError} `plan_limit_exceeded` */
function requirePlan(caller: Caller, rows: number): void {
  const { name, rows_per_launch: rowsMax } = caller.plan;
  if (rows <= rowsMax) return;
  throw new ServiceError(
    'plan_limit_exceeded',
    `The plan ${JSON.stringify(name)} allows ${rowsMax} rows a launch, and this pilot has ${rows}: rows × arms. Send fewer of either.`,
    { details: [{ path: 'sample_rows', message: `rows × arms must be at most ${rowsMax}`, limit: rowsMax }] },
  );
}
