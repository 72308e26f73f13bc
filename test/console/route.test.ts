import { expect, test } from 'vitest';
import { hrefOf, parseRoute } from '../../console/src/route.ts';

test('a place survives its way through the address bar', () => {
  const path = ['datasets', 'a/b ?#%é', 'rows'];
  const { path: read, query } = parseRoute(
    hrefOf(path, { search: 'x & y=ü', row: 7, code: null, language: '' }),
  );

  expect(read).toEqual(path);
  expect([...query]).toEqual([
    ['search', 'x & y=ü'],
    ['row', '7'],
  ]);
});

test.each([
  ['', []],
  ['#', []],
  ['#/', []],
  ['#/datasets', ['datasets']],
  ['#datasets//x', ['datasets', 'x']],
  ['#/%zz', ['%zz']],
])('the fragment %j is read as %j', (fragment, path) => {
  expect(parseRoute(fragment).path).toEqual(path);
});
