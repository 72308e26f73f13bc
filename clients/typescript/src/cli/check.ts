import type { MappingOptions } from './adapt.ts';
import { checkText } from './check-text.ts';
import { inWordsOfCheck } from './check-words.ts';
import type { CheckReport, CheckRequest } from './checker.ts';
import type { LocalContext } from './context.ts';
import { CommandFailed, EXIT } from './io.ts';
import { tablesOf } from './tables.ts';

export interface CheckOptions extends Omit<MappingOptions, 'image'> {
  readonly all?: true;
}

/** Touched rows that are shown without `--all`. */
const SHOWN_MAX = 20;

/** Exit codes by the codes of the checker's errors. */
const EXITS: Readonly<Record<string, number>> = {
  invalid_request: EXIT.usage,
  column_mapping_required: EXIT.usage,
  column_unknown: EXIT.usage,
  schema_mismatch: EXIT.failed,
  file_empty: EXIT.failed,
  file_unreadable: EXIT.failed,
};

/** Prints which rows of files adapting would change without a model, and which have a defect. It needs no service. */
export async function check(
  { io, progress, print }: LocalContext,
  paths: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const request: CheckRequest = {
    mapping: mappingOf(options),
    files: await tablesOf(paths),
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
  return new CommandFailed(exit, code, inWordsOfCheck((error as Error).message));
}

/**
 * The mapping that the options say; null if they say none.
 * @throws {CommandFailed} if they name no completions to look at
 */
function mappingOf({ prompt, completion, chat, context }: CheckOptions): CheckRequest['mapping'] {
  if ([prompt, completion, chat, context].every((option) => option === undefined)) return null;
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
