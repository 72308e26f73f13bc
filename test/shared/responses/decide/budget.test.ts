import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TurnItem } from '#shared/models/decide/turn.ts';
import { Budget, boundTokens, type CountedTurn } from '#shared/responses/decide/budget.ts';
import { countItemTokens } from '#shared/responses/decide/count-tokens.ts';

const turn = (changes: Partial<CountedTurn> = {}): CountedTurn => ({
  instructions: null,
  items: [],
  tools: [],
  providerTools: [],
  providerCallsMax: null,
  format: { type: 'text' },
  maxOutputTokens: null,
  ...changes,
});
const said = (text: string): TurnItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text }],
});

// A tokenizer that knows none of these has a token for each byte.
test.each(['plain words', '日本語の文', '🙂🙂🙂', '\u0000\u0001', 'é'.repeat(500)])(
  'the bound of a call is a token for each byte of %j, at least',
  (text) => {
    const least = Buffer.byteLength(text);
    const items: TurnItem[] = [
      said(text),
      { type: 'reasoning', text, encrypted: text },
      { type: 'tool_call', callId: 'c', name: text, arguments: text },
      { type: 'tool_result', callId: 'c', output: text },
      { type: 'provider_item', item: { text } },
    ];

    for (const item of items) {
      const { input_tokens: bound } = boundTokens(turn({ items: [item] }), 1000);
      expect(bound).toBeGreaterThanOrEqual(least);
      expect(bound).toBeGreaterThan(countItemTokens(item));
    }
    expect(boundTokens(turn({ instructions: text }), 1000).input_tokens).toBeGreaterThanOrEqual(least);
  },
);

test('the bound of a call has the tools and the format that the model is told', () => {
  const none = boundTokens(turn(), 1000).input_tokens;
  const parameters = { type: 'object', description: 'd'.repeat(300) };
  const tools = [{ name: 'look', description: null, parameters, strict: null }];
  const format = {
    type: 'json_schema',
    name: 'n',
    description: null,
    schema: parameters,
    strict: null,
  } as const;

  expect(boundTokens(turn({ tools }), 1000).input_tokens).toBeGreaterThan(none + 300);
  expect(boundTokens(turn({ format }), 1000).input_tokens).toBeGreaterThan(none + 300);
});

test('the bound of a call of what is written is the limit, and without one the context', () => {
  expect(boundTokens(turn({ maxOutputTokens: 50 }), 1000).output_tokens).toBe(50);
  expect(boundTokens(turn({ maxOutputTokens: 5000 }), 1000).output_tokens).toBe(1000);
  expect(boundTokens(turn(), 1000).output_tokens).toBe(1000);
});

test('the bound of a call with tools that the provider runs is the whole context for each of their calls, and once more', () => {
  const asked = turn({ providerTools: [{ type: 'web_search' }], providerCallsMax: 3 });

  expect(boundTokens(asked, 1000).input_tokens).toBe(4 * 1000);
});

/** Items of a provider with images at any depth, and how many they have. */
const withImages = fc.letrec<{ node: { whole: unknown; images: number } }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.string().map((text) => ({ whole: text as unknown, images: 0 })),
    fc
      .constantFrom(
        { type: 'input_image', image_url: 'https://public.example/a.png' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        { type: 'computer_screenshot', image_url: 'https://public.example/a.png' },
        { image_url: { url: 'https://public.example/a.png' } },
      )
      .map((whole) => ({ whole: whole as unknown, images: 1 })),
    fc.array(tie('node'), { maxLength: 4 }).map((nodes) => ({
      whole: nodes.map(({ whole }) => whole),
      images: nodes.reduce((sum, { images }) => sum + images, 0),
    })),
    tie('node').map(({ whole, images }) => ({ whole: { output: whole }, images })),
  ),
})).node;

test('the bound of a call has each image that an item of the provider brings, at any depth', () => {
  fc.assert(
    fc.property(withImages, ({ whole, images }) => {
      const item: TurnItem = {
        type: 'provider_item',
        item: { type: 'custom_tool_call_output', output: whole },
      };
      const { input_tokens: bound } = boundTokens(turn({ items: [item] }), 1000);
      const image: TurnItem = { type: 'message', role: 'user', content: [{ type: 'image', url: 'data:' }] };
      const none = boundTokens(turn(), 1000).input_tokens;
      const ofImage = boundTokens(turn({ items: [image, said('')] }), 1000).input_tokens - none;

      expect(bound).toBeGreaterThanOrEqual(images * (ofImage - 64));
    }),
  );
});

/** A budget of a model at a credit for each token, and what it reserves in microcredits. */
function budgetOf(creditsMax: number | null, contextTokens = 100_000) {
  const reserved: number[] = [];
  const price = { input_millicredits: 1_000_000, output_millicredits: 1_000_000 };
  const budget = new Budget(
    { id: 'm', price, contextTokens, toolPrices: new Map() } as never,
    { id: 'resp_1', usage: null } as never,
    async ({ microcredits }) => {
      reserved.push(microcredits);
      return { reserve: async () => {}, settle: async () => {}, release: async () => {} };
    },
    creditsMax,
  );
  return { budget, reserved };
}

test('a call that could cost more than max_credits is refused with what it could cost, and reserves nothing', async () => {
  const { budget, reserved } = budgetOf(50);

  await expect(budget.reserve(turn({ maxOutputTokens: 100 }))).rejects.toMatchObject({
    code: 'credits_insufficient',
    message: expect.stringMatching(/could cost 1\d\d credits, more than max_credits allows/),
  });
  expect(reserved).toEqual([]);
});

test('a call within max_credits is made, and one without a limit of tokens gets the default one if only that fits', async () => {
  const { budget, reserved } = budgetOf(10_000);
  expect((await budget.reserve(turn({ maxOutputTokens: 100 }))).maxOutputTokens).toBe(100);

  const limited = budgetOf(10_000);
  expect((await limited.budget.reserve(turn())).maxOutputTokens).toBe(4096);
  // What is reserved for the output is told, also where nothing limits it.
  expect((await budget.reserve(turn({ maxOutputTokens: 90 }))).outputTokensReserved).toBe(90);
  expect(await budgetOf(null, 50_000).budget.reserve(turn())).toMatchObject({
    maxOutputTokens: null,
    outputTokensReserved: 50_000,
  });
  expect([...reserved, ...limited.reserved].every((each) => each <= 10_000_000_000)).toBe(true);
  expect(reserved).toHaveLength(1);
});
