import type { CodeJob, Ran } from '#shared/witnesses/decide/execution/sandbox.ts';
import type { Score } from './grade.ts';
import type { TemplateValues } from './template.ts';

/** Characters of a row and its answer as JSON that a program is given. The text of an answer is in two of its fields. */
export const VALUES_CHARACTERS_MAX = 250_000;

/** A value as an expression of Python: its JSON as a string literal, which both languages write alike. */
const loaded = (json: string): string => `_json.loads(${JSON.stringify(json)})`;

/** A row and its answer as lines of Python, for the program of a grader; null if they are too long for one. */
export function programValues({ sample, item }: TemplateValues): string | null {
  const [answer, row] = [JSON.stringify(sample), JSON.stringify(item)];
  if (answer.length + row.length > VALUES_CHARACTERS_MAX) return null;
  return `_sample = ${loaded(answer)}\n_item = ${loaded(row)}\n`;
}

/** The program of a grader as a job of the sandbox: `grade(sample, item)` is compared with what no score is. */
export const pythonJob = (source: string, values: string): CodeJob => ({
  language: 'python',
  prelude: '',
  code: `${source}\nimport json as _json\n${values}`,
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
  if (ran === null) return 'The program was not run: there was no time, or the sandbox failed.';
  const [outcome] = ran.outcomes;
  if (ran.end !== 'done' || outcome === undefined) return `The program ended as ${ran.end}: ${ran.message}`;
  const score = Number(outcome.came);
  return outcome.is === 'failed' && outcome.came !== '' && Number.isFinite(score)
    ? score
    : `The program has no score: ${outcome.came}`;
}
