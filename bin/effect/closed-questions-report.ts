import {
  type ClosedAnswer,
  type ClosedQuestion,
  contradicts,
  formOf,
  isBare,
  labelOf,
  type Step,
  WRONG_EVERY,
  withoutMarks,
} from './closed-questions.ts';
import { wilsonInterval } from './summarize.ts';

/** Name of the section in `docs/effect.md`. */
export const CLOSED_SECTION = 'closed-questions';

/** Rules by which a contradiction could change a row, each stricter than the one before. */
export const RULES = {
  one: 'the model answers something else',
  three: '… three times the same',
  sentence: '… and in a sentence, too',
  pair: '… and prefers it to the row in both orders',
} as const;
type Rule = keyof typeof RULES;

interface Outcome {
  /** Whether the rule changes the row; null if a step is missing. */
  readonly changes: boolean | null;
  readonly isRightAfter: boolean;
}

/** What a rule does with a row of a question. */
export function outcomeOf(
  question: ClosedQuestion,
  side: 'right' | 'wrong',
  rule: Rule,
  answers: ReadonlyMap<string, string>,
): Outcome {
  const form = formOf(question);
  const textOf = (step: Step): string | undefined => answers.get(`${question.id} ${step}`);
  const first = textOf('answer-1');
  if (first === undefined) return { changes: null, isRightAfter: false };
  const label = labelOf(first);
  const rival = isBare(form) ? label : textOf('sentence');
  const isRightAfter = rival !== undefined && new RegExp(question.key, 'u').test(rival);
  const result = (changes: boolean | null): Outcome => ({ changes, isRightAfter });
  if (!contradicts(label, question[side], form)) return result(false);
  if (rival === undefined) return result(null);
  if (rule === 'one') return result(true);
  const others = [textOf('answer-2'), textOf('answer-3')];
  if (others.includes(undefined)) return result(null);
  if (others.some((other) => withoutMarks(labelOf(other ?? '')).join(' ') !== withoutMarks(label).join(' ')))
    return result(false);
  if (rule === 'three') return result(true);
  if (!isBare(form) && (contradicts(label, rival, form) || !contradicts(label, question[side], form)))
    return result(false);
  if (rule === 'sentence') return result(true);
  const [one, two] = [textOf(`pair-${side}-1`), textOf(`pair-${side}-2`)];
  return one === undefined || two === undefined ? result(null) : result(/"2"/.test(one) && /"1"/.test(two));
}

/** The section of `docs/effect.md` on questions that are asked again, in Markdown. */
export function writeClosedSection(
  questions: readonly ClosedQuestion[],
  answered: readonly ClosedAnswer[],
  model: string,
): string {
  const answers = new Map(answered.map(({ id, step, text }) => [`${id} ${step}`, text]));
  const kinds = [...new Set(questions.map(({ kind }) => kind))];
  const sampled = new Set(questions.filter((_, n) => n % WRONG_EVERY === 0));
  const rules = Object.keys(RULES) as Rule[];
  const rows = [...kinds, null].flatMap((kind) => {
    const own = questions.filter((question) => kind === null || question.kind === kind);
    return rules.map((rule) =>
      lineOf(
        kind ?? '**all**',
        rule,
        { right: own, wrong: own.filter((question) => sampled.has(question)) },
        answers,
      ),
    );
  });
  return [
    '## Closed questions',
    `What asking ${model} again would do to rows whose form is right: ${questions.length} questions of the project's own, each with a right and a wrong row (\`bin/effect/closed-questions.jsonl\`). The model answers without seeing the row; each rule also asks for what the rules above it ask. Wrong rows are those of every fifth question. Rows for which not all steps were asked are left out. \`npm run effect -- closed-questions --report ${CLOSED_SECTION}\` measures it again. No rule is in use.`,
    [
      '| kind | the row is changed if | right rows spoiled | wrong rows corrected |',
      '| --- | --- | ---: | ---: |',
      ...rows,
    ].join('\n'),
  ].join('\n\n');
}

function lineOf(
  kind: string,
  rule: Rule,
  questions: Readonly<Record<'right' | 'wrong', readonly ClosedQuestion[]>>,
  answers: ReadonlyMap<string, string>,
): string {
  const of = (side: 'right' | 'wrong'): Outcome[] =>
    questions[side]
      .map((question) => outcomeOf(question, side, rule, answers))
      .filter(({ changes }) => changes !== null);
  const [right, wrong] = [of('right'), of('wrong')];
  const spoiled = right.filter(({ changes, isRightAfter }) => changes === true && !isRightAfter).length;
  const corrected = wrong.filter(({ changes, isRightAfter }) => changes === true && isRightAfter).length;
  const [low, high] = wilsonInterval({ count: spoiled, of: right.length }).map((share) =>
    (100 * share).toFixed(1),
  );
  const harm = right.length === 0 ? '' : `${spoiled} of ${right.length} (${low} to ${high} %)`;
  const gain = wrong.length === 0 ? '' : `${corrected} of ${wrong.length}`;
  return `| ${kind} | ${RULES[rule]} | ${harm} | ${gain} |`;
}
