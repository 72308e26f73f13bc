import { beforeAll, expect, test } from 'vitest';
import { type ApiDocument, describeCatalog } from '#shared/mcp/decide/describe-catalog.ts';
import { toolDeclarations } from '#shared/mcp/decide/tools.ts';
import { Catalog } from '#shared/mcp/schema/catalog.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { catalogOfTests } from '#test/helpers/mcp-catalog.ts';
import { readPage } from '#test/helpers/pages.ts';

/** All tools with their schemas, as an agent reads them before its first call. */
const LISTING_CHARACTERS_MAX = 64_000;

let catalog: Catalog;
beforeAll(async () => {
  catalog = Catalog.parse(await catalogOfTests());
});

const documentWithout = (path: string): ApiDocument => {
  const document = JSON.parse(readPage('openapi.json')) as ApiDocument;
  return {
    ...document,
    paths: Object.fromEntries(Object.entries(document.paths).filter(([each]) => each !== path)),
  };
};

test('every schema of a tool stands alone: what it refers to is in it', () => {
  for (const { name, input_schema } of catalog.tools) {
    const text = JSON.stringify(input_schema);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
    const { $defs = {} } = input_schema as { $defs?: object };

    expect(
      references.filter((to) => !Object.hasOwn($defs, to.replace('#/$defs/', ''))),
      name,
    ).toEqual([]);
  }
});

test('an answer of a tool can be kept, so that the next one goes on from it', () => {
  const { input_schema } = catalog.tools.find(({ name }) => name === 'answer') ?? {};

  expect(input_schema).toMatchObject({ properties: { store: {}, previous_response_id: {}, truncation: {} } });
});

test('a list of all tools is short enough to be read before each task', () => {
  const listed = catalog.tools.map(({ name, title, description, input_schema }) => [
    name,
    title,
    description,
    input_schema,
  ]);

  expect(JSON.stringify(listed).length).toBeLessThan(LISTING_CHARACTERS_MAX);
});

test('every tool whose endpoint may cost credits requires a bound, or cannot cost any', () => {
  const free = new Set(['estimate_adaptation', 'train_model', 'cancel_run']);
  const costing = catalog.tools.filter(({ endpoint: { function_id } }) => {
    const contract = contracts.find(({ id }) => `api/${id.replaceAll('.', '/')}` === function_id);
    return !/^Costs no credits|^The reading/.test(contract?.credits ?? '');
  });

  expect(costing.length).toBeGreaterThanOrEqual(6);
  expect(
    costing.filter(({ name, required }) => !free.has(name) && !required.includes('max_credits')),
  ).toEqual([]);
  const train = catalog.tools.find(({ name }) => name === 'train_model');
  expect(train?.input_schema.properties).toBeDefined();
  expect(train?.input_schema.properties).not.toHaveProperty('augmentation_domain_rows');
});

test('the guide and the page about agents name tools that there are, and the page names all of them', () => {
  const page = readPage('docs/agents.md');
  const local = ['upload_file', 'save_rows'];
  const tools = [...catalog.tools.map(({ name }) => name), ...local];
  const called = [...catalog.guide.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name);
  const arguments_ = new Set([
    ...catalog.tools.flatMap(({ input_schema }) => Object.keys((input_schema.properties ?? {}) as object)),
    ...['awaiting_input', 'error_data', 'rows_min', 'best_win_rate', 'content_hash'],
  ]);

  expect(tools.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(called.length).toBeGreaterThan(15);
  expect(called.filter((name) => !tools.includes(name) && !arguments_.has(name))).toEqual([]);
});

test('a tool whose endpoint the document lacks fails the build', () => {
  expect(() =>
    describeCatalog(documentWithout('/api/v1/datasets/{dataset_id}/adapt'), contracts, ''),
  ).toThrow('has no POST /api/v1/datasets/{dataset_id}/adapt');
});

test('tools have one name each', () => {
  expect(new Set(toolDeclarations.map(({ name }) => name)).size).toBe(toolDeclarations.length);
});
