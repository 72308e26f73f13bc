import { expect, test } from 'vitest';
import { codeFault } from '#shared/answers/decide/lint/code.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

const block = (language: string, code: string): string =>
  `Like so:\n\n\`\`\`${language}\n${code}\n\`\`\`\nDone.`;

test.each([
  ['python', 'def f(x)\n    return x', 'has python code that does not parse (line 1)'],
  ['py', 'a = 1\nprint("a"', 'has py code that does not parse (line 3)'],
  ['python', 'if x:\npass', 'has python code that does not parse (line 2)'],
  ['js', 'const f = (a) => a +', 'has js code that does not parse (line 2)'],
  ['javascript', 'if (a) {\n  b();', 'has javascript code that does not parse (line 3)'],
  ['ts', 'interface A { b: }', 'has ts code that does not parse (line 1)'],
  ['json', '{"a": 1,}', 'has json code that is not valid JSON'],
])('%s %j does not parse', (language, code, fault) => {
  expect(codeFault(block(language, code))).toBe(fault);
});

test('a block that is not closed was cut off', () => {
  expect(codeFault('```python\nprint(1)')).toBe('has a block of code that is not closed');
});

test.each([
  ['python', 'async def f(a, /, *, b: int = 3) -> None:\n    async with g() as h:\n        yield f"{a!r}"'],
  ['python', 'match x:\n    case {"a": [1, *rest]}:\n        ...\n'],
  ['python', '>>> print(1)\n1'],
  ['python', '!pip install x\nimport x'],
  ['js', 'import a from "b";\nawait a?.c ?? d;\nclass A { #x = 1; static {} }'],
  ['js', 'const b = <div>{x}</div>;'],
  ['js', 'const a = {\n  ...\n};'],
  ['ts', 'let x: Array<number> = []; type A = keyof typeof x; enum E { A }'],
  ['tsx', 'const A = ({ b }: { b: string }) => <p>{b}</p>;'],
  ['json', '{"a": [1, 2.5e3, null]}'],
  ['json', '[1, 2, ...]'],
  ['ruby', 'def ('],
  ['', 'anything ('],
])('%s %j parses, or is not for us to say', (language, code) => {
  expect(codeFault(block(language, code))).toBeNull();
});

test('a block may begin in the middle of a line', () => {
  expect(codeFault('Like so: ```python\nprint(1)\n```\nand on.')).toBeNull();
  expect(codeFault('Like so: ```python\nprint(1\n```\nand on.')).toContain('does not parse');
});

test.each(['\n', ' ', '`', 'x`', '(', '( ', '[\n', '```\n', '"', '1,'])(
  'a long run of %j is read in time that grows as it does',
  (part) => {
    const elapsed = startStopwatch();
    codeFault(`a ${part.repeat(100_000)}\n`);
    codeFault(block('python', part.repeat(19_000 / part.length)));
    codeFault(block('python', part.repeat(50_000)));
    codeFault(block('json', part.repeat(50_000)));
    expect(elapsed()).toBeLessThan(3000);
  },
);

test('text without blocks, and inline code, have nothing to parse', () => {
  expect(codeFault('Use `if (` with care: ``` is a fence.')).toBeNull();
});
