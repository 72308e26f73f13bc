import { beforeAll, expect, test } from 'vitest';
import { adaptRow } from '#shared/adaptation/adapt-row.ts';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import { createRowExpander } from '#shared/adaptation/decide/expand-rows.ts';
import { failingAlone, type ProducedCells, type RowProgram } from '#shared/adaptation/decide/row-program.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { withSafety } from '#shared/adaptation/decide/with-safety.ts';
import { codeFault } from '#shared/answers/decide/lint/code.ts';
import { createRowLinter } from '#shared/answers/decide/lint/row-linter.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { learnProfile } from '#shared/answers/decide/row-material.ts';
import {
  columnsOfConversation,
  extendRow,
  readConversation,
} from '#shared/growth/decide/extend-conversation.ts';
import { createArbiter } from '#shared/judging/decide/arbiter.ts';
import { createSafetyScorer } from '#shared/judging/decide/safety/safety-scorer.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { NO_BUDGET } from '#shared/runs/decide/budget.ts';
import { rowsToMake } from '#shared/runs/rows-to-make.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';
import { specification } from '#test/helpers/specification.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const turnsOf = (value: string): string =>
  `[{"role":"user","content":"q"},{"role":"assistant","content":"a","x":${value}}]`;
const nested = (open: string, inner: string, close: string, depth: number): string =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`;

/** Texts that nest or repeat so many times. */
const textsOf = (times: number): string[] => [
  nested('[', '', ']', times),
  nested('{"a":', '1', '}', times),
  nested('[', '', '', times),
  nested('(', '1', ')', times),
  turnsOf(nested('[', '', ']', times)),
  turnsOf(JSON.stringify(nested('[', '', ']', times))),
  JSON.stringify([
    { role: 'user', content: 'q' },
    { role: 'assistant', content: nested('{"a":', '1', '}', times) },
  ]),
  `[{"from":"human","value":"q"},{"from":"function_call","value":${JSON.stringify(
    `{"name":"f","arguments":${nested('[', '', ']', times)}}`,
  )}},{"from":"gpt","value":"a"}]`,
  `\`\`\`json\n${nested('[', '', ']', times)}\n\`\`\``,
  `\`\`\`python\n${nested('(', '1', ')', times)}\n\`\`\``,
  `<think>${nested('[', '', ']', times)}</think>\n${nested('[', '', ']', times)}`,
  '\u0301'.repeat(times),
  'e\u0301'.repeat(times),
  '\ufdfa'.repeat(times),
];

const MODES: Readonly<Record<string, Partial<AdaptationSpecification>>> = {
  'prompts and completions': {
    mapping: { prompt: 'prompt', completion: 'completion', context: ['context'] },
  },
  prompts: { mode: 'prompt_only', mapping: { prompt: 'prompt', context: [] } },
  completions: { mode: 'completion_only', mapping: { completion: 'completion', context: [] } },
  'one prompt for all rows': {
    mode: 'universal_prompt',
    mapping: { universal_prompt: 'Say it.', completion: 'completion', context: ['prompt'] },
  },
  conversations: { mode: 'chat', mapping: { chat: 'completion', context: [] } },
};
const RECIPES: Partial<AdaptationSpecification> = {
  prompt_rephrase: true,
  reasoning_traces: true,
  prompt_metadata_injection: true,
  blueprint: 'Speak like a doctor.',
  length: 'concise',
};
const SETTINGS: readonly Partial<AdaptationSpecification>[] = [
  {},
  RECIPES,
  { ...RECIPES, training_type: 'preference_pairs' },
];
const RECORD_OF = (text: string) => [
  { prompt: text, completion: 'The answer is 12.', context: 'c' },
  { prompt: 'How many are there?', completion: text, context: text },
];

function programOf(overrides: Partial<AdaptationSpecification>, lines: readonly string[], reply: string) {
  const { client } = replying(() => reply);
  const own = specification(overrides);
  const program = failingAlone(
    createRowProgram({
      specification: own,
      rewriteModel: client,
      answerModel: client,
      arbiter: createArbiter({ judge: client, calibration: calibrationOf('m'), detectLanguage }),
      detectLanguage,
      profile: learnProfile(lines, own, detectLanguage),
      contextTokensMax: 10_000_000,
      readImageFile: async () => null,
      fetchImage: async () => null,
    }),
  );
  const scorer = createSafetyScorer({ judge: null, embedder: null, detectLanguage });
  return withSafety(program, { categories: ['hate'], blanks_violations: true }, scorer, own);
}

interface MadeRow {
  readonly row: number;
  readonly outcome: string;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly calls: number;
  readonly cells?: ProducedCells;
}

const TIMES = [50, 5_000, 500_000] as const;
const CASES = TIMES.flatMap((times) =>
  Object.entries(MODES).map(([name, mode]) => [times, name, mode] as const),
);

test.each(CASES)(
  'a row with a text of %i repetitions fails alone, whatever its run does with %s',
  { timeout: 120_000 },
  async (times, _name, mode) => {
    for (const text of textsOf(times)) {
      for (const row of RECORD_OF(text)) {
        const line = JSON.stringify(row);
        // The largest texts take seconds of each setting.
        for (const settings of times === 500_000 ? SETTINGS.slice(-1) : SETTINGS) {
          const program = programOf(
            { ...mode, ...settings },
            [line],
            times === 500_000 ? 'An answer.' : text,
          );
          const asking = askingInTests();
          const { outcome } = await asking.clock.run(
            adaptRow({ program }, 0, readCells(line, program.columns), asking),
          );
          expect(['changed', 'kept', 'failed', 'dropped']).toContain(outcome);
        }
      }
    }
  },
);

const SCHEMAS: readonly Record<string, unknown>[] = [
  { const: [] },
  { enum: [[], { a: 1 }] },
  { type: 'object', additionalProperties: { const: 1 } },
];

test.each(TIMES)(
  'a row with a text of %i repetitions is checked for everything',
  { timeout: 120_000 },
  (times) => {
    for (const answer_schema of SCHEMAS) {
      const paths = { checks: 'c', benchmarks: 'b', answer_schema: 'a' };
      const benchmarks = ['one two three four five six seven eight'];
      const linter = createRowLinter(
        specification(),
        { checks: undefined, benchmarks, answer_schema },
        paths,
        codeFault,
      );
      for (const row of textsOf(times).flatMap(RECORD_OF)) {
        expect(Array.isArray(linter.row(new Map(Object.entries(row))))).toBe(true);
      }
    }
  },
);

test.each(TIMES)(
  'a row with a text of %i repetitions is made into others, or fails alone',
  { timeout: 120_000 },
  async (times) => {
    const conversation = { kind: 'chat', chat: 'completion' } as never;
    for (const text of textsOf(times)) {
      const { client: model } = replying(() => (times === 500_000 ? 'Das ist ein Text.' : text));
      const options = { model, detectLanguage, contextTokensMax: 10_000_000 };
      const expander = createRowExpander({
        ...options,
        columns: ['prompt', 'completion'],
        type: 'translate',
      });
      for (const row of RECORD_OF(text)) {
        const rows = rowsToMake<MadeRow, object>({
          lines: [JSON.stringify(row)],
          budget: NO_BUDGET,
          known: () => ({}),
          async make(line, index, asking, meter) {
            const cells = readCells(line, columnsOfConversation(conversation));
            const turns = readConversation(conversation, cells);
            if (!('code' in turns)) await extendRow(options, turns, asking, meter);
            const target = { language: 'de', country: null };
            const { cells: made } = await expander.expand(row, target as never, asking, meter);
            return { outcome: `made ${index}`, cells: made };
          },
          parse: (value) => value as MadeRow,
        });
        const asking = askingInTests();
        const { outcome } = (await asking.clock.run(rows.work(JSON.stringify(row), 0, asking))) as {
          outcome: string;
        };
        expect(['made 0', 'failed']).toContain(outcome);
      }
    }
  },
);

const overflow = (): never => {
  throw new RangeError('Maximum call stack size exceeded');
};

test('a row that exhausts the stack fails with a reason of its own, where it is adapted and where rows are made of it', async () => {
  const program: RowProgram = {
    columns: [],
    original: () => ({ enhanced_prompt: 'p' }),
    run: overflow,
  };
  const rows = rowsToMake<MadeRow, object>({
    lines: ['{}'],
    budget: NO_BUDGET,
    known: () => ({}),
    make: overflow,
    parse: (value) => value as MadeRow,
  });

  const failed = { outcome: 'failed', reason: { code: 'row_unreadable' } };
  expect(await adaptRow({ program }, 0, new Map(), askingInTests())).toMatchObject({
    ...failed,
    cells: { enhanced_prompt: 'p' },
  });
  expect(await rows.work('{}', 0, askingInTests())).toMatchObject(failed);
});

test('an error that is no text’s is thrown, since it is a fault of the service', async () => {
  const rows = rowsToMake<MadeRow, object>({
    lines: ['{}'],
    budget: NO_BUDGET,
    known: () => ({}),
    make: () => Promise.reject(new TypeError('a fault')),
    parse: (value) => value as MadeRow,
  });

  await expect(rows.work('{}', 0, askingInTests())).rejects.toThrow('a fault');
});
