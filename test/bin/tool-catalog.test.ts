import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadToolCatalog } from '../../bin/tool-catalog.ts';

async function fileOf(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'catalog-')), 'tools.json');
  await writeFile(path, text);
  return path;
}

const entry = { server_label: 'weather', name: 'Weather', description: '', url: 'https://weather.test/mcp' };

test('an installation without a catalog offers no tools', async () => {
  expect(await loadToolCatalog(undefined)).toEqual([]);
  expect(await loadToolCatalog('')).toEqual([]);
});

test('the catalog is what the file says', async () => {
  const catalog = await loadToolCatalog(await fileOf(JSON.stringify([entry])));

  expect(catalog).toEqual([expect.objectContaining({ ...entry, auth: 'none', enabled: true })]);
});

test.each([
  ['not JSON', '[', 'is not JSON'],
  ['no list', '{}', 'expected array'],
  ['without an address', JSON.stringify([{ ...entry, url: undefined }]), 'url'],
  ['with a key that there is not', JSON.stringify([{ ...entry, token: 'x' }]), 'token'],
])('a file that is %s is refused by name', async (_what, text, named) => {
  const path = await fileOf(text);

  await expect(loadToolCatalog(path)).rejects.toThrow(path);
  await expect(loadToolCatalog(path)).rejects.toThrow(named);
});

test('a file that is not there is refused by name', async () => {
  await expect(loadToolCatalog('/nowhere/tools.json')).rejects.toThrow('/nowhere/tools.json');
});
