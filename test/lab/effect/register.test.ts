import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadRows } from '#lab/effect/load-rows.ts';
import type { LabModels } from '#lab/effect/program.ts';
import {
  checkOf,
  countChecks,
  measureRegister,
  ownRegister,
  type RegisterRow,
  readRegister,
  totalOf,
  treatTouched,
} from '#lab/effect/register.ts';
import { describeRegister, describeTreated } from '#lab/effect/register-report.ts';
import { askingInTests } from '#test/helpers/replying-model.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'register-'));
});

afterEach(() => rm(folder, { recursive: true }));

const rows: RegisterRow[] = [
  ...Array.from({ length: 12 }, (_, n) => ({
    prompt: `Is ${n} odd? Answer Yes or No.`,
    completion: n % 2 === 1 ? 'Yes' : 'No',
    right: true,
    set: 'odd',
  })),
  { prompt: 'Is 13 odd? Answer Yes or No.', completion: 'yes.', right: true, set: 'odd' },
  { prompt: 'How many are 3 and 4?', completion: '3 + 4 = 8', right: false },
];

async function fileOf(lines: readonly unknown[]): Promise<string> {
  const file = join(folder, 'public.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

test('rows are datasets by their set, and those without one by their file', async () => {
  const datasets = await readRegister([await fileOf(rows)]);

  expect([...datasets].map(([set, { length }]) => [set, length])).toEqual([
    ['public/odd', 13],
    ['public', 1],
  ]);
});

test('a line that is no row is named', async () => {
  const file = await fileOf([rows[0], { prompt: 'Is it?', first: 'Yes', second: 'No' }]);

  await expect(readRegister([file])).rejects.toThrow(/public\.jsonl, line 2: no row \{prompt/);
});

test('changed and doubted rows are counted by set, side and check, and quoted', async () => {
  const register = await measureRegister(await readRegister([await fileOf(rows)]));

  expect(totalOf(register.sets, 'right')).toEqual({ rows: 13, changed: 1, doubted: 0 });
  expect(totalOf(register.sets, 'wrong')).toEqual({ rows: 1, changed: 0, doubted: 1 });
  expect(countChecks(register.touched)).toEqual([
    { check: 'form_broken: is not written as the other rows write it', right: 1, wrong: 0 },
    { check: 'doubtful: calculates wrongly', right: 0, wrong: 1 },
  ]);
  const described = describeRegister(register, true);
  expect(described).toContain('| public/odd | 13 | 1 | 0 | 0 | 0 | 0 |');
  expect(described).toContain('7.69 % change without a model and 0.00 % are doubted');
  expect(described).toContain('- completion: "yes."\n  - becomes: "Yes"');
  expect(described).toContain('completion: "3 + 4 = 8"');
});

test('with a model it says what that makes of each touched row', async () => {
  const datasets = await readRegister([await fileOf(rows)]);
  const model = {
    modelId: 'seven',
    generate: async () => ({
      text: '7',
      finishReason: 'stop' as const,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  };
  const models: LabModels = {
    rewrite: model,
    answer: model,
    judge: null,
    calibration: null,
    embedder: null,
    contextTokensMax: 8192,
  };
  const treated = await treatTouched(await measureRegister(datasets), datasets, models, askingInTests());

  expect(treated.map(({ completion }) => completion)).toEqual(['Yes', '7']);
  expect(describeTreated(treated, 'seven')).toContain('changes 1 of 1 right ones and 1 of 1 wrong ones');
});

test('a check is named without the words and numbers of the row', () => {
  const seen = { outcome: 'doubted', form: 'open', fallback: null } as const;

  expect(
    checkOf({
      ...seen,
      defect: 'wrong_language',
      why: 'is in another language (fr) than it is asked for (en)',
    }),
  ).toBe('wrong_language: is in another language than it is asked for');
  expect(checkOf({ ...seen, defect: 'cut_off', why: 'stops at day 5 of 7' })).toBe(
    'cut_off: stops at day n of n',
  );
});

test('no right row of the laboratory is changed or doubted', async () => {
  const { sets } = await measureRegister(ownRegister(await loadRows()));

  expect(totalOf(sets, 'right')).toMatchObject({ changed: 0, doubted: 0 });
  expect(totalOf(sets, 'right').rows).toBeGreaterThan(200);
  expect(totalOf(sets, 'wrong').doubted).toBeGreaterThan(60);
});
