import { afterAll, expect, test } from 'vitest';
import { programValues, pythonJob, pythonScore } from '#shared/evals/decide/python-job.ts';
import type { TemplateValues } from '#shared/evals/decide/template.ts';
import { createWorkerSandbox } from '#shared/witnesses/adapters/worker-sandbox.ts';

const sandbox = createWorkerSandbox({ milliseconds: 20_000 });
afterAll(() => sandbox.close());

const values = {
  item: { answer: 'Zürich "1"\n\u2028 😀', tags: [1, null, true] },
  sample: { output_text: 'yes', output_json: { n: 3 } },
};
const score = async (source: string, of: TemplateValues = values) =>
  pythonScore(await sandbox.run(pythonJob(source, programValues(of) ?? '')));

test('the program of a grader gets sample and item as they are, and its number is the score', async () => {
  expect(await score('def grade(sample, item):\n    return 0.25')).toBe(0.25);
  expect(await score('def grade(sample, item):\n    return sample["output_json"]["n"]')).toBe(3);
  expect(await score(`def grade(sample, item):\n    return len(item["answer"])`)).toBe(14);
  const long = { item: { answer: '語"'.repeat(80_000) }, sample: {} };
  expect(await score(`def grade(sample, item):\n    return len(item["answer"])`, long)).toBe(160_000);
  expect(await score('def grade(sample, item):\n    print("noise")\n    return item["tags"][2]')).toBe(1);
}, 60_000);

test('a row that is longer than a program is given has no lines of Python', () => {
  expect(programValues({ item: { text: 'a'.repeat(249_000) }, sample: {} })).not.toBeNull();
  expect(programValues({ item: { text: 'a'.repeat(250_000) }, sample: {} })).toBeNull();
});

test.each([
  ['raises', 'def grade(sample, item):\n    return item["missing"]', 'KeyError'],
  ['returns no number', 'def grade(sample, item):\n    return "good"', 'no score'],
  ['does not compile', 'def grade(sample', 'invalid'],
  ['has no function', 'x = 1', 'no score'],
  ['reads a file', 'def grade(sample, item):\n    return open("/etc/passwd").read()', 'no score'],
])(
  'a program that %s has no score, and says why',
  async (_, source, words) => {
    expect(await score(source)).toContain(words);
  },
  60_000,
);
