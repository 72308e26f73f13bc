import type { Schemas } from '../client.ts';
import type { DownloadFormat } from '../download.ts';
import { dataOf } from '../errors.ts';
import { withRetries } from '../retry.ts';
import type { Context } from './context.ts';

type RowCounts = NonNullable<Schemas['RunReport']['rows']>;

/** What became of the rows of a run, and what it cost; null of a run that is no longer the latest. */
export interface RunEnd {
  readonly rows: RowCounts | null;
  readonly credits: number | null;
}

/** Reads how a run ended from the report of its dataset. */
export async function readRunEnd(
  { client, io: { signal } }: Context,
  dataset_id: string,
  run_id: string | null,
): Promise<RunEnd> {
  const params = { path: { dataset_id }, query: { limit: 1 } };
  const report = await withRetries(
    () => dataOf(client.GET('/api/v1/datasets/{dataset_id}/report', { signal, params })),
    { signal },
  );
  // Somebody may have started another run since.
  if (run_id !== null && report.run_id !== run_id) return { rows: null, credits: null };
  return { rows: report.rows, credits: report.credits.settled };
}

/** A page of the console of the service, such as `datasets/ID`. */
export const consoleLinkOf = (baseUrl: string, page: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/console#/${page}`;

export const creditsText = (credits: number): string => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

/** The end of an adaptation: what became of the rows, what it cost, the grades, and where to go from there. */
export function summaryText(end: {
  readonly datasetId: string;
  readonly output: string;
  readonly format: DownloadFormat;
  readonly rowCount: number | null;
  /** What is to be known of the rows, as of languages that could not be made; null for nothing. */
  readonly warning: string | null;
  readonly run: RunEnd;
  readonly evaluation: Schemas['Evaluation'];
  readonly consoleLink: string;
}): string {
  const { datasetId, output, format, rowCount, warning, run, evaluation, consoleLink } = end;
  return [
    `${output}: ${rowCount} rows of dataset ${datasetId}`,
    runText(run),
    warning === null ? '' : `Note: ${warning}`,
    evaluationText(evaluation),
    `Look at the rows:  ${consoleLink}`,
    `Download again:    npx tunesmith download ${datasetId} --format ${format}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function runText({ rows, credits }: RunEnd): string {
  const charged = credits === null ? [] : [`${creditsText(credits)} charged`];
  if (rows === null) return charged.join('');
  const { changed, kept, failed } = rows;
  const seldom = [
    [rows.dropped, 'dropped'],
    [rows.not_selected, 'left as they were by the limit on rows'],
    [rows.expanded, 'added in other languages'],
    [rows.expansion_failed, 'not to be translated'],
  ] as const;
  const outcomes = [
    `${changed} changed`,
    `${kept} kept`,
    `${failed} failed`,
    ...seldom.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
  ];
  return [`Rows: ${outcomes.join(', ')}`, ...charged].join('; ');
}

/** The grades before and after, each with the interval in which its score lies with 95 % probability. */
export function evaluationText({ status, quality, raw_results: raw }: Schemas['Evaluation']): string {
  if (quality === null) return `The evaluation is ${status ?? 'not started'}.`;
  const side = (grade: string | null, score: number | null, interval: unknown) =>
    grade === null ? 'none' : `${grade} (${score} of 10${intervalText(interval)})`;
  const before = side(quality.grade_before, quality.score_before, raw?.score_interval_before);
  const after = side(quality.grade_after, quality.score_after, raw?.score_interval_after);
  return `Grade before ${before}, after ${after}`;
}

const intervalText = (interval: unknown): string =>
  Array.isArray(interval) ? `, 95 % interval ${interval[0]} to ${interval[1]}` : '';
