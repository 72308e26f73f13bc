import { expect, test } from 'vitest';
import { readPage, tableRows } from '#test/helpers/pages.ts';
import { EXIT } from '../../clients/typescript/src/cli/io.ts';
import { createProgram } from '../../clients/typescript/src/cli/program.ts';

const page = readPage('docs/clients.md');

function rowsUnder(heading: RegExp): string[] {
  const [, section = ''] = page.split(heading);
  return tableRows(section.split(/\n## /)[0] ?? '').map(([first = '']) => first);
}

test('the page names every route of openapi.json that it says is not covered', () => {
  const { paths } = JSON.parse(readPage('openapi.json')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const routes = rowsUnder(/### What the public client does not cover/).map((cell) =>
    cell.replaceAll('`', '').split(' '),
  );

  expect(routes.length).toBeGreaterThan(20);
  expect(
    routes.filter(([method = '', path = '']) => paths[path]?.[method.toLowerCase()] === undefined),
  ).toEqual([]);
});

test('the page names every command and exit code', () => {
  const cells = rowsUnder(/\n## Command line\n/);
  const commands = cells.flatMap((cell) => [...cell.matchAll(/`([a-z]+) ?/g)].map(([, name]) => name));
  const io = { writeOut: () => undefined, writeError: () => undefined } as unknown as Parameters<
    typeof createProgram
  >[0];

  expect(commands.sort()).toEqual(
    createProgram(io)
      .commands.map((command) => command.name())
      .sort(),
  );
  expect(cells.filter((cell) => /^\d+$/.test(cell)).map(Number)).toEqual(Object.values(EXIT));
});
