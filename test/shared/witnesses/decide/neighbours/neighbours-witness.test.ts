import { describe, expect, it } from 'vitest';
import {
  createNeighboursWitness,
  type Embed,
} from '#shared/witnesses/decide/neighbours/neighbours-witness.ts';
import type { WitnessedRow } from '#shared/witnesses/decide/witness.ts';
import { embedWords } from '#test/helpers/embed-words.ts';

const embed: Embed = async (texts) => embedWords(texts);

const witness = createNeighboursWitness({ embed });
const row = (prompt: string, completion: string): WitnessedRow => ({ prompt, completion, context: '' });

const THINGS = 'anvil basket candle drum engine feather garden hammer island jacket kettle ladder'.split(' ');
const PLACES = 'Lisbon Madrid Oslo Paris Quito Riga Seoul Tunis Utrecht Vienna'.split(' ');
/** Questions about a thing and a place each, with answers that name both. */
const texts = Array.from({ length: 60 }, (_, n) => {
  const [thing, place] = [THINGS[n % 12] as string, PLACES[Math.floor(n / 6)] as string];
  return row(
    `Where did the merchant number ${n + 100} sell the ${thing}, and how many did he take to ${place}?`,
    `Merchant ${n + 100} sold every ${thing} at the market of ${place}, and took ${(n * 37) % 91} of them along.`,
  );
});
const withAnswers = (sourceOf: (n: number) => number): WitnessedRow[] =>
  texts.map((each, n) => ({ ...each, completion: (texts[sourceOf(n)] as WitnessedRow).completion }));
const flaggedIn = async (rows: readonly WitnessedRow[]): Promise<number[]> =>
  (await witness(rows)).flatMap((finding, n) => (finding === null ? [] : [n]));

const SPORT = 'goal match league coach striker stadium referee penalty season trophy'.split(' ');
const BUSINESS = 'bank shares profit loan budget market tax export invoice dividend'.split(' ');
/** News of two topics with words of their own. With noise, every tenth has the label of the other. */
const labels = (noise: boolean): WitnessedRow[] =>
  Array.from({ length: 200 }, (_, n) => {
    const isSport = n % 2 === 0;
    const words = isSport ? SPORT : BUSINESS;
    const said = [n, n * 3 + 1, n * 7 + 2, (n >> 2) + 3, (n >> 3) * 3 + 4, (n >> 4) + 5].map(
      (at) => words[(at >> 1) % 10],
    );
    return row(`News: ${said.join(' ')} ${n % 2}`, isSport !== (noise && n % 20 > 17) ? 'Sport' : 'Business');
  });

describe('answers of other rows', () => {
  it('an answer that was exchanged is found, with its home and the better answer', async () => {
    const rows = withAnswers((n) => (n === 7 ? 31 : n === 31 ? 7 : n));
    const findings = await witness(rows);

    expect(findings.flatMap((finding, n) => (finding === null ? [] : [n]))).toEqual([7, 31]);
    expect(findings[7]).toMatchObject({
      witness: 'neighbours',
      says: 'wrong',
      kind: 'answer_of_other_row',
      better: texts[7]?.completion,
    });
    expect(findings[7]?.reason).toContain('row 31');
    expect(findings[7]?.score).toBeGreaterThan(0.5);
  });

  it('a column whose answers all lie one row too early is found whole', async () => {
    expect((await flaggedIn(withAnswers((n) => (n + 1) % 60))).length).toBeGreaterThan(55);
  });

  it('a column is found shifted from the row on where a line is missing', async () => {
    const flagged = await flaggedIn(withAnswers((n) => (n < 30 ? n : Math.min(59, n + 1))));

    expect(flagged.length).toBeGreaterThan(25);
    expect(Math.min(...flagged)).toBeGreaterThanOrEqual(30);
  });

  it('a copy of another row’s answer is found', async () => {
    expect(await flaggedIn(withAnswers((n) => (n === 12 ? 45 : n)))).toEqual([12]);
  });

  it('right rows are not flagged', async () => {
    expect(await flaggedIn(texts)).toEqual([]);
  });

  it('a column whose answers all are those of random rows says nothing', async () => {
    expect(await flaggedIn(withAnswers((n) => (n * 23 + 7) % 60))).toEqual([]);
  });

  it('bare numbers as answers say nothing', async () => {
    expect(await flaggedIn(texts.map((each, n) => row(each.prompt, String((n * 17) % 83))))).toEqual([]);
  });
});

describe('labels', () => {
  it('labels that contradict those of similar rows are found, with the better label and neighbours', async () => {
    const findings = await witness(labels(true));
    const flagged = findings.flatMap((finding, n) => (finding === null ? [] : [n]));

    expect(flagged.length).toBeGreaterThan(15);
    expect(flagged.filter((n) => n % 20 < 18)).toEqual([]);
    expect(findings[18]).toMatchObject({ kind: 'label_contradicted', better: 'Sport' });
    expect(findings[18]?.reason).toMatch(
      /^Similar rows are labelled “Sport”, such as row \d+ \(“News: .+”\) and row/,
    );
  });

  it('right labels are not flagged', async () => {
    expect(await flaggedIn(labels(false))).toEqual([]);
  });

  it('letters of options that do not depend on the topic say nothing', async () => {
    const rows = labels(false).map(({ prompt }, n) => row(prompt, 'ABCD'.charAt(((n * n + 3 * n) % 7) % 4)));

    expect(await flaggedIn(rows)).toEqual([]);
  });
});

describe('equal questions', () => {
  const known = THINGS.map((thing, n) => row(`How many legs does the ${thing} have?`, String(n)));

  it('the rarer of the answers to one question is flagged', async () => {
    const question = 'What is the capital of Norway?';
    const rows = [
      ...known,
      row(question, 'Oslo'),
      row('Please, what is the capital of norway', 'oslo.'),
      row(question, 'Bergen'),
    ];
    const findings = await witness(rows);

    expect(findings.flatMap((finding, n) => (finding === null ? [] : [n]))).toEqual([14]);
    expect(findings[14]).toMatchObject({ kind: 'answered_differently', better: 'Oslo' });
  });

  it('a tie is said of both rows, more weakly and without a better answer', async () => {
    const rows = [...known, row('Is iron a metal?', 'yes'), row('Is iron a metal?', 'no')];
    const findings = await witness(rows);

    expect([findings[12]?.kind, findings[13]?.kind]).toEqual([
      'answered_differently',
      'answered_differently',
    ]);
    expect(findings[12]?.score).toBeLessThan(0.5);
    expect(findings[12]?.better).toBeUndefined();
  });

  it('a part of the other answer is no other answer', async () => {
    expect(
      await flaggedIn([
        ...known,
        row('Where is the tower?', 'Paris'),
        row('Where is the tower?', 'Paris, France'),
      ]),
    ).toEqual([]);
  });

  it('questions that differ in a sign or a number are different', async () => {
    const rows = [
      ...known,
      row('3 + 4 =', '7'),
      row('3 - 4 =', '-1'),
      row('Is 1.5 odd?', 'no'),
      row('Is 15 odd?', 'yes'),
    ];

    expect(await flaggedIn(rows)).toEqual([]);
  });

  it('a prompt that asks for any example says nothing', async () => {
    const rows = THINGS.flatMap((thing) => [
      row('Name a thing.', thing),
      row('Name a place.', `${thing} hall`),
    ]);

    expect(await flaggedIn(rows)).toEqual([]);
  });
});

describe('datasets that cannot be judged', () => {
  it.each<[string, WitnessedRow[]]>([
    ['no row', []],
    ['one row', [row('a', 'b')]],
    ['two rows', [row('a question', 'an answer'), row('other', 'none')]],
    ['one class', labels(false).map(({ prompt }) => row(prompt, 'Sport'))],
    ['the same row a hundred times', Array.from({ length: 100 }, () => row('the same', 'the same answer'))],
    ['empty answers', texts.map(({ prompt }) => row(prompt, ' '))],
    ['empty prompts', texts.map(({ completion }) => row('', completion))],
  ])('of a dataset with %s nothing is said', async (_, rows) => {
    const findings = await witness(rows);

    expect(findings).toEqual(rows.map(() => null));
  });

  it('no text makes it throw', async () => {
    const strange = [
      '\ud800',
      '\u0000',
      '́'.repeat(5000),
      '日本語の文',
      '(a+)+$',
      '__proto__',
      '{"a":',
      '🧨'.repeat(999),
    ];
    const rows = texts.map((each, n) =>
      row(`${strange[n % 8]} ${each.prompt}`, `${each.completion} ${strange[(n + 3) % 8]}`),
    );

    expect((await witness([...rows, ...strange.map((text) => row(text, text))])).length).toBe(68);
  });

  it('vectors that are no numbers, empty or of several lengths say nothing', async () => {
    const broken: Embed = async (all) =>
      all.map((_, n) => (n % 3 === 0 ? new Float32Array(4).fill(Number.NaN) : new Float32Array(n % 3)));
    const none: Embed = async () => [];

    for (const port of [broken, none]) {
      const findings = await createNeighboursWitness({ embed: port })(labels(true));
      expect(findings.every((finding) => finding === null)).toBe(true);
    }
  });

  it('an aborted signal ends it', async () => {
    await expect(witness(texts, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
