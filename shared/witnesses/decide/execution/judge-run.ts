import type { FindingKind } from '../finding-kinds.ts';
import type { WitnessFinding } from '../witness.ts';
import type { ReadJob } from './read-job.ts';
import { sqlFault } from './read-sql.ts';
import type { Check, Example, Outcome, Ran } from './sandbox.ts';

/**
 * Says what a run shows of its row; null if it shows nothing for certain.
 * @param given how the code that the row brings ran on the same checks: an example that it passes as well may show what it
 * yields, and not what is wanted; null if there is none, or before it was run
 */
export function judgeRun(read: ReadJob, ran: Ran, given: Ran | null = null): WitnessFinding | null {
  const { job, isWhole, isFree } = read;
  if (job.language === 'sql') {
    const fault = ran.end === 'invalid' ? sqlFault(ran.message, job, read.around) : null;
    return fault === null
      ? null
      : wrong('query_invalid', `The query does not run on the schema of its row: ${fault}.`);
  }
  if (ran.end === 'invalid') {
    return isWhole && !OF_NOTEBOOKS.test(ran.message)
      ? wrong('code_invalid', `The ${nameOf(job.language)} code does not compile: ${quoted(ran.message)}.`)
      : null;
  }
  const seen = ran.outcomes.flatMap((outcome, n) => {
    const check = job.checks[n];
    if (check === undefined || check.type === 'setup' || isOfGiven(read, check, given, n)) return [];
    return [{ check, outcome }];
  });
  const failed = seen.filter(({ outcome: { is } }) => is === 'failed' || is === 'raised');
  const told = failed.find(({ check, outcome }) => tells(check, outcome));
  if (told !== undefined && !isFree) return wrong(...describeFailure(told.check, told.outcome));
  const passed = seen.length;
  if (ran.end !== 'done' || passed === 0 || seen.some(({ outcome: { is } }) => is !== 'passed')) return null;
  return {
    witness: 'execution',
    says: 'fine',
    kind: 'examples_passed',
    reason: `The code was run, and ${passed === 1 ? 'the example' : `all ${passed} examples`} of its row passed.`,
  };
}

/** What Python says of code that a notebook runs: it waits at its top. */
const OF_NOTEBOOKS =
  /^'await' outside function|^'async (?:for|with)' outside|^asynchronous comprehension outside/;

/** Whether the nth check is an example that may show what the code of its row yields, and not what is wanted. */
function isOfGiven(read: ReadJob, check: Check, given: Ran | null, n: number): boolean {
  if (check.type !== 'example' || (read.given !== null && given === null)) return false;
  const is = given?.outcomes[n]?.is;
  // Code that yields something else has not made the example.
  return is === 'passed' || (read.asksForFix && is !== 'failed' && is !== 'raised');
}

/** Whether what a finding says depends on how the code ran that the row brings. */
export const dependsOnGiven = (finding: WitnessFinding | null): boolean =>
  finding?.kind === 'example_failed' || finding?.kind === 'examples_passed';

/** Says that a quick example has not ended, in two runs of the sandbox. */
export function judgeEndless({ job, isFree }: ReadJob, ran: Ran): WitnessFinding | null {
  const check = hungCheck({ job, isFree }, ran);
  return check === null
    ? null
    : wrong('example_endless', `The example ${quoted(check.quote)} does not end within a second.`);
}

/**
 * The example at which a run was broken off, if it must be quick: its arguments are short strings and lists of small
 * numbers, so that even a program of exponential time ends at once. A number by itself may count anything: others may
 * take long, and be right.
 */
function hungCheck({ job, isFree }: Pick<ReadJob, 'job' | 'isFree'>, ran: Ran): Example | null {
  if (ran.end !== 'timeout' || job.language === 'sql' || isFree) return null;
  const check = job.checks[ran.outcomes.length];
  if (check?.type !== 'example' || check.notation === 'unrun') return null;
  const given = /^[\w$]+\(([^()]*)\)$/.exec(check.expression)?.[1] ?? '';
  if (given === '' || given.length > SMALL_CHARACTERS_MAX || hasBareNumber(given)) return null;
  const numbers = given.match(/\d+(?:\.\d+)?/g) ?? [];
  const isSmall = numbers.every((number) => Number(number) <= SMALL_NUMBER_MAX);
  return isSmall && given.split(',').length <= SMALL_ITEMS_MAX ? check : null;
}

const hasBareNumber = (given: string): boolean =>
  // At most 40 characters.
  /\d/.test(given.replaceAll(/"[^"]*(?:"|$)|'[^']*(?:'|$)|\[[^\]]*(?:\]|$)/g, ''));

const SMALL_CHARACTERS_MAX = 40;
/** 8! permutations and 2 to the 15th power of anything take less than a tenth of a second. */
const SMALL_ITEMS_MAX = 8;
const SMALL_NUMBER_MAX = 15;

/** Whether a failure says that the program is wrong, and not its example. */
function tells(check: Check, { is }: Outcome): boolean {
  if (check.type !== 'example') return true;
  if (check.notation === 'unrun') return false;
  // What prose calls input may be no argument.
  return check.notation !== 'prose' || is === 'failed';
}

function describeFailure(
  check: Check,
  { is, came, assertion }: Outcome,
): [kind: FindingKind, reason: string] {
  const what = is === 'raised' ? 'raises' : 'yields';
  if (check.type !== 'example') {
    const came_ = came === '' ? 'fails' : `fails: its left side ${what} ${quoted(came)}`;
    return ['test_failed', `The assertion ${quoted(assertion ?? '')} of the test ${came_}.`];
  }
  const expected = check.raises ?? check.literal ?? check.text;
  return [
    'example_failed',
    `The example ${quoted(check.quote)} ${what} ${quoted(came)}, not ${quoted(expected)}.`,
  ];
}

/** Three quotes together have at most 200 characters. */
const QUOTE_CHARACTERS_MAX = 66;

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return `“${characters.length > QUOTE_CHARACTERS_MAX ? `${characters.slice(0, QUOTE_CHARACTERS_MAX - 1).join('')}…` : line}”`;
}

const nameOf = (language: 'python' | 'javascript'): string =>
  language === 'python' ? 'Python' : 'JavaScript';

const wrong = (kind: FindingKind, reason: string): WitnessFinding => ({
  witness: 'execution',
  says: 'wrong',
  kind,
  reason,
});
