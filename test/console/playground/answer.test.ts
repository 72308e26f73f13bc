import { describe, expect, test } from 'vitest';
import {
  type Answer,
  afterEvent,
  answerOf,
  approvalsOf,
  marksOf,
  NO_ANSWER,
  sourcesOf,
} from '../../../console/src/playground/answer.ts';

const grown = (...events: unknown[]): Answer => events.reduce(afterEvent, NO_ANSWER) as Answer;

const started = { type: 'response.created', response: { id: 'resp_1' } };
const added = (at: number, item: object) => ({ type: 'response.output_item.added', output_index: at, item });
const message = { type: 'message', id: 'msg', content: [] };
const delta = (at: number, text: string, part = 0) => ({
  type: 'response.output_text.delta',
  output_index: at,
  content_index: part,
  delta: text,
});
const citation = { type: 'file_citation', dataset_id: 'd', filename: 'Handbook', row: 3, index: 4 };

test('a stream of events grows a text, part by part', () => {
  const answer = grown(started, added(0, message), delta(0, 'Hel'), delta(0, 'lo'), delta(0, 'World', 1));

  expect(answer).toMatchObject({ id: 'resp_1', status: 'streaming' });
  expect(answer.items).toEqual([
    {
      kind: 'message',
      texts: [
        { text: 'Hello', citations: [] },
        { text: 'World', citations: [] },
      ],
    },
  ]);
});

test('a stream of events keeps a refusal, reasoning and a search at their places', () => {
  const answer = grown(
    started,
    added(0, { type: 'reasoning', summary: [], content: [] }),
    { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'I think.' },
    added(1, { type: 'file_search_call', status: 'in_progress', queries: ['stain'], results: null }),
    { type: 'response.file_search_call.searching', output_index: 1 },
    added(2, message),
    { type: 'response.refusal.delta', output_index: 2, content_index: 0, delta: 'No.' },
  );

  expect(answer.items).toEqual([
    { kind: 'reasoning', text: 'I think.' },
    { kind: 'search', status: 'searching', queries: ['stain'], results: [] },
    { kind: 'message', texts: [{ text: 'No.', citations: [] }] },
  ]);
});

test('a stream of events adds citations of rows, and leaves those of other things out', () => {
  const annotated = (annotation: object) => ({
    type: 'response.output_text.annotation.added',
    output_index: 0,
    content_index: 0,
    annotation,
  });
  const answer = grown(
    added(0, message),
    delta(0, 'See [1].'),
    annotated(citation),
    annotated({ type: 'url_citation', url: 'https://example.com' }),
  );

  expect(answer.items[0]).toMatchObject({
    texts: [{ citations: [{ datasetId: 'd', datasetName: 'Handbook', row: 3, index: 4 }] }],
  });
});

test('a stream of events ends with the whole response, whatever came before', () => {
  const answer = grown(started, added(0, message), delta(0, 'Hal'), {
    type: 'response.completed',
    response: {
      id: 'resp_1',
      status: 'completed',
      output: [{ ...message, content: [{ type: 'output_text', text: 'Hello', annotations: [] }] }],
      usage: { input_tokens: 5, output_tokens: 2 },
    },
  });

  expect(answer).toEqual({
    id: 'resp_1',
    status: 'completed',
    items: [{ kind: 'message', texts: [{ text: 'Hello', citations: [] }] }],
    usage: { input: 5, output: 2 },
    problem: null,
  });
});

test('a stream of events says why it failed', () => {
  expect(
    grown(started, {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'The model broke.' } },
    }),
  ).toMatchObject({ status: 'failed', problem: 'The model broke.' });
  expect(grown(started, { type: 'error', message: 'Overloaded.' })).toMatchObject({
    status: 'failed',
    problem: 'Overloaded.',
  });
});

test.each([
  null,
  'text',
  {},
  { type: 'response.of_the_future', output_index: 0 },
  delta(7, 'nowhere'),
  { type: 'response.output_text.delta', output_index: -1, delta: 'x' },
])('a stream of events is not changed by an event that it does not know: %j', (event) => {
  const before = grown(started, added(0, message), delta(0, 'Hello'));

  expect(afterEvent(before, event)).toEqual(before);
});

test('a stream of events does not grow without limit by the number of a part', () => {
  const answer = grown(added(0, message), delta(0, 'x', 1_000_000_000));

  expect(answer.items).toEqual([{ kind: 'message', texts: [] }]);
});

test('a whole response that was cut off says what to do', () => {
  const answer = answerOf({
    id: 'resp_1',
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [],
    usage: null,
  });

  expect(answer).toMatchObject({ status: 'incomplete', usage: null });
  expect(answer.problem).toContain('as many tokens as you allowed');
});

test('calls of tools and unknown items are shown with what they have', () => {
  const answer = answerOf({
    status: 'completed',
    output: [
      { type: 'mcp_list_tools', server_label: 'weather', tools: [{ name: 'forecast' }], error: null },
      {
        type: 'mcp_call',
        server_label: 'weather',
        name: 'forecast',
        arguments: '{}',
        status: 'failed',
        error: '503',
      },
      { type: 'web_search_call', id: 'ws' },
    ],
  });

  expect(answer.items).toMatchObject([
    { kind: 'tools', server: 'weather', names: ['forecast'], error: null },
    { kind: 'call', name: 'forecast', output: null, error: '503' },
    { kind: 'other', type: 'web_search_call' },
  ]);
});

test('the calls that wait for a person are found', () => {
  const request = {
    type: 'mcp_approval_request',
    id: 'apr_1',
    server_label: 'mail',
    name: 'send',
    arguments: '{}',
  };

  expect(approvalsOf(answerOf({ status: 'completed', output: [request, message] }))).toEqual([
    { kind: 'approval', id: 'apr_1', server: 'mail', name: 'send', arguments: '{}' },
  ]);
});

describe('citations', () => {
  const cited = { datasetId: 'd', datasetName: 'Handbook', row: 3, index: 4 };

  test('citations belong to the mark at their place', () => {
    const other = { ...cited, row: 9, index: 8 };

    expect(marksOf({ text: 'See [1] [12].', citations: [cited, other] })).toEqual(
      new Map([
        [1, cited],
        [12, other],
      ]),
    );
  });

  test('citations at the end of a text have no mark', () => {
    expect(marksOf({ text: 'See [1]', citations: [{ ...cited, index: 7 }] }).size).toBe(0);
  });

  test('citations are listed once for each row', () => {
    const other = { ...cited, row: 9 };

    expect(sourcesOf([cited, other, { ...cited, index: 20 }])).toEqual([cited, other]);
  });
});
