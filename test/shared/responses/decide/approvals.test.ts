import { describe, expect, test } from 'vitest';
import {
  approvalIdOf,
  isAllowed,
  isProposed,
  namedTools,
  needsApproval,
  type ProposedCall,
} from '#shared/responses/decide/approvals.ts';
import type { ListedTool } from '#shared/responses/schema/listed-tool.ts';

const NONCE = '0123456789abcdef01234567';
const KEY = 'a signing key';
const call: ProposedCall = {
  team_id: 't',
  server_label: 'weather',
  server: 'https://weather.test/mcp',
  name: 'forecast',
  arguments: '{"city":"Rome"}',
};

test('the id of an approval is a nonce and a signature, and approves the call that was proposed', () => {
  const id = approvalIdOf(call, NONCE, KEY);

  expect(id).toMatch(new RegExp(`^mcpr_${NONCE}[0-9a-f]{40}$`));
  expect(isProposed(id, call, KEY)).toBe(true);
  expect(isProposed(id, { ...call }, KEY)).toBe(true);
});

test.each(Object.keys(call) as (keyof ProposedCall)[])(
  'the id of an approval approves no call with another %s',
  (name) => {
    expect(isProposed(approvalIdOf(call, NONCE, KEY), { ...call, [name]: 'another' }, KEY)).toBe(false);
  },
);

test('the id of an approval is not made by others, nor changed', () => {
  const id = approvalIdOf(call, NONCE, KEY);
  const other = `f${NONCE.slice(1)}`;
  const last = id.endsWith('0') ? '1' : '0';
  const wrong = [
    '',
    'mcpr_',
    approvalIdOf(call, NONCE, 'another key'),
    id.replace(NONCE, other),
    id.replace('mcpr_', 'mcpx_'),
    id.slice(0, -1),
    `${id}0`,
    `${id.slice(0, -1)}${last}`,
  ];

  expect(wrong.filter((given) => isProposed(given, call, KEY))).toEqual([]);
});

const tool = (name: string, readOnly?: unknown): ListedTool => ({
  name,
  description: null,
  input_schema: {},
  annotations: readOnly === undefined ? null : { readOnlyHint: readOnly },
});
const reading = tool('read', true);
const writing = tool('write', false);
const silent = tool('silent');
const tools = [reading, writing, silent];
const namesOf = (selected: readonly ListedTool[]) => selected.map(({ name }) => name);

test.each([
  [undefined, ['read', 'write', 'silent'], []],
  [null, ['read', 'write', 'silent'], []],
  [[], [], []],
  [['write'], ['write'], ['write']],
  [{}, [], []],
  [{ tool_names: ['write'] }, ['write'], ['write']],
  [{ read_only: true }, ['read'], []],
  // A tool that does not say that it only reads may write.
  [{ read_only: false }, ['write', 'silent'], []],
  [{ tool_names: ['read', 'write'], read_only: true }, ['read'], ['read', 'write']],
  [{ tool_names: ['write'], read_only: true }, [], ['write']],
])('the tools that may be called by %j are %j', (allowed, names, named) => {
  expect(namesOf(tools.filter((each) => isAllowed(allowed, each)))).toEqual(names);
  expect(namedTools(allowed)).toEqual(named);
});

test('the tools that may be called that call themselves read-only in other words than true are not', () => {
  for (const hint of ['true', 1, null]) {
    expect(isAllowed({ read_only: true }, tool('odd', hint))).toBe(false);
  }
});

describe('the tools that wait for an approval', () => {
  const waiting = (rule: Parameters<typeof needsApproval>[0], byDefault: 'always' | 'never' = 'never') =>
    namesOf(tools.filter((each) => needsApproval(rule, each, byDefault)));
  const all = ['read', 'write', 'silent'];

  test.each([undefined, null, {}])(
    'the tools that wait for an approval by %j are those of the default',
    (rule) => {
      expect(waiting(rule, 'always')).toEqual(all);
      expect(waiting(rule, 'never')).toEqual([]);
    },
  );

  test('the tools that wait for an approval are all or none, as one word says, whatever the default is', () => {
    expect(waiting('always', 'never')).toEqual(all);
    expect(waiting('never', 'always')).toEqual([]);
  });

  test.each([
    [{ always: { tool_names: ['write'] } }, ['write']],
    [{ never: { read_only: true } }, ['write', 'silent']],
    [{ always: { tool_names: ['write'] }, never: { tool_names: ['read'] } }, ['write', 'silent']],
    // Both name it: it waits.
    [{ always: { tool_names: ['read'] }, never: { read_only: true } }, all],
  ])('the tools that wait for an approval by %j are %j, whatever the default is', (rule, names) => {
    expect(waiting(rule, 'always')).toEqual(names);
    expect(waiting(rule, 'never')).toEqual(names);
  });
});
