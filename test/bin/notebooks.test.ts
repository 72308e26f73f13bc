import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOTEBOOKS, notebookOf } from '#bin/notebooks.ts';
import { repositoryRoot } from '#local/paths.ts';
import { codeBlocks } from '#test/helpers/pages.ts';

const folder = join(repositoryRoot, 'examples/notebooks');

test('the notebooks are those that are written, and no others', () => {
  expect(readdirSync(folder).filter((name) => name.endsWith('.ipynb'))).toEqual(
    Object.keys(NOTEBOOKS).sort(),
  );
});

test.each(Object.entries(NOTEBOOKS))('%s holds what its tutorials say, without outputs', (name, pages) => {
  const text = readFileSync(join(folder, name), 'utf8');
  expect(text, 'npx tsx bin/notebooks.ts writes it').toBe(notebookOf(pages));

  const { cells } = JSON.parse(text) as {
    cells: { cell_type: string; source: string[]; outputs?: object[] }[];
  };
  const [, ...code] = cells.filter(({ cell_type }) => cell_type === 'code');
  const blocks = pages.flatMap((page) =>
    codeBlocks(readFileSync(join(repositoryRoot, `docs/tutorials/${page}.md`), 'utf8'), 'python'),
  );
  expect(code.map(({ source }) => `${source.join('')}\n`)).toEqual(blocks);
  expect(cells.every(({ outputs = [] }) => outputs.length === 0)).toBe(true);
});
