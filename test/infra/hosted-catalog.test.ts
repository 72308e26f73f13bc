import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '#infra/config.ts';

const load = (environment: Record<string, string>) =>
  loadConfig(() => undefined, { MODEL_ID: 'main', ...environment }).model.hosted;

function catalog(content: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'catalog-')), 'models.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

it('the models that answer callers are the model of the role, or the one of all roles', () => {
  expect(load({})).toEqual([{ id: 'main' }]);
  expect(load({ MODEL_ID_RESPOND: 'own' })).toEqual([{ id: 'own' }]);
});

it('the models that answer callers are further ones, each once, with what the catalog says of them', () => {
  const path = catalog([
    { id: 'other', display_name: 'Other' },
    { id: 'main', input_credits: 0.2, output_credits: 1.255 },
  ]);

  expect(load({ RESPOND_MODELS: 'second,main', RESPOND_CATALOG: path })).toEqual([
    { id: 'main', input_credits: 0.2, output_credits: 1.255 },
    { id: 'second' },
    { id: 'other', display_name: 'Other' },
  ]);
});

it.each([
  ['is no JSON', '[{', /RESPOND_CATALOG names .* cannot be read/],
  ['is no list', {}, /RESPOND_CATALOG names .* no list of hosted models/],
  ['has a field that nobody knows', [{ id: 'a', price: 1 }], /price/],
  ['has a price finer than the ledger counts', [{ id: 'a', input_credits: 0.0001 }], /input_credits/],
  ['names a stack', [{ id: 'stack:a' }], /"stack:a"/],
  ['is larger than functions can be told', [{ id: 'a'.repeat(2000) }], /2025 bytes/],
])('the models that answer callers are refused where the catalog %s', (_, content, message) => {
  expect(() => load({ RESPOND_CATALOG: catalog(content) })).toThrow(message);
});

it('the models that answer callers are refused where no role could name them all, on Amazon Bedrock alone', () => {
  const profiles = Array.from({ length: 20 }, (_, n) => `us.anthropic.claude-sonnet-${n}-20250929-v1:0`);
  const settings = { RESPOND_MODELS: profiles.join() };

  expect(() => load(settings)).toThrow(/leave models out of RESPOND_MODELS/);
  expect(load({ ...settings, MODEL_BASE_URL: 'http://models.example/v1' })).toHaveLength(21);
});

it('the models that answer callers are refused where the catalog is missing', () => {
  expect(() => load({ RESPOND_CATALOG: '/nowhere.json' })).toThrow(/RESPOND_CATALOG names \/nowhere.json/);
});
