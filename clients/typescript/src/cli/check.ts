import { basename, extname } from 'node:path';
import { formatOf } from '../upload.ts';
import type { MappingOptions } from './adapt.ts';
import { checkText } from './check-text.ts';
import type { CheckReport, CheckRequest, TableFile } from './checker.ts';
import type { LocalContext } from './context.ts';
import { CommandFailed, EXIT } from './io.ts';

export interface CheckOptions extends Omit<MappingOptions, 'image'> {
  readonly all?: true;
}

/** Touched rows that are shown without `--all`. */
const SHOWN_MAX = 20;

/** Exit codes by the codes of the checker's errors. */
const EXITS: Readonly<Record<string, number>> = {
  invalid_request: EXIT.usage,
  column_unknown: EXIT.usage,
  schema_mismatch: EXIT.failed,
  file_empty: EXIT.failed,
  file_unreadable: EXIT.failed,
};

/** Prints which rows of files adapting would touch without a model, or doubt. It needs no service. */
export async function check(
  { io, progress, print }: LocalContext,
  paths: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const request: CheckRequest = {
    mapping: mappingOf(options),
    files: paths.map(tableOf),
    rowsMax: options.all === true ? Number.POSITIVE_INFINITY : SHOWN_MAX,
    signal: io.signal,
    onProgress: (rows, total) => progress.update(rows, total),
  };
  const { checkFiles } = await io.loadChecker();
  progress.begin(`Checking ${paths.join(', ')}`);
  let report: CheckReport;
  try {
    report = await checkFiles(request);
  } catch (error) {
    throw io.signal.aborted
      ? new CommandFailed(EXIT.interrupted, 'interrupted', 'Interrupted before all rows were checked.')
      : failureOf(error);
  } finally {
    progress.end();
  }
  print(report, checkText(report));
}

function failureOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const exit = Object.hasOwn(EXITS, code) ? EXITS[code] : undefined;
  if (exit === undefined) return error;
  // The service names fields of a request, and the command its options.
  const message = (error as Error).message.replaceAll(/\bcolumn_mapping\.(\w+)(?:\[\d+\])?/g, '--$1');
  return new CommandFailed(exit, code, message);
}

/** @throws {CommandFailed} if the options name no completions to look at */
function mappingOf({ prompt, completion, chat, context }: CheckOptions): CheckRequest['mapping'] {
  if (chat === undefined && (prompt === undefined || completion === undefined))
    throw new CommandFailed(
      EXIT.usage,
      'column_mapping_required',
      'Say which columns hold what: --prompt COLUMN --completion COLUMN, or --chat COLUMN.',
    );
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(completion === undefined ? {} : { completion }),
    ...(chat === undefined ? {} : { chat }),
    ...(context === undefined ? {} : { context: [...context] }),
  };
}

/** @throws {CommandFailed} if only the service reads files of this format */
function tableOf(path: string): TableFile {
  const name = basename(path);
  // The reader of CSV finds out which delimiter a file has.
  const format = extname(name).toLowerCase() === '.tsv' ? 'csv' : formatOf(name);
  if (format === 'csv' || format === 'json' || format === 'jsonl') return { path, name, format };
  throw new CommandFailed(
    EXIT.failed,
    'file_format_unsupported',
    `${path} cannot be checked: this command reads .csv, .tsv, .json, .jsonl and .ndjson. Save the table as one of these.`,
  );
}
