import { expect, test } from 'vitest';
import { removeDescriptions } from '#bin/build/without-descriptions.ts';

test.each([
  ["z.string().describe('An id.').min(1)", '/* @__PURE__ */ z.string().min(1)'],
  ['z.int().meta({ id: "Row", example: [")"] }).describe(`a ${b}`)', '/* @__PURE__ */ z.int()'],
  [
    "z.object({ a: Id.describe('In.') }).meta({ example: { a: f('x').describe('y') } })",
    '/* @__PURE__ */ z.object({ a: /* @__PURE__ */ Id })',
  ],
  [
    "z.string().regex(/\\.describe\\('/, 'no .describe(x)')",
    "/* @__PURE__ */ z.string().regex(/\\.describe\\('/, 'no .describe(x)')",
  ],
  ['describe(z.string())', '/* @__PURE__ */ describe(/* @__PURE__ */ z.string())'],
  [
    'z.array(A.describe("a"), z.int())',
    '/* @__PURE__ */ z.array(/* @__PURE__ */ A, /* @__PURE__ */ z.int())',
  ],
  [
    'z.custom((value) => isA(value)).refine(function () { note(); })',
    '/* @__PURE__ */ z.custom((value) => isA(value)).refine(function () { note(); })',
  ],
])('%s becomes %s', (source, rest) => {
  expect(removeDescriptions(`const A = ${source};\ntype A = z.infer<typeof A>;\n`)).toBe(
    `const A = ${rest};\ntype A = z.infer<typeof A>;\n`,
  );
});

test('a call that stands for its effect keeps it', () => {
  const source = 'register(z.string());\nfunction f() {\n  const a = note();\n}\n';

  expect(removeDescriptions(source)).toBe(source);
});

test('a source that the grammar does not know fails', () => {
  expect(() => removeDescriptions('const A = z.string(;')).toThrow(SyntaxError);
});
