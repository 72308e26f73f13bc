import { number, percent, plural, words } from '../format.ts';
import { witnessWords } from '../ui/doubt-words.ts';
import type { AlikeRow, LookedAt, ReviewGrade, ReviewSummary, WitnessRecord } from './contract.ts';
import type { Given } from './review-list.ts';

const WHYS: Readonly<Record<AlikeRow['why'], string>> = {
  same_label: 'has the label that you exchanged',
  same_text: 'has the text that you replaced',
  same_doubt: 'a witness says the same of it',
};

/** Why a row is like the one that was mended. */
export const whyWords = (why: AlikeRow['why']): string => (Object.hasOwn(WHYS, why) ? WHYS[why] : words(why));

const GIVEN: Readonly<Record<Given['verdict'], string>> = {
  right: 'right',
  wrong: 'wrong',
  mended: 'mended',
};

export const givenWords = ({ verdict }: Pick<Given, 'verdict'>): string => GIVEN[verdict];

/** `8.1 of 10, between 7.2 and 8.7`: an interval of grades is never so narrow that a second digit tells anything. */
const scoreWords = (score: number, [low, high]: readonly [number, number]): string =>
  `${tenths(score)} of 10, between ${tenths(low)} and ${tenths(high)}`;

const tenths = (score: number): string => number(Math.round(10 * score) / 10);

/** What witnesses say alone is no grade: they know no facts. */
const EXPECTED =
  'It comes with verdicts on rows drawn at random. Witnesses, who run code and compare rows but know no facts, expect';

/** The grade with its interval, and beside it what verdicts change or would. */
export function gradeWords(grade: ReviewGrade): { readonly now: string; readonly note: string } {
  const { without_verdicts: without } = grade;
  const score = scoreWords(grade.score, grade.score_interval);
  if (grade.verdicts === 0) return { now: 'No grade yet', note: `${EXPECTED} ${score}.` };
  return {
    now: `Grade ${grade.grade}: ${score}`,
    note:
      without === null
        ? 'The interval covers the true score with 95 %.'
        : `Without verdicts ${scoreWords(without.score, without.score_interval)} (the paler bar).`,
  };
}

/** `12 right, 3 wrong, 5 mended` and what is not as it should be. */
export function verdictsWords({ right, wrong, mended, disputed, stale }: ReviewSummary['verdicts']): string {
  const all = `${number(right)} right, ${number(wrong)} wrong, ${number(mended)} mended`;
  const more = [
    ...(disputed > 0 ? [`${number(disputed)} disputed`] : []),
    ...(stale > 0 ? [`${number(stale)} of rows that changed since`] : []),
  ];
  return [all, ...more].join(', ');
}

/** `44 rows left worth a look` */
export const leftWords = (rows: number): string =>
  rows === 0 ? 'No row left worth a look' : `${plural(rows, 'row')} left worth a look`;

const LOOKS: Readonly<Record<Exclude<LookedAt['status'], 'done'>, string>> = {
  looking:
    'Checks and witnesses are looking at these rows. What they doubt comes first once they have looked: a minute, or some for many rows.',
  failed: 'The witnesses could not look at these rows. They try again after five minutes.',
  none: 'No witness has looked at these rows.',
};

/** Who has looked at how many rows, and who was silent. */
export function lookWords(look: LookedAt): string {
  if (look.status !== 'done')
    return Object.hasOwn(LOOKS, look.status) ? LOOKS[look.status] : words(look.status);
  const { program, execution, neighbours, not_looked_at: left, not_listed: more, silent } = look;
  const by = [
    `${plural(program, 'row')} checked`,
    `${number(execution)} run as code`,
    `${number(neighbours)} compared with the others`,
    ...(left > 0 ? [`${number(left)} looked at by nobody`] : []),
    ...(more > 0 ? [`${number(more)} doubted beyond the most doubtful, which alone are listed`] : []),
  ];
  return [`${by.join(', ')}.`, ...silent.map(({ message }) => message)].join(' ');
}

/** `Similar rows (label contradicted): 71 % of 24 rows wrong, 86 % expected` */
export function recordWords({
  witness,
  kind,
  rows,
  share_wrong: wrong,
  share_stated: stated,
}: WitnessRecord): string {
  const name = kind === null ? witnessWords(witness) : `${witnessWords(witness)} (${words(kind)})`;
  return `${name}: ${percent(wrong)} of ${plural(rows, 'row')} wrong, ${percent(stated)} expected`;
}
