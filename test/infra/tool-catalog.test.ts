import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { functionIds, functionName } from '#infra/names.ts';
import { permissionsOf } from '#infra/permissions.ts';
import { resourcesOf, synthesize, synthesizeWithAssets } from './synthesize.ts';

const entry = { server_label: 'weather', name: 'Weather', description: '', url: 'https://weather.test/mcp' };

function fileOf(content: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'catalog-')), 'tools.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** What lies in `tool-catalog.json` beside the code of each function of the API that has one, and the code's key. */
function deployed(environment: Record<string, string>) {
  const { api, pipelines, templateFiles } = synthesizeWithAssets('dev', environment);
  const folder = dirname(templateFiles[0] ?? '');
  return new Map(
    [api, pipelines]
      .flatMap((stack) => resourcesOf(stack, 'AWS::Lambda::Function'))
      .map(([, { Properties }]) => {
        const { S3Key: key } = Properties.Code as { S3Key: string };
        const file = join(folder, `asset.${key.replace('.zip', '')}`, 'tool-catalog.json');
        const tools: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
        return [String(Properties.FunctionName), { key, tools }] as const;
      }),
  );
}
const told = functionIds
  .filter((id) => permissionsOf(id).toolCatalog === true)
  .map((id) => functionName('dev', id));

describe('the tool servers of an installation', () => {
  const without = deployed({});
  const one = deployed({ TOOL_CATALOG: fileOf([entry]) });
  const other = deployed({ TOOL_CATALOG: fileOf([{ ...entry, enabled: false }]) });

  it('the tool servers of an installation are deployed to the functions that are told of them, and to no others', () => {
    expect(told).toHaveLength(5);
    for (const [name, { tools }] of one) {
      const whole = {
        ...entry,
        auth: 'none',
        default_require_approval: 'never',
        required_scope: 'responses',
      };
      expect(tools, name).toEqual(told.includes(name) ? [{ ...whole, enabled: true }] : null);
    }
  });

  it('the tool servers of an installation are deployed anew where the file has changed, and nothing else is', () => {
    const changed = [...one].filter(([name, { key }]) => other.get(name)?.key !== key).map(([name]) => name);

    expect(changed.sort()).toEqual([...told].sort());
    expect(other.get(told[0] ?? '')?.tools).toMatchObject([{ enabled: false }]);
  });

  it('the tool servers of an installation are none without a file', () => {
    expect([...without.values()].every(({ tools }) => tools === null)).toBe(true);
  });
});

test.each([
  ['not JSON', '[', 'cannot be read as JSON'],
  ['no list', {}, 'expected array'],
  ['without an address', [{ ...entry, url: undefined }], 'url'],
  ['with a key that there is not', [{ ...entry, token: 'x' }], 'token'],
])('a file that is %s is refused by name', (_what, content, named) => {
  const path = fileOf(content);

  expect(() => synthesize('dev', { TOOL_CATALOG: path })).toThrow(path);
  expect(() => synthesize('dev', { TOOL_CATALOG: path })).toThrow(named);
});

test('a file that is not there is refused by name', () => {
  expect(() => synthesize('dev', { TOOL_CATALOG: '/nowhere/tools.json' })).toThrow(
    'TOOL_CATALOG names /nowhere/tools.json',
  );
});
