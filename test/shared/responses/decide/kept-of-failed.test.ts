import { expect, test } from 'vitest';
import { FAILED_CHARACTERS_MAX, keptOfFailed } from '#shared/responses/decide/kept-of-failed.ts';
import type { OutputItem } from '#shared/responses/schema/response.ts';
import { makeResponse } from '#test/helpers/responses.ts';

const MEBI = 1024 * 1024;
const call = (id: string, characters: number, approval: string | null = null): OutputItem => ({
  type: 'mcp_call',
  id,
  status: 'completed',
  server_label: 'a',
  name: 'read',
  arguments: '{}',
  approval_request_id: approval,
  output: 'x'.repeat(characters),
  error: null,
});
const listing: OutputItem = {
  type: 'mcp_list_tools',
  id: 'mcpl_1',
  server_label: 'a',
  tools: [{ name: 'read', description: 'x'.repeat(MEBI), input_schema: {}, annotations: null }],
  error: null,
};
const search: OutputItem = {
  type: 'file_search_call',
  id: 'fs_1',
  status: 'completed',
  queries: ['x'],
  results: null,
};

test('a failed response with little of tools is kept as it is, with what was withheld', () => {
  const response = makeResponse({ status: 'failed', output: [call('mcp_1', MEBI), search] });
  const withheld = { fs_1: { results: [] } };

  expect(keptOfFailed(response, withheld)).toEqual({ response, withheld });
});

test('a failed response is kept without what failed calls say beyond the limit', () => {
  const failed = Array.from({ length: 12 }, (_, n): OutputItem => {
    const { output: _output, ...item } = call(`mcp_${n}`, 0) as Extract<OutputItem, { type: 'mcp_call' }>;
    return { ...item, status: 'failed', output: null, error: 'x'.repeat(MEBI) };
  });
  const kept = keptOfFailed(makeResponse({ status: 'failed', output: failed }), {});

  expect(JSON.stringify(kept).length).toBeLessThan(FAILED_CHARACTERS_MAX + 10_000);
});

test('a failed response with much of tools is kept without what is beyond the limit, and says so', () => {
  const output = [listing, ...Array.from({ length: 12 }, (_, n) => call(`mcp_${n}`, MEBI)), search];
  const response = makeResponse({ status: 'failed', output });
  const kept = keptOfFailed(response, {
    fs_1: { results: ['x'.repeat(MEBI)] },
    rs_1: { encrypted_content: 'e' },
  });

  expect(JSON.stringify(kept).length).toBeLessThan(FAILED_CHARACTERS_MAX + 10_000);
  expect(kept.response.output).toHaveLength(14);
  expect(kept.response.output.at(-2)).toMatchObject({
    output: null,
    error: expect.stringContaining('not kept'),
  });
  expect(kept.withheld).toEqual({ rs_1: { encrypted_content: 'e' } });
  expect(response.output.at(-2)).toMatchObject({ error: null });
});

test('what tools of the provider gave for a failed response is within the limit too, and calls without theirs say so', () => {
  const calls = ['outputs', 'results', 'result'].flatMap((field) =>
    Array.from({ length: 3 }, (_, n) => ({
      type: `${field}_call`,
      id: `${field}_${n}`,
      status: 'completed',
      [field]: 'x'.repeat(MEBI),
    })),
  );
  const response = makeResponse({ status: 'failed', output: [...calls, { ...search, id: 'fs_2' }] });
  const withheld = { fs_2: { results: ['x'.repeat(2 * MEBI)] }, outputs_0: { more: 'x' } };
  const kept = keptOfFailed(response, withheld);

  expect(JSON.stringify(kept).length).toBeLessThan(FAILED_CHARACTERS_MAX + 10_000);
  expect(kept.response.output[0]).toEqual(calls[0]);
  expect(kept.response.output.at(-1)).toMatchObject({ type: search.type, results: null, status: 'failed' });
  expect(kept.response.output.at(-2)).toMatchObject({ result: null, status: 'failed' });
  expect(kept.withheld).toEqual({ outputs_0: { more: 'x' } });
});

test('the outputs of approved calls are kept before all others, since these calls are made once', () => {
  const output = [call('mcp_1', MEBI), call('mcp_2', MEBI), call('mcp_3', MEBI, 'mcpr_1')];
  const kept = keptOfFailed(makeResponse({ status: 'failed', output }), {});

  const lengths = kept.response.output.map((item) => String('output' in item ? item.output : '').length);
  expect(lengths).toEqual([MEBI, 'null'.length, MEBI]);
});
