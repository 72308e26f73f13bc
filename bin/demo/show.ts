import { deliveredCount } from '#shared/runs/decide/outcomes.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';

/** Output of the demo: plain text of at most 100 columns. */
const width = 100;

export type Bounds = readonly [number, number] | null;

export interface Evaluation {
  readonly quality: {
    readonly grade_before: string | null;
    readonly grade_after: string | null;
    readonly score_before: number | null;
    readonly score_after: number | null;
    readonly improvement_percent: number | null;
  } | null;
  readonly raw_results: {
    readonly judge: { readonly model: string | null; readonly believed_for: readonly string[] };
    readonly score_interval_before: Bounds;
    readonly score_interval_after: Bounds;
    readonly share_got_worse: number | null;
  } | null;
}

export interface Report {
  readonly rows: { readonly changed: number; readonly kept: number; readonly failed: number } | null;
  readonly credits: { readonly reserved: number; readonly settled: number | null };
  readonly tokens: { readonly input: number; readonly output: number; readonly calls: number } | null;
}

export interface Sample {
  readonly question: string;
  readonly answer: string;
}

/** A progress bar of twenty characters. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((20 * done) / total);
  return `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}`;
}

/** "about 40 s left", "about 2 min left"; empty without progress. */
export function timeLeft(done: number, total: number, seconds: number): string {
  if (done === 0 || done >= total) return '';
  const left = (seconds / done) * (total - done);
  return left < 90
    ? `, about ${Math.ceil(left / 5) * 5} s left`
    : `, about ${Math.round(left / 60)} min left`;
}

/** A row before and after, with its edits. */
export function describeRow(sample: Sample, result: RunResult): string {
  const { outcome, edit, reason, cells } = result;
  const before = ['before', sample.answer];
  const after = ['after', cells?.enhanced_completion ?? ''];
  const done =
    outcome === 'changed'
      ? `changed${edit === undefined ? '' : `: ${edit.kind}, ${Math.round(100 * edit.words_kept)} % of the words kept`}`
      : `${outcome}: ${reason?.message ?? ''}`;
  const lines = [before, ...(outcome === 'changed' ? [after] : [])].flatMap(([name = '', text = '']) =>
    wrap(text).map((line, index) => `    ${(index === 0 ? name : '').padEnd(8)}${line}`),
  );
  return [`  ${sample.question}`, ...lines, `    ${' '.repeat(8)}(${done})`].join('\n');
}

/** Grades, prices and model calls of a run, in a few lines. */
export function describeRun(evaluation: Evaluation, report: Report, quotedCredits: number): string[] {
  const { quality, raw_results: raw } = evaluation;
  const { rows, credits, tokens } = report;
  const graded = (grade: string | null, score: number | null, bounds: Bounds): string => {
    if (score === null) return '–';
    return `${grade}, ${score} of 10${bounds === null ? '' : ` (95 %: ${bounds[0]} to ${bounds[1]})`}`;
  };
  const lines: [string, string][] = [];
  if (quality === null || raw === null) lines.push(['Grade', 'the rows could not be scored']);
  else {
    lines.push([
      'Grade before',
      graded(quality.grade_before, quality.score_before, raw.score_interval_before),
    ]);
    lines.push(['Grade after', graded(quality.grade_after, quality.score_after, raw.score_interval_after)]);
    if (raw.share_got_worse !== null) {
      lines.push(['Got worse', `an estimated ${Math.round(100 * raw.share_got_worse)} % of the rows`]);
    }
    const { judge } = raw;
    lines.push([
      'Decided by',
      judge.believed_for.length === 0
        ? `checks alone: ${judge.model ?? 'the model'} is believed as a judge in no kind of pair`
        : `checks, and ${judge.model} on pairs that differ in ${judge.believed_for.join(', ')}`,
    ]);
  }
  const perRow = tokens === null || rows === null ? null : deliveredCount(rows) + rows.failed;
  lines.push(['Rows', `${rows?.changed} changed, ${rows?.kept} kept as they were, ${rows?.failed} failed`]);
  lines.push(['Credits', `${quotedCredits} quoted, ${credits.settled ?? 'not yet'} charged`]);
  if (tokens !== null && perRow !== null && perRow > 0) {
    lines.push([
      'Model',
      `${(tokens.calls / perRow).toFixed(1)} calls, ${Math.round(tokens.input / perRow)} tokens in and ${Math.round(tokens.output / perRow)} out a row`,
    ]);
  }
  return list(lines);
}

/** Names with descriptions, one line each. */
export function list(lines: readonly (readonly [name: string, text: string])[]): string[] {
  return lines.map(([name, text]) => `  ${name.padEnd(15)}${text}`);
}

/** Wraps lines at the width; line breaks and indents stay. */
function wrap(text: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const indent = /^\s*/.exec(paragraph)?.[0] ?? '';
    const lines: string[] = [];
    let line = indent;
    for (const word of paragraph.trim().split(/\s+/)) {
      if (line.trim() !== '' && line.length + word.length + 1 > width - 12) {
        lines.push(line);
        line = indent + word;
      } else line = line.trim() === '' ? indent + word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}
