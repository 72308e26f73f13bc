import { expect, test } from 'vitest';
import { problemOfAnswer } from '../../../console/src/review/editor.tsx';
import {
  gradeWords,
  leftWords,
  lookWords,
  recordWords,
  verdictsWords,
  whyWords,
} from '../../../console/src/review/words.ts';
import { doubtTone, doubtWords, likelyWords, witnessWords } from '../../../console/src/ui/doubt-words.ts';

test('the probability that a row is wrong is told as words and as a number', () => {
  expect(doubtWords({ probability: 0.87 })).toBe('probably wrong, 87 %');
  expect([1, 0.9, 0.7, 0.5, 0.2, 0.1].map(likelyWords)).toEqual([
    'almost surely wrong',
    'almost surely wrong',
    'probably wrong',
    'rather wrong than right',
    'possibly wrong',
    'probably right',
  ]);
  expect([0.7, 0.5, 0.1].map((probability) => doubtTone({ probability }))).toEqual(['bad', 'warn', 'idle']);
});

test('a witness and a reason that the page does not know are told by their codes', () => {
  expect(witnessWords('neighbours')).toBe('Similar rows');
  expect(witnessWords('crystal_ball')).toBe('crystal ball');
  expect(whyWords('same_mood' as 'same_text')).toBe('same mood');
});

test('a look is told with how many rows each witness saw, and with who was silent', () => {
  const look = {
    status: 'done' as const,
    ...{ program: 1200, execution: 3, neighbours: 900, not_looked_at: 0, not_listed: 0 },
    silent: [],
  };
  expect(lookWords(look)).toBe('1,200 rows checked, 3 run as code, 900 compared with the others.');
  const silent = [{ witness: 'neighbours' as const, code: 'failed' as const, message: 'It failed.' }];
  expect(lookWords({ ...look, not_looked_at: 7, silent })).toContain('7 looked at by nobody. It failed.');
  expect(lookWords({ ...look, not_listed: 5000 })).toContain('5,000 doubted beyond the most doubtful');
  expect(lookWords({ ...look, status: 'looking' })).toContain('comes first once they have looked');
  expect(lookWords({ ...look, status: 'new_status' as 'none' })).toBe('new status');
});

test('the grade is told with its interval, and with that of the witnesses alone', () => {
  const grade = {
    score: 7.8,
    grade: 'B' as const,
    score_interval: [7.12, 8.4] as [number, number],
    verdicts: 20,
  };
  expect(gradeWords({ ...grade, without_verdicts: { score: 8.1, score_interval: [6, 9.5] } })).toEqual({
    now: 'Grade B: 7.8 of 10, between 7.1 and 8.4',
    note: 'Without verdicts 8.1 of 10, between 6 and 9.5 (the paler bar).',
  });
  expect(gradeWords({ ...grade, without_verdicts: null }).note).toContain('95 %');
  // Witnesses alone know no facts.
  expect(gradeWords({ ...grade, verdicts: 0, without_verdicts: null })).toEqual({
    now: 'No grade yet',
    note: expect.stringMatching(/ expect 7\.8 of 10, between 7\.1 and 8\.4\.$/),
  });
});

test('what a witness is worth on this dataset is told beside what was expected of it', () => {
  const record = {
    rows: 24,
    share_wrong: 0.71,
    share_interval: [0.51, 0.85] as [number, number],
    share_stated: 0.86,
  };
  expect(recordWords({ witness: 'neighbours', kind: 'label_contradicted', ...record })).toBe(
    'Similar rows (label contradicted): 71 % of 24 rows wrong, 86 % expected',
  );
  expect(recordWords({ witness: 'model', kind: null, ...record, rows: 1 })).toMatch(
    /^[^(]+: 71 % of 1 row wrong/,
  );
});

test('the counter and the verdicts are told in plain words', () => {
  expect([0, 1, 1200].map(leftWords)).toEqual([
    'No row left worth a look',
    '1 row left worth a look',
    '1,200 rows left worth a look',
  ]);
  const counts = { right: 3, wrong: 1, mended: 2, disputed: 0, stale: 0 };
  expect(verdictsWords(counts)).toBe('3 right, 1 wrong, 2 mended');
  expect(verdictsWords({ ...counts, disputed: 1, stale: 2 })).toBe(
    '3 right, 1 wrong, 2 mended, 1 disputed, 2 of rows that changed since',
  );
});

test('an edit is refused here that says nothing new', () => {
  expect(problemOfAnswer(' ', { completion: 'a' })).toContain('Type');
  expect(problemOfAnswer('a', { completion: 'a' })).toContain('as it is');
  expect(problemOfAnswer('b', { completion: 'a' })).toBeUndefined();
});
