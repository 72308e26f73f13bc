import { programFinding } from '#shared/adaptation/decide/program-finding.ts';
import { oddsFactor, timesOdds } from '#shared/review/decide/witness-record.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import type { Embed } from '#shared/witnesses/decide/neighbours/neighbours-witness.ts';
import type { WitnessFinding } from '#shared/witnesses/decide/witness.ts';
import { table, withShare } from '../markdown.ts';
import { measureRegister, type Register, type RegisterRow, totalOf } from '../register.ts';
import { countExecution } from './execution.ts';
import {
  askNeighbours,
  exchangeAnswers,
  measureFindings,
  measureLabelNoise,
  measureNeighbours,
  type StatedRow,
  type WitnessCounts,
  type WitnessMeasure,
} from './neighbours.ts';

/** What one witness said of the rows of one kind of damage. */
export interface WitnessLine extends WitnessCounts {
  readonly witness: string;
  readonly rows: string;
  /** Of the order by doubt, where the witness orders rows. */
  readonly averagePrecision?: number | null;
}

/** What the witnesses say, and how often the probabilities that they state are right. */
export interface WitnessTable {
  readonly lines: readonly WitnessLine[];
  readonly stated: readonly StatedRow[];
  /** The same of what the checks of the program find. */
  readonly checked: readonly StatedRow[];
  /** What verdicts make of the probabilities of one dataset each. */
  readonly corrected: readonly CorrectedRows[];
}

/** Rows without a verdict, whose probabilities are corrected by the verdicts on others. */
interface CorrectedRows {
  readonly rows: string;
  readonly count: number;
  readonly stated: number;
  readonly corrected: number;
  readonly wrong: number;
}

/** Sets whose answers are texts: half of them have so many characters at least. */
const TEXT_CHARACTERS_MIN = 40;
const EXCHANGED_SHARE = 0.1;
const SEED = 1;
/** Verdicts on doubted rows of a dataset, from which the probabilities of its other doubted rows are corrected. */
const VERDICTS = 30;
/** All witnesses of a file, weighed together as the service does. */
export const TOGETHER = 'all together';
/** Files whose sets are classes: a set's name is the label of its prompts. */
const LABELLED_SETS_MIN = 10;

/** What the witnesses that ask no model say of public rows, by kind of damage. */
export async function measureWitnesses(
  datasets: ReadonlyMap<string, readonly RegisterRow[]>,
  embed: Embed,
): Promise<WitnessTable> {
  const sets = [...datasets];
  const all = sets.flatMap(([, rows]) => [...rows]);
  const checks = await measureChecks(datasets);
  const { right, faulty, findings } = await countExecution(all);
  const isWrong = (rows: readonly RegisterRow[]): boolean[] => rows.map((row) => !row.right);
  const perRow = (found: readonly (WitnessFinding | null)[]): WitnessFinding[][] =>
    found.map((finding) => (finding === null ? [] : [finding]));
  let from = 0;
  const [executed, asTheyAre, exchanged]: [WitnessMeasure[], WitnessMeasure[], WitnessMeasure[]] = [
    [],
    [],
    [],
  ];
  const together = new Map<string, WitnessMeasure[]>();
  for (const [name, rows] of sets) {
    const run = findings.slice(from, from + rows.length);
    from += rows.length;
    const near = perRow(await askNeighbours(rows, embed));
    executed.push(measureFindings(run, isWrong(rows)));
    asTheyAre.push(measureFindings(near, isWrong(rows)));
    const checked = checks.findings.get(name) ?? [];
    const all = rows.map((_, n) => [...(checked[n] ?? []), ...(run[n] ?? []), ...(near[n] ?? [])]);
    const file = fileOf(name);
    together.set(file, [...(together.get(file) ?? []), measureFindings(all, isWrong(rows))]);
    const kept = rows.filter((row) => row.right);
    if (!hasTexts(kept)) continue;
    exchanged.push(await measureNeighbours(exchangeAnswers(kept, EXCHANGED_SHARE, SEED), embed));
  }
  const labelled = await measureLabels(sets, embed);
  const lines = [
    ...checks.lines,
    {
      ...{ witness: 'execution', rows: 'as they are' },
      ...{ right: right.rows, rightFlagged: right.wrong, wrong: faulty.rows, wrongFlagged: faulty.wrong },
    },
    {
      ...{ witness: 'execution', rows: 'as they are; functions with examples' },
      ...{ right: right.checked, rightFlagged: right.checkedWrong },
      ...{ wrong: faulty.checked, wrongFlagged: faulty.checkedWrong },
    },
    { witness: 'neighbours', rows: 'as they are', ...sumOf(asTheyAre) },
    { witness: 'neighbours', rows: 'texts, one answer in ten exchanged', ...sumOf(exchanged) },
    ...labelled.map(({ line }) => line),
    ...[...together]
      .map(([file, some]) => ({ witness: TOGETHER, rows: `${file}: as they are`, ...sumOf(some) }))
      .filter(({ wrong }) => wrong > 0),
  ];
  const measured = [...executed, ...asTheyAre, ...exchanged, ...labelled.map(({ measure }) => measure)];
  return {
    lines,
    stated: measured.flatMap(({ stated }) => stated),
    checked: checks.stated,
    corrected: labelled.flatMap(({ line, measure }) => correctStated(line.rows, measure.stated)),
  };
}

/** What the checks of the program say of public rows as they are, and of texts of which one in ten was damaged. */
async function measureChecks(datasets: ReadonlyMap<string, readonly RegisterRow[]>): Promise<{
  readonly lines: readonly WitnessLine[];
  readonly stated: readonly StatedRow[];
  /** By set, of its rows as they are. */
  readonly findings: ReadonlyMap<string, readonly (readonly WitnessFinding[])[]>;
}> {
  const register = await measureRegister(datasets);
  const [sound, unsound] = [totalOf(register.sets, 'right'), totalOf(register.sets, 'wrong')];
  const texts = [...datasets]
    .map(([name, rows]) => [name, rows.filter((row) => row.right)] as const)
    .filter(([, rows]) => hasTexts(rows));
  const damaged = new Map(
    texts.map(([name, rows]) => [name, damageAnswers(rows, EXCHANGED_SHARE, SEED)] as const),
  );
  const ofDamaged = await measureRegister(damaged);
  const findingsOf = (sets: typeof datasets, found: Register) =>
    new Map([...sets].map(([name, rows]) => [name, programFindings(name, rows, found)] as const));
  const measure = (sets: typeof datasets, found: ReturnType<typeof findingsOf>): WitnessMeasure[] =>
    [...sets].map(([name, rows]) =>
      measureFindings(
        found.get(name) ?? [],
        rows.map((row) => !row.right),
      ),
    );
  const findings = findingsOf(datasets, register);
  const [asTheyAre, broken] = [measure(datasets, findings), measure(damaged, findingsOf(damaged, ofDamaged))];
  return {
    lines: [
      {
        ...{ witness: 'program', rows: 'as they are' },
        ...{ right: sound.rows, rightFlagged: sound.changed + sound.doubted },
        ...{ wrong: unsound.rows, wrongFlagged: unsound.changed + unsound.doubted },
      },
      { witness: 'program', rows: 'texts, one answer in ten damaged', ...sumOf(broken) },
    ],
    stated: [...asTheyAre, ...broken].flatMap(({ stated }) => stated),
    findings,
  };
}

/** What the checks of the program find in each row of one dataset. */
function programFindings(
  name: string,
  rows: readonly RegisterRow[],
  { touched }: Register,
): WitnessFinding[][] {
  const found = new Map(
    touched.filter(({ set }) => set === name).map(({ row, result }) => [row, result] as const),
  );
  return rows.map((row) => {
    const result = found.get(row);
    const finding = result === undefined || !('defect' in result) ? null : programFinding(result);
    return finding === null ? [] : [finding];
  });
}

/** Each does one damage to an answer, as exports, scrapers and token limits do. */
const DAMAGES: readonly ((text: string, share: number) => string)[] = [
  (text, share) => text.slice(0, Math.max(1, Math.floor(text.length * share))),
  (text) => `${text}<|im_end|>`,
  () => '',
  (text) => `Sure! Here is the answer:\n\n${text}\n\nI hope this helps!`,
  (text) => `${text}\n\n${text}`,
];

/** Damages a share of the answers, which a seed draws, each in one of these ways. A row is wrong if its answer changed. */
function damageAnswers(rows: readonly RegisterRow[], share: number, seed: number): RegisterRow[] {
  const random = seededRandom(String(seed));
  return rows.map((row) => {
    if (random() >= share) return row;
    const damage = DAMAGES[Math.floor(random() * DAMAGES.length)] as (typeof DAMAGES)[number];
    return { ...row, completion: damage(row.completion, 0.2 + 0.6 * random()), right: false };
  });
}

/** Corrects what is stated of the doubted rows of a dataset by verdicts on some of them, drawn by a seed. */
export function correctStated(rows: string, stated: readonly StatedRow[]): CorrectedRows[] {
  if (stated.length < 2 * VERDICTS) return [];
  const random = seededRandom(rows);
  const drawn = stated.map((row) => ({ row, key: random() })).sort((a, b) => a.key - b.key);
  const [seen, rest] = [drawn.slice(0, VERDICTS), drawn.slice(VERDICTS)].map((some) =>
    some.map(({ row }) => row),
  ) as [StatedRow[], StatedRow[]];
  const sum = (some: readonly StatedRow[], of: (row: StatedRow) => number): number =>
    some.reduce((total, row) => total + of(row), 0);
  const isWrong = (row: StatedRow): number => (row.isWrong ? 1 : 0);
  const factor = oddsFactor({
    rows: seen.length,
    wrong: sum(seen, isWrong),
    stated: sum(seen, ({ probability }) => probability),
  });
  const mean = (of: (row: StatedRow) => number): number => sum(rest, of) / rest.length;
  return [
    {
      rows,
      count: rest.length,
      stated: mean(({ probability }) => probability),
      corrected: mean(({ probability }) => timesOdds(probability, factor)),
      wrong: mean(isWrong),
    },
  ];
}

const fileOf = (set: string): string => set.split('/')[0] as string;

function hasTexts(rows: readonly RegisterRow[]): boolean {
  const lengths = rows.map(({ completion }) => completion.length).sort((a, b) => a - b);
  return (lengths[Math.floor(lengths.length / 2)] ?? 0) >= TEXT_CHARACTERS_MIN;
}

/** The prompts of a file's sets, labelled by their set, of which one label in ten is that of a similar set. */
async function measureLabels(
  sets: readonly (readonly [string, readonly RegisterRow[]])[],
  embed: Embed,
): Promise<{ line: WitnessLine; measure: WitnessMeasure }[]> {
  const files = [...new Set(sets.map(([name]) => fileOf(name)))];
  const lines: { line: WitnessLine; measure: WitnessMeasure }[] = [];
  for (const file of files) {
    const labelled = sets.filter(([name]) => name.startsWith(`${file}/`));
    if (labelled.length < LABELLED_SETS_MIN) continue;
    const rows = labelled.flatMap(([label, some]) =>
      // The options of a multiple choice would tell its subject.
      some.map(({ prompt }) => ({ prompt: prompt.split('\nA. ')[0] as string, label })),
    );
    const measured = await measureLabelNoise(rows, { share: EXCHANGED_SHARE, seed: SEED, embed });
    const { stated: _, ...counts } = measured;
    lines.push({
      line: { witness: 'neighbours', rows: `${file}: one label in ten exchanged`, ...counts },
      measure: measured,
    });
  }
  return lines;
}

function sumOf(counts: readonly WitnessCounts[]): WitnessCounts {
  const sum = (name: keyof WitnessCounts) => counts.reduce((total, each) => total + each[name], 0);
  return {
    ...{ right: sum('right'), rightFlagged: sum('rightFlagged') },
    ...{ wrong: sum('wrong'), wrongFlagged: sum('wrongFlagged') },
  };
}

/** The lines as a table, and below them how often rows are wrong of which a probability is stated. */
export function describeWitnesses({ lines, stated, checked, corrected }: WitnessTable): string {
  return [
    describeLines(lines),
    describeStated(stated),
    describeStated(checked, 'stated by checks'),
    describeCorrected(corrected),
  ].join('\n\n');
}

function describeCorrected(corrected: readonly CorrectedRows[]): string {
  return table(
    ['rows', 'doubted', 'mean stated', `after ${VERDICTS} verdicts`, 'wrong'],
    corrected.map(({ rows, count, stated, corrected: after, wrong }) => [
      ...[rows, count, stated.toFixed(2), after.toFixed(2), wrong.toFixed(2)],
    ]),
    1,
  );
}

/** A tenth of the stated probability: its rows, what is stated of them on average, and how many are wrong. */
export interface StatedTenth {
  /** The probability that it begins with. */
  readonly from: number;
  readonly rows: number;
  readonly mean: number;
  readonly wrong: number;
}

/** The tenths of the stated probability that have rows. */
export function statedTenths(stated: readonly StatedRow[]): StatedTenth[] {
  return Array.from({ length: 10 }, (_, tenth) => {
    const rows = stated.filter(({ probability }) => Math.min(9, Math.floor(10 * probability)) === tenth);
    return {
      from: tenth / 10,
      rows: rows.length,
      mean: rows.reduce((sum, { probability }) => sum + probability, 0) / rows.length,
      wrong: rows.filter(({ isWrong }) => isWrong).length,
    };
  }).filter(({ rows }) => rows > 0);
}

/** For each tenth of the stated probability its mean, and the share of rows that are wrong. */
function describeStated(stated: readonly StatedRow[], title = 'stated probability'): string {
  return table(
    [title, 'rows', 'mean stated', 'wrong'],
    statedTenths(stated).map(({ from, rows, mean, wrong }) => [
      `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`,
      ...[rows, mean.toFixed(2), (wrong / rows).toFixed(2)],
    ]),
    1,
  );
}

function describeLines(lines: readonly WitnessLine[]): string {
  return table(
    ['witness', 'rows', 'right rows', 'flagged', 'wrong rows', 'flagged', 'average precision'],
    lines.map(({ witness, rows, right, rightFlagged, wrong, wrongFlagged, averagePrecision }) => [
      ...[witness, rows, right, withShare(rightFlagged, right), wrong, withShare(wrongFlagged, wrong)],
      averagePrecision?.toFixed(3) ?? '',
    ]),
    2,
  );
}
