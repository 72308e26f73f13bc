import { expect, it } from 'vitest';
import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { standAnswer } from '#shared/answers/decide/standing-answer.ts';
import { checkRow, type DeliveredRow } from '#shared/judging/decide/check-row.ts';

function check(
  prompt: string,
  before: string,
  after: string,
  row: Partial<Pick<DeliveredRow, 'hasOriginal' | 'result'>> = {},
) {
  const material = { history: [], context: [], completion: before };
  return checkRow({
    standing: standAnswer(material, prompt, { profile: NO_PROFILE, detectLanguage: () => null }),
    hasOriginal: true,
    after,
    result: {},
    ...row,
  });
}

const QUESTION = 'Why is the moon so bright when it is full?';
const SOUND =
  'A full moon is bright because the Sun lights all of the side that we see, 384000 km away. Its dust throws light back.';

it('the checks of a delivered row find nothing where the answer stayed', () => {
  expect(check(QUESTION, SOUND, `${SOUND}\n`)).toEqual({
    changed: false,
    has_original: true,
    before_defect: null,
    after_defect: null,
    harm: null,
  });
  expect(check(QUESTION, 'its the sun', 'its the sun')).toMatchObject({
    changed: false,
    before_defect: 'thin',
    after_defect: 'thin',
  });
});

it('the checks of a delivered row take an answer for the same from which only its reasoning was parted', () => {
  expect(check(QUESTION, `<think>Sunlight.</think>${SOUND}`, SOUND).changed).toBe(false);
});

it('the checks of a delivered row see what a sound answer lost', () => {
  const { harm, after_defect } = check(QUESTION, SOUND, SOUND.replace(', 384000 km away', ''));

  expect(after_defect).toBeNull();
  expect(harm).toBe('lost what the original states: 384000');
});

it('the checks of a delivered row let a fact go that a search may contradict, and no other', () => {
  const after = SOUND.replace('384000', '384400');
  const edit = { kind: 'corrected', evidence: 'consistent', words_kept: 0.9 } as const;

  expect(check(QUESTION, SOUND, after).harm).not.toBeNull();
  expect(check(QUESTION, SOUND, after, { result: { edit } }).harm).not.toBeNull();
  expect(
    check(QUESTION, SOUND, after, { result: { sources: [{ title: 'Moon', url: 'https://moon.test' }] } })
      .harm,
  ).toBeNull();
});

it('the checks of a delivered row do not call it harm where nothing sound was there', () => {
  expect(check('Describe the moon as JSON.', '{"cheese": maybe', '{"cheese": no')).toMatchObject({
    before_defect: 'form_broken',
    after_defect: 'form_broken',
    harm: null,
  });
  expect(check(QUESTION, '', SOUND)).toMatchObject({ changed: true, before_defect: 'empty', harm: null });
  expect(check(QUESTION, '', SOUND, { hasOriginal: false })).toMatchObject({
    changed: true,
    has_original: false,
    before_defect: null,
    after_defect: null,
    harm: null,
  });
});
