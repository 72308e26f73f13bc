import { expect, test } from 'vitest';
import { removeDescriptions } from '#bin/build/without-descriptions.ts';

test.each([
  ["z.string().describe('An id.').min(1)", 'z.string().min(1)'],
  ['z.int().meta({ id: "Row", example: [")"] }).describe(`a ${b}`)', 'z.int()'],
  [
    "z.object({ a: Id.describe('In.') }).meta({ example: { a: f('x').describe('y') } })",
    'z.object({ a: Id })',
  ],
  [
    "z.string().regex(/\\.describe\\('/, 'no .describe(x)')",
    "z.string().regex(/\\.describe\\('/, 'no .describe(x)')",
  ],
  ['describe(z.string())', 'describe(z.string())'],
])('%s becomes %s', (source, rest) => {
  expect(removeDescriptions(`const A = ${source};\ntype A = z.infer<typeof A>;\n`)).toBe(
    `const A = ${rest};\ntype A = z.infer<typeof A>;\n`,
  );
});

test('a source that the grammar does not know fails', () => {
  expect(() => removeDescriptions('const A = z.string(;')).toThrow(SyntaxError);
});
