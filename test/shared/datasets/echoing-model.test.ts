import { beforeAll, describe, expect, test } from 'vitest';
import { handler as augment } from '#functions/api/datasets/augment.ts';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { describeDataset } from '#shared/datasets/describe-dataset.ts';
import { extendRow } from '#shared/growth/decide/extend-conversation.ts';
import { briefOf } from '#shared/growth/decide/invent/brief.ts';
import { inventRow } from '#shared/growth/decide/invent/invent-row.ts';
import type { Arbiter } from '#shared/judging/decide/arbiter.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { AskFailure, newCallMeter } from '#shared/models/decide/ask-model.ts';
import { fence, repeatsMarks } from '#shared/models/decide/fence.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { executeAugmentation } from '#test/helpers/augmenting.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';
import { createWorld } from '#test/helpers/world.ts';

/** What weak models do with a prompt: all of it, or a part, in words of their own. */
const echoes: Readonly<Record<string, (prompt: string) => string>> = {
  'its prompt': (prompt) => prompt,
  'a mark of it in a sentence': (prompt) =>
    `The answer is in <${/data-[0-9a-f]{6} \w+/.exec(prompt)?.[0]}> above.`,
  'the end of a mark': (prompt) =>
    `Of ${/data-[0-9a-f]{6} \w+>/.exec(prompt)?.[0]} this is what I know well.`,
};

/** A model that answers in the form that it is asked for, and says there what `echo` makes of the prompt. */
function echoing(echo: (prompt: string) => string): ModelClient {
  return replying(({ messages, jsonSchema }: GenerateRequest) => {
    const said = echo(messages.at(-1)?.content ?? '');
    if (jsonSchema === undefined) return said;
    const names = Object.keys((jsonSchema.schema as { properties?: object }).properties ?? {});
    return JSON.stringify(Object.fromEntries(names.map((name) => [name, `${name}: ${said}`])));
  }).client;
}

const arbiter: Arbiter = { compare: async () => ({ winner: 'second' }) as never };
let detectLanguage: LanguageDetector;
beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

test('a mark is told from what texts say of themselves', () => {
  expect(repeatsMarks(fence([{ name: 'request', text: 'Why?' }]))).toBe(true);
  expect(repeatsMarks('<div data-facade="1"> and data-decade are names of attributes')).toBe(false);
});

describe.each(Object.entries(echoes))('a model that repeats %s', (_, echo) => {
  const model = echoing(echo);

  test.each<[string, ColumnMapping, string]>([
    ['a prompt and a completion', { prompt: 'p', completion: 'c' }, 'instruction_dataset'],
    ['a completion', { prompt: 'p' }, 'instruction_dataset'],
    ['an inferred prompt', { completion: 'c' }, 'instruction_dataset'],
    ['a reply', { chat: 'turns' }, 'instruction_dataset'],
    [
      'an answer to one instruction',
      { universal_prompt: 'Say it shorter.', context: ['c'] },
      'instruction_dataset',
    ],
    ['a pair', { prompt: 'p', completion: 'c' }, 'preference_pairs'],
  ])(
    'a model that repeats the marks puts no mark into the cells of an adapted row: %s',
    async (_what, mapping, type) => {
      const dataset = { columns: null, image_column_formats: null, language_expansion: null };
      const recipes = { reasoning_traces: true, prompt_rephrase: true };
      const request = { training_type: type as 'preference_pairs', recipe_specification: { recipes } };
      const program = createRowProgram({
        specification: specificationOf(request, mapping, dataset, 'adapt'),
        rewriteModel: model,
        answerModel: model,
        arbiter,
        detectLanguage,
        contextTokensMax: 4096,
        readImageFile: async () => null,
        fetchImage: async () => null,
      });
      const turns =
        '[{"role":"user","content":"how to sleep"},{"role":"assistant","content":"go to bed erly becuase"}]';
      const line = JSON.stringify({
        p: 'how to sleep beter plese',
        c: 'you shud go to bed erly becuase',
        turns,
      });

      const verdict = await program
        .run(readCells(line, program.columns), askingInTests(), newCallMeter())
        .catch((error: unknown) => error);

      if (!(verdict instanceof AskFailure)) expect(repeatsMarks(JSON.stringify(verdict))).toBe(false);
    },
  );

  test('a model that repeats the marks invents no row with a mark, and continues no conversation with one', async () => {
    const options = {
      request: { training_type: 'instruction_dataset' as const, dataset_prompt: 'Questions on sleep' },
      rewriteModel: model,
      answerModel: model,
      scorer: { score: async () => ({ score: 9, criteria: {} }) },
      arbiter,
      detectLanguage,
    };
    const invented = await inventRow(
      options,
      briefOf('r', 1, ['medical.sleep']),
      1,
      askingInTests(),
      newCallMeter(),
    )
      .then(({ cells }) => JSON.stringify(cells ?? {}))
      .catch((error: unknown) => (error instanceof AskFailure ? '' : Promise.reject(error)));
    expect(repeatsMarks(invented)).toBe(false);

    const conversation = [
      { role: 'user' as const, content: 'How do I sleep better?' },
      { role: 'assistant' as const, content: 'Go to bed early.' },
    ];
    const extending = { model, detectLanguage, contextTokensMax: 4096 };
    const next = await extendRow(extending, conversation, askingInTests(), newCallMeter()).catch(
      (error: unknown) => (error instanceof AskFailure ? '' : Promise.reject(error)),
    );
    expect(repeatsMarks(next)).toBe(false);
  });

  test('a model that repeats the marks neither describes a dataset nor adds rows to it with a mark', async () => {
    const world = createWorld();
    const owner = await seedTeam(world.store, 100);
    const lines = Array.from(
      { length: 20 },
      (_line, n) => `{"question":"question ${n} on bread","answer":"answer ${n}"}`,
    );
    const source = await seedRows(world, owner, { question: 'VARCHAR', answer: 'VARCHAR' }, lines, {
      run_id: 'reading',
    });
    const { dataset_id } = source;

    await describeDataset(
      { datasets: world.store.datasets, objects: world.objects, model },
      { dataset_id, run_id: 'reading', now: Date.now() },
    );
    expect((await world.store.datasets.find(dataset_id))?.description ?? '').not.toMatch(/data-[0-9a-f]{6}/);

    const { body } = await world.call(augment, {
      as: owner,
      params: { dataset_id },
      body: { similar_rows: 3 },
    });
    await executeAugmentation(world, body.dataset_id ?? '', { writer: model });
    for (const key of world.objects
      .keys()
      .filter((each) => each.startsWith(`datasets/${body.dataset_id}/rows/`))) {
      expect(repeatsMarks(world.objects.text(key))).toBe(false);
    }
  });
});
