import type { CodeJob, Ran } from '#shared/witnesses/decide/execution/sandbox.ts';
import type { Score } from './grade.ts';
import type { TemplateValues } from './template.ts';

/** A value as an expression of Python: its JSON as a string literal, which both languages write alike. */
const loaded = (value: unknown): string => `_json.loads(${JSON.stringify(JSON.stringify(value))})`;

/** The program of a grader as a job of the sandbox: `grade(sample, item)` is compared with what no score is. */
export const pythonJob = (source: string, { sample, item }: TemplateValues): CodeJob => ({
  language: 'python',
  prelude: '',
  code: `${source}\nimport json as _json\n_sample = ${loaded(sample)}\n_item = ${loaded(item)}\n`,
  entry: null,
  checks: [
    {
      type: 'example',
      notation: 'doctest',
      quote: 'grade(sample, item)',
      expression: 'float(grade(_sample, _item))',
      literal: "'no score'",
      text: "'no score'",
      raises: null,
      anyOrder: false,
    },
  ],
});

/** The score that a job came to, or why there is none. */
export function pythonScore(ran: Ran | null): Score {
  if (ran === null) return 'The program was not run: it is too long, or there was no time.';
  const [outcome] = ran.outcomes;
  if (ran.end !== 'done' || outcome === undefined) return `The program ended as ${ran.end}: ${ran.message}`;
  const score = Number(outcome.came);
  return outcome.is === 'failed' && outcome.came !== '' && Number.isFinite(score)
    ? score
    : `The program has no score: ${outcome.came}`;
}
