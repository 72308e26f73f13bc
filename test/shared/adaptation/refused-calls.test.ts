import { beforeAll, expect, test } from 'vitest';
import { adaptRow } from '#shared/adaptation/adapt-row.ts';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import type { WorkedRow } from '#shared/adaptation/decide/reuse.ts';
import { failingAlone } from '#shared/adaptation/decide/row-program.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { createArbiter } from '#shared/judging/decide/arbiter.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { ModelOutage } from '#shared/models/decide/ask-model.ts';
import { ModelError, type ModelFailureKind } from '#shared/models/decide/port.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';
import { specification } from '#test/helpers/specification.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const GOOD = 'Go to bed at the same hour every day, and keep screens out of the bedroom.';
const BETTER = 'Go to bed at the same hour every day, keep screens out of the bedroom, and keep it cool.';
const THIRD = 'Keep your bedroom dark, cool and quiet, and get up at the same time each day.';
const REWORDED = 'How can I sleep better at night?';

/** Answers each kind of call of a row; the call number `refused`, from 1 on, or all end in an error of `kind`. */
function model(refused: number | 'all' | null, kind: ModelFailureKind) {
  let calls = 0;
  return replying(({ messages, temperature }) => {
    calls += 1;
    if (refused === 'all' || calls === refused) return new ModelError(kind, 'refused');
    const [system, asked] = [messages[0], messages.at(-1)].map((message) => message?.content ?? '');
    return replyTo(system ?? '', asked ?? '', temperature);
  });
}

function replyTo(system: string, asked: string, temperature: number): string {
  if (/^You rewrite requests/.test(system) || /^You write the request that/.test(system)) return REWORDED;
  if (/^You write down the reasoning/.test(system)) return 'Regular hours set the clock of the body.';
  if (/^You are a strict judge/.test(system)) {
    const isSecond = asked.indexOf(BETTER) > Math.max(asked.indexOf(GOOD), asked.indexOf(THIRD));
    return `{"winner": "${isSecond ? 'B' : 'A'}"}`;
  }
  if (/yes or no/.test(asked)) return '{"answer": "yes"}';
  return temperature > 0.5 ? THIRD : BETTER;
}

/** Adapts a row; the call number `refused` ends in an error. */
async function adapt(
  row: Record<string, string>,
  overrides: Partial<AdaptationSpecification>,
  refused: number | 'all' | null,
  kind: ModelFailureKind = 'rejected',
) {
  const { client, requests } = model(refused, kind);
  const rows = createRowProgram({
    specification: specification({
      mapping: { prompt: 'prompt', completion: 'completion', context: [] },
      ...overrides,
    }),
    rewriteModel: client,
    answerModel: client,
    arbiter: createArbiter({ judge: client, calibration: calibrationOf('m'), detectLanguage }),
    detectLanguage,
    contextTokensMax: 4096,
    readImageFile: async () => null,
    fetchImage: async () => null,
  });
  const program = failingAlone(rows);
  const asking = askingInTests();
  const cells = readCells(JSON.stringify(row), program.columns);
  const result = await asking.clock.run(adaptRow({ program }, 0, cells, asking));
  return { result, calls: requests.length };
}

const PAIRS = { training_type: 'preference_pairs' } as const;
const INFERRED: Partial<AdaptationSpecification> = {
  mode: 'completion_only',
  mapping: { completion: 'completion', context: [] },
};
const SOUND = { prompt: 'How can I sleep better?', completion: GOOD };
const THIN = { prompt: 'How can I sleep better?', completion: 'go to bed' };
const CARELESS_SOUND = { prompt: 'how to sleep better', completion: GOOD };

/** What becomes of a row if no call is refused, then if its first call is, then its second, and so on. */
async function outcomes(
  row: Record<string, string>,
  overrides: Partial<AdaptationSpecification>,
): Promise<string[]> {
  const undisturbed = await adapt(row, overrides, null);
  const told = [briefly(undisturbed.result)];
  for (let refused = 1; refused <= undisturbed.calls; refused += 1) {
    const { result } = await adapt(row, overrides, refused);
    if (result.outcome === 'kept') {
      expect(result.cells).toMatchObject({
        enhanced_prompt: row.prompt,
        enhanced_completion: row.completion,
      });
    }
    told.push(briefly(result));
  }
  return told;
}

function briefly({ outcome, reason, cells, edit }: WorkedRow): string {
  const pair = cells?.chosen === undefined ? '' : cells.chosen === null ? ', no pair' : ', pair';
  return `${outcome}: ${edit?.kind ?? reason?.code ?? 'prompt'}${pair}`;
}

const FAILED = 'failed: model_rejected';
const STAYS = 'kept: no_better_answer';
const REWRITTEN = 'changed: rewritten';

/** Rows with the calls that each of them takes. */
const CASES: [string, Record<string, string>, Partial<AdaptationSpecification>, string[]][] = [
  // The new wording.
  ['with a careless prompt', CARELESS_SOUND, { prompt_rephrase: true }, [FAILED]],
  // The new answer, and the judge twice.
  ['that a blueprint steers', SOUND, { blueprint: 'Speak like a doctor.' }, [FAILED, STAYS, STAYS]],
  // The new answer, two corrections of its length, and the judge twice.
  [
    'of another length than requested',
    SOUND,
    { length: 'concise' },
    [FAILED, REWRITTEN, REWRITTEN, STAYS, STAYS],
  ],
  // The new answer, and the judge twice.
  ['with a thin answer', THIN, {}, ['changed: completed', 'changed: completed', 'changed: completed']],
  // The trace.
  ['with a trace', SOUND, { reasoning_traces: true }, [FAILED]],
  // The new answer, a sample, and the judge four times. Without the new answer no two differ clearly.
  [
    'of pairs with a sound answer',
    SOUND,
    PAIRS,
    [FAILED, ...Array.from({ length: 5 }, () => `${REWRITTEN}, pair`)],
  ],
  [
    'of pairs with a thin answer',
    THIN,
    PAIRS,
    [
      ...Array.from({ length: 3 }, () => 'changed: completed, pair'),
      ...Array.from({ length: 3 }, () => `${REWRITTEN}, pair`),
    ],
  ],
  // Two votes that agree.
  [
    'without its short answer',
    { prompt: 'Is milk a liquid? Reply with yes or no.', completion: '' },
    {},
    [FAILED, 'changed: written'],
  ],
  ['without an answer', { ...SOUND, completion: '' }, {}, [FAILED]],
  ['without a prompt', { completion: GOOD }, INFERRED, [FAILED]],
];

test.each(CASES)(
  'a row %s fails only by a call that it needs, or if no call was answered',
  async (_, row, overrides, expected) => {
    const [undisturbed, ...refused] = await outcomes(row, overrides);

    expect(undisturbed).not.toContain('failed');
    expect(refused).toEqual(expected);
  },
);

test.each(CASES)('an outage at any call of a row %s is thrown', async (_, row, overrides, { length }) => {
  for (let refused = 1; refused <= length; refused += 1) {
    await expect(adapt(row, overrides, refused, 'misconfigured')).rejects.toThrow(ModelOutage);
  }
});

test.each([
  ['with a careless prompt', CARELESS_SOUND, { prompt_rephrase: true }],
  ['that a blueprint steers', SOUND, { blueprint: 'Speak like a doctor.' }],
] as const)(
  'a row %s fails if the model gives nothing usable: it may never do',
  async (_, row, overrides) => {
    const { result } = await adapt(row, overrides, 'all', 'garbage');

    expect(briefly(result)).toBe('failed: model_garbage');
  },
);

test('a row whose provider refuses all that it is asked fails, and keeps its texts', async () => {
  const { result, calls } = await adapt(THIN, { blueprint: 'Speak like a doctor.' }, 'all');

  expect(calls).toBeGreaterThan(0);
  expect(result).toMatchObject({
    outcome: 'failed',
    reason: { code: 'model_rejected', message: 'refused' },
    cells: { enhanced_prompt: THIN.prompt, enhanced_completion: THIN.completion },
  });
});

test('a row that asks nothing is kept, whatever its provider would do', async () => {
  const { result, calls } = await adapt(SOUND, {}, 'all');

  expect([calls, briefly(result)]).toEqual([0, 'kept: already_good']);
});
