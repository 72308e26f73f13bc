import { codeBlocks } from '#shared/answers/decide/lint/code-blocks.ts';
import type { WitnessedRow } from '../witness.ts';
import { givenCode, type Program, readProgram } from './read-code.ts';
import { readExamples } from './read-examples.ts';
import { readSql } from './read-sql.ts';
import type { Check, CodeJob, Job } from './sandbox.ts';

/** A job, and how far what it shows is believed. */
export interface ReadJob {
  readonly job: Job;
  /** Whether the code must compile. */
  readonly isWhole: boolean;
  /** Whether another result than that of an example may be right, too: of chance, of time, one of several. */
  readonly isFree: boolean;
  /** The same checks of the code that the row itself brings, as one to mend; null if it brings none. */
  readonly given: CodeJob | null;
  /** Whether the row asks what is wrong with code, so that its examples may show what that code yields. */
  readonly asksForFix: boolean;
  /** The text around a query; empty for other code. */
  readonly around: string;
}

/** Characters of the text around a row in which examples, tests and schemas are looked for. */
const CONTEXT_CHARACTERS_MAX = 100_000;

/** What can be run of a row; null if there is nothing, or nothing that is certain. */
export function readJob(row: WitnessedRow): ReadJob | null {
  if (row.context.length > CONTEXT_CHARACTERS_MAX) return null;
  const program = readProgram(row);
  if (program === null) {
    const job = readSql(row);
    const around = `${row.context}\n${row.prompt}`;
    return job && { job, isWhole: true, isFree: false, given: null, asksForFix: false, around };
  }
  const { language, prelude, code, entry, isWhole } = program;
  const checks = checksOf(row, program);
  if (checks.length === 0 && !isWhole) return null;
  const job: CodeJob = { language, prelude, code, entry, checks };
  // A test says what is wanted, and in its messages what fails.
  const around = testsOf(row.context).length > 0 ? [row.prompt] : [row.prompt, row.context];
  const given = around.map((text) => givenCode(program, text)).find((each) => each !== null) ?? null;
  return {
    job,
    isWhole,
    isFree: VARYING.test(code) || takesOfSet(code) || SEVERAL.test(row.prompt),
    given: given === null ? null : { ...job, prelude: '', code: given },
    asksForFix: around.some((text) => FIX.test(text)),
    around: '',
  };
}

/** What asks for a correction, or tells of a failure. It only makes silent where no code can be run that has it. */
const FIX =
  /\b(?:fix(?:e[sd])?|debug|repair|mend|troubleshoot|buggy|bugs?|broken|fail(?:s|ed|ing|ure)?|instead of|what(?:['’]s| is) wrong|why (?:does|is|do|are|did)|(?:is|was|are|gives?|returns?|yields?|prints?|outputs?|computes?)(?: \w+)? (?:wrong|incorrect)|(?:does|did|is)(?:n['’]t| not) (?:work|return|give|print)|correct (?:the|this|my|it|its))\b(?! *=)/i;

/** What differs from one run, or from one build of the interpreter, to the next. */
const VARYING =
  /\b(?:random|secrets|uuid|shuffle|choice|getsizeof|maxsize|platform|struct)\b|\b(?:hash|id)\(|\b(?:datetime|date|time)\.(?:now|today|time|utcnow)\(|\bnew Date\(\)|\bDate\.now|\bMath\.random/;
/** Elements of a set come in the order of their hashes. */
const takesOfSet = (code: string): boolean =>
  /\b(?:frozen)?set\b/.test(code) && /\.pop\(\)|\bnext\(iter\(/.test(code);
const SEVERAL =
  /\b(?:may|might|can|could) (?:vary|differ)\b|\bapproximate(?:ly)?\b|\bany (?:valid|one of|of them|such|correct)\b|\b(?:multiple|several|many) (?:valid )?(?:answers|solutions)\b|\bnot unique\b|\brandom/i;

function checksOf({ prompt, completion, context }: WitnessedRow, program: Program): Check[] {
  const tests = program.language === 'python' ? testsOf(context) : [];
  return [
    ...[prompt, completion, tests.length === 0 ? context : ''].flatMap((text) => readExamples(program, text)),
    ...tests,
  ];
}

/** The test that a context is, or has in its blocks of code. */
function testsOf(context: string): Check[] {
  const blocks = codeBlocks(context);
  const texts = blocks.length === 0 ? [context] : blocks.map(({ code }) => code);
  return texts.filter((code) => /^[ \t]*assert\b/m.test(code)).map((code) => ({ type: 'test', code }));
}
