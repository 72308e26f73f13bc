import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { comparedText } from './decide/deduplication/compared-text.ts';
import { DuplicateIndex } from './decide/deduplication/duplicate-index.ts';
import { RECORD_WORDS, Signer } from './decide/deduplication/signature.ts';
import { eachCodeBlock } from './decide/lint/code-blocks.ts';
import { type CodeCheck, createRowLinter } from './decide/lint/row-linter.ts';
import { readCells } from './decide/read-cells.ts';
import { configuredMapping, contentOfColumns, modeOf, requireColumns } from './decide/row-mapping.ts';
import { materialReader } from './decide/row-material.ts';
import {
  LINT_ROWS_MAX,
  type LintCheck,
  type LintFinding,
  type LintReport,
  type LintRequest,
  RowCheck,
} from './schema/lint.ts';

const LINT_PATHS = { checks: 'checks', benchmarks: 'benchmarks', answer_schema: 'answer_schema' };

/** Maximum findings in one response; the counts are complete. */
const FINDINGS_MAX = 1000;

export interface LintDatasetPorts {
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly clock: { now(): number };
  /** Milliseconds after which no further row is started. */
  readonly milliseconds: number;
  /** Loads the check of code. It is asked once, at the first row with code. */
  readonly loadCodeCheck: () => Promise<CodeCheck>;
}

/**
 * Checks the uploaded rows of a dataset, and changes nothing. Reads one chunk of rows at a time, and ends at its time
 * limit or row limit: `next_row` is where to continue. Near-duplicates are found within one response.
 * @throws {ServiceError} `no_data_yet`, `column_unknown`, `invalid_request`
 */
export async function lintDataset(
  { objects, clock, milliseconds, loadCodeCheck }: LintDatasetPorts,
  dataset: DatasetRecord,
  request: LintRequest,
): Promise<LintReport> {
  const ends = clock.now() + milliseconds;
  if (dataset.manifest_key === null) {
    throw new ServiceError(
      'no_data_yet',
      'The dataset has no rows yet. Wait until its status has a row_count.',
    );
  }
  const manifest = await readJson(objects, dataset.manifest_key, RowsManifest);
  const mapping = mappingOf(request, dataset);
  requireColumns(
    mapping,
    manifest.columns.map(({ name }) => name),
  );
  const configured = configuredMapping(mapping, dataset.configured_column_mapping ?? {});
  const content = contentOfColumns(configured, manifest.columns);
  const specification = { mode: modeOf(mapping), mapping: configured, ...content };
  const { benchmarks, answer_schema, checks } = request;
  const asked = checks?.filter((check): check is RowCheck => RowCheck.safeParse(check).success);
  const code = createLateCodeCheck(loadCodeCheck);
  const lint = createRowLinter(
    specification,
    { checks: asked, benchmarks, answer_schema },
    LINT_PATHS,
    code.check,
  );
  const first = request.first_row ?? 0;
  if (first > manifest.row_count) {
    throw invalidField('first_row', `is beyond the last of ${manifest.row_count} rows`);
  }
  const last = Math.min(manifest.row_count, first + (request.max_rows ?? LINT_ROWS_MAX));
  const findRepeated =
    checks === undefined || checks.includes('near_duplicate') ? createRepetitionFinder(last - first) : null;

  const made: LintCheck[] = [...lint.checks, ...(findRepeated === null ? [] : (['near_duplicate'] as const))];
  const counts: Partial<Record<LintCheck, number>> = Object.fromEntries(made.map((check) => [check, 0]));
  const findings: LintFinding[] = [];
  const reader = materialReader(specification);
  const columns = [...new Set([...reader.columns, ...lint.columns])];
  let row = first;
  for (const chunk of manifest.chunks) {
    if (row >= last || clock.now() > ends) break;
    if (chunk.first_row + chunk.row_count <= row) continue;
    const lines = await readLines(objects, chunk.key);
    for (; row < last && row < chunk.first_row + chunk.row_count && clock.now() <= ends; row += 1) {
      const cells = readCells(lines[row - chunk.first_row] ?? '', columns);
      let found: Omit<LintFinding, 'row'>[] = lint.row(cells);
      if (code.isNeeded()) {
        await code.load();
        found = lint.row(cells);
      }
      const material = findRepeated === null ? null : reader.read(cells);
      if (material !== null && !('skip' in material)) {
        const repeated = findRepeated?.(row, comparedText(material, specification.mode)) ?? null;
        if (repeated !== null) found.push(repeated);
      }
      for (const finding of found) {
        counts[finding.check] = (counts[finding.check] ?? 0) + 1;
        if (findings.length < FINDINGS_MAX) findings.push({ row, ...finding });
      }
    }
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    dataset_id: dataset.dataset_id,
    row_count: manifest.row_count,
    first_row: first,
    checked_rows: row - first,
    next_row: row < manifest.row_count ? row : null,
    counts,
    findings,
    omitted_findings: total - findings.length,
  };
}

/** The mapping of the request, or else that of the dataset's adaptation or upload. */
function mappingOf(request: LintRequest, dataset: DatasetRecord): ColumnMapping {
  if (request.column_mapping !== undefined) return request.column_mapping;
  if (dataset.configured_column_mapping === null) {
    throw invalidField('column_mapping', 'is required, since the dataset has not been mapped yet');
  }
  const { chosen, rejected: _, beside: __, context, image, ...mapping } = dataset.configured_column_mapping;
  return {
    ...mapping,
    ...(mapping.completion === undefined && chosen !== undefined ? { completion: chosen } : {}),
    ...(image === undefined ? {} : { image }),
    ...(mapping.chat !== undefined ? {} : { context: context.filter((name) => name !== image) }),
  };
}

/** A check of code that finds nothing until it is loaded, and is needed from the first block of code until then. */
function createLateCodeCheck(loadCodeCheck: () => Promise<CodeCheck>): {
  readonly check: CodeCheck;
  isNeeded(): boolean;
  load(): Promise<void>;
} {
  let loaded: CodeCheck | null = null;
  let hasCode = false;
  return {
    check(completion) {
      hasCode ||= eachCodeBlock(completion).next().done !== true;
      return loaded?.(completion) ?? null;
    },
    isNeeded: () => hasCode && loaded === null,
    async load() {
      loaded = await loadCodeCheck();
    },
  };
}

function createRepetitionFinder(
  rowsMax: number,
): (row: number, text: Parameters<Signer['sign']>[0]) => Omit<LintFinding, 'row'> | null {
  const signer = new Signer();
  const index = new DuplicateIndex(rowsMax);
  const record = new Uint32Array(RECORD_WORDS);
  return (row, text) => {
    record.fill(0);
    signer.sign(text, record, 0);
    const duplicate = index.add(row, record, 0);
    if (duplicate === null) return null;
    const { similarTo, isExact, similarity } = duplicate;
    const message = isExact
      ? `The row has the same prompt and context as row ${similarTo}`
      : `The prompt and context of the row are nearly those of row ${similarTo} (similarity ${similarity.toFixed(2)})`;
    return { check: 'near_duplicate', message, similar_to_row: similarTo };
  };
}
