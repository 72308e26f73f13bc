import { setImmediate } from 'node:timers/promises';
import type { CheckReport, CheckRequest, TableFile } from '#clients/typescript/src/cli/checker.ts';
import { createDryRun } from '#shared/adaptation/decide/dry-run.ts';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { ANSWERS_MIN } from '#shared/answers/decide/answer-profile.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { requireColumns } from '#shared/answers/decide/row-mapping.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import { requireFittingColumns } from '#shared/datasets/decide/mapped-columns.ts';
import { joinManifests } from '#shared/ingest/decide/join-manifests.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { linesIn } from '#shared/platform/storage/json-objects.ts';
import { ingestText } from '#shared/tabular/adapters/ingest-text.ts';
import { quoteName } from '#shared/tabular/decide/file-error.ts';
import { findForm, proposeMapping } from '#shared/tabular/decide/forms/known-form.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { ReportBuilder } from './check-report.ts';

/**
 * Says what adapting would do to the rows of files before it asks a model. It works on chunks of rows as the service
 * does, so its memory does not depend on the size of a file.
 * @throws {ServiceError} `column_mapping_required` if no mapping is given and the file has no known form, `invalid_request`
 * for columns that do not go together, `column_unknown`, `schema_mismatch`,
 * `file_empty` or `file_unreadable`; what `signal` is aborted with
 */
export async function checkFiles({
  files,
  mapping: asked,
  rowsMax,
  signal,
  onProgress,
}: CheckRequest): Promise<CheckReport> {
  // A mapping that is wrong by itself is refused before any file is read.
  if (asked !== null) specify(asked, null);
  const manifest = await describeFiles(files, signal);
  const { columns, row_count: total } = manifest;
  const { mapping, warnings } =
    asked === null ? mappingOfForm(manifest) : { mapping: asked, warnings: manifest.warnings };
  requireColumns(
    mapping,
    columns.map(({ name }) => name),
  );
  requireFittingColumns(mapping, columns);
  const specification = specify(mapping, manifest);
  const detectLanguage = await loadLanguageDetector();
  const { columns: read, read: readMaterial } = materialReader(specification);
  const report = new ReportBuilder(rowsMax);
  const notes = [...warnings];
  let done = 0;
  let yieldedAt = performance.now();
  for (const { name: file, ...source } of files) {
    const answersBefore = report.answers;
    let row = 0;
    await forEachChunk({ name: file, ...source }, async (lines) => {
      // The service learns the form of a column per chunk, too.
      const dryRun = createDryRun(lines, specification, detectLanguage);
      for (const line of lines) {
        const place = { file, row };
        const result = await dryRun(line);
        report.add(result, place, () => {
          if (!('why' in result)) throw new TypeError('Only a row with a finding is quoted.');
          const { defect, why, form, outcome } = result;
          const material = readMaterial(readCells(line, read));
          const { prompt, completion } = 'skip' in material ? { prompt: '', completion: '' } : material;
          const becomes = outcome === 'changed' ? result.completion : null;
          const fallback = outcome === 'doubted' ? result.fallback : null;
          return { ...place, outcome, defect, why, form, prompt, completion, becomes, fallback };
        });
        row += 1;
        if (performance.now() - yieldedAt < YIELD_MILLISECONDS) continue;
        // Lets Ctrl-C through, however long a chunk takes.
        await setImmediate();
        signal.throwIfAborted();
        yieldedAt = performance.now();
      }
      done += lines.length;
      onProgress(done, total);
    });
    if (report.answers - answersBefore < ANSWERS_MIN) notes.push(fewAnswers(file));
  }
  return report.report(notes);
}

/** Longest work on rows before a signal is looked at. */
const YIELD_MILLISECONDS = 50;

const fewAnswers = (file: string) => ({
  code: 'answers_few',
  message:
    `${quoteName(file)} has fewer than ${ANSWERS_MIN} rows with an answer. So few show no form of their column, ` +
    'so that a demand of a prompt is not held against them.',
});

/**
 * The mapping of the form that the files have, with a note that says so.
 * @throws {ServiceError} `column_mapping_required`, with the columns and the options that may be meant
 */
function mappingOfForm({ columns, warnings }: RowsManifest): {
  readonly mapping: ColumnMapping;
  readonly warnings: RowsManifest['warnings'];
} {
  const form = findForm(columns);
  const proposed = proposeMapping(columns);
  if (form !== null && proposed !== null) {
    const message = `The rows have the form of ${form.name}, and are checked with ${optionsOf(proposed)}.`;
    return { mapping: proposed, warnings: [...warnings, { code: 'form_detected', message }] };
  }
  const list = columns.map(({ name }) => quoteName(name)).join(', ');
  const example =
    proposed === null
      ? ': --prompt COLUMN --completion COLUMN, or --chat COLUMN'
      : `, for example ${optionsOf(proposed)}`;
  throw new ServiceError(
    'column_mapping_required',
    `Say which columns hold what${example}. The columns are ${list}.`,
  );
}

/** A mapping as options of a shell. */
function optionsOf({ prompt, completion, chat, context = [] }: ColumnMapping): string {
  const word = (name: string): string =>
    /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  const option = (name: string, columns: readonly (string | undefined)[]): string[] => {
    const given = columns.filter((column) => column !== undefined);
    return given.length === 0 ? [] : [`--${name}`, ...given.map(word)];
  };
  return [
    ...option('prompt', [prompt]),
    ...option('completion', [completion]),
    ...option('chat', [chat]),
    ...option('context', context),
  ].join(' ');
}

/** Reads all files once for their columns, so that a wrong one is refused before the first row is checked. */
async function describeFiles(files: readonly TableFile[], signal: AbortSignal): Promise<RowsManifest> {
  let whole: RowsManifest | null = null;
  for (const file of files) {
    const manifest = await forEachChunk(file, async () => signal.throwIfAborted());
    whole =
      whole === null ? manifest : joinManifests(whole, manifest, [files[0]?.name ?? file.name, file.name]);
  }
  if (whole === null) throw new RangeError('There is no file to check.');
  return whole;
}

/** Reads a file into the chunks that an ingest would store, and passes the rows of each in order. */
async function forEachChunk(
  { path, name, format }: TableFile,
  take: (lines: readonly string[]) => Promise<void>,
): Promise<RowsManifest> {
  let taken = Promise.resolve();
  try {
    return await ingestText({
      format,
      name,
      source: path,
      maxBytes: Number.POSITIVE_INFINITY,
      chunkKey: (n) => String(n),
      writeChunk: (_, body) => {
        taken = taken.then(() => take(linesIn(body)));
        return taken;
      },
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, `${quoteName(name)}: ${error.message}`, { cause: error });
  }
}

function specify(
  mapping: ColumnMapping,
  dataset: Pick<RowsManifest, 'columns'> | null,
): AdaptationSpecification {
  return specificationOf(
    // Prompts are written anew by a model alone, so a dry run looks at completions.
    { recipe_specification: { recipes: { prompt_rephrase: false } } },
    mapping,
    { columns: dataset?.columns ?? null, image_column_formats: null, language_expansion: null },
    'adapt',
  );
}
