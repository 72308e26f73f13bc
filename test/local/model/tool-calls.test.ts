import { expect, it } from 'vitest';
import { parseChatRequest } from '#local/model/requests.ts';
import { type AnswerPiece, readTools } from '#local/model/tool-calls.ts';

const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Weather of a place.',
    parameters: { type: 'object', properties: { place: { type: 'string' } } },
  },
};
const now = { type: 'function', function: { name: 'now' } };
const question = { role: 'user', content: 'Weather?' };

const read = (fields: object) =>
  readTools(parseChatRequest({ model: 'm', messages: [question], tools: [weather, now], ...fields }));

/** The pieces of an answer that comes cut after every so many characters, texts put together. */
function piecesOf(answer: string, fields: object = {}, step = 1): AnswerPiece[] {
  const reader = read(fields).createReader();
  const pieces: AnswerPiece[] = [];
  for (let at = 0; at < answer.length; at += step) pieces.push(...reader.push(answer.slice(at, at + step)));
  pieces.push(...reader.flush());
  const joined: AnswerPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.type === 'text' && piece.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: last.text + piece.text };
    } else joined.push(piece);
  }
  return joined;
}

const text = (value: string) => ({ type: 'text', text: value });
const call = (place: string) => ({ type: 'call', name: 'weather', arguments: `{"place":"${place}"}` });
const tagged = (place: string) =>
  `<tool_call>\n{"name": "weather", "arguments": {"place": "${place}"}}\n</tool_call>`;

it('the tools of a request stand in the instructions, and calls and their results in the words of the model', () => {
  const { turns } = read({
    messages: [
      { role: 'system', content: 'Be kind.' },
      question,
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: ['a', 'b'].map((id) => ({
          id,
          type: 'function',
          function: { name: 'weather', arguments: '{"place": "Oslo"}' },
        })),
      },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
      { role: 'tool', tool_call_id: 'b', content: 'sun' },
    ],
  });

  expect(turns).toHaveLength(4);
  expect(turns[0]?.content).toMatch(/^Be kind\.\n\n# Tools[\s\S]*"description":"Weather of a place\."/);
  expect(turns[2]).toEqual({ role: 'assistant', content: `I look.\n${tagged('Oslo')}\n${tagged('Oslo')}` });
  expect(turns[3]).toEqual({
    role: 'user',
    content: expect.stringMatching(
      /^<tool_response>\nrain\n<\/tool_response>\n<tool_response>\nsun\n<\/tool_response>\n\nThese are/,
    ),
  });
});

it('the tools of a request are not mentioned where none may be called, and what looks like a call is text then', () => {
  const none = { tool_choice: 'none' };

  expect(read(none).turns).toEqual([question]);
  expect(piecesOf(tagged('Oslo'), none)).toEqual([text(tagged('Oslo'))]);
});

it('the tools of a request are forced by a grammar of all or of one, with the arguments that their schema allows', () => {
  const one = read({ tool_choice: { type: 'function', function: { name: 'weather' } } });
  const all = read({ tool_choice: 'required' });
  const form = (name: string, parameters: object) => ({
    type: 'object',
    properties: { name: { enum: [name] }, arguments: { type: 'object', ...parameters } },
    additionalProperties: false,
  });
  const ofWeather = form('weather', {
    properties: { place: { type: 'string' } },
    additionalProperties: false,
  });

  expect(one.format).toEqual({ schema: { oneOf: [ofWeather] } });
  expect(one.opening).toBe('<tool_call>\n');
  expect(all.format).toEqual({
    schema: { oneOf: [ofWeather, form('now', { properties: {}, additionalProperties: false })] },
  });
});

it('the tools of a request may be forced with any object where no grammar can hold the schema, unless it is strict', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string', pattern: 'x+' } } };
  const force = (strict: boolean) =>
    read({
      tools: [{ type: 'function', function: { name: 'a', parameters, strict } }],
      tool_choice: 'required',
    });

  expect(JSON.stringify(force(false).format)).toContain('"additionalProperties":true');
  expect(() => force(true)).toThrow(/pattern/);
});

it.each([
  ['a choice without tools', { tools: [], tool_choice: 'required' }, 'tool_choice'],
  [
    'a choice of a tool that is not there',
    { tool_choice: { type: 'function', function: { name: 'other' } } },
    'tool_choice',
  ],
  ['two tools of one name', { tools: [now, now] }, 'tools'],
  ['a form of the answer beside tools', { response_format: { type: 'json_object' } }, 'response_format'],
])('the tools of a request are refused with %s', (_, fields, parameter) => {
  expect(() => read(fields)).toThrow(expect.objectContaining({ status: 400, parameter }));
});

it.each([1, 7, 1000])(
  'an answer of a model with tools is text and calls, cut after every %i characters',
  (step) => {
    const answer = `I look.\n${tagged('Oslo')}\n${tagged('Rome')}\n`;

    expect(piecesOf(answer, {}, step)).toEqual([text('I look.'), call('Oslo'), call('Rome')]);
  },
);

it('an answer of a model with tools is shown as it comes, but for what may begin a call', () => {
  const reader = read({}).createReader();

  expect(reader.push('Two < three')).toEqual([text('Two < three')]);
  expect(reader.push(' and <tool')).toEqual([text(' and')]);
  expect(reader.push('s>')).toEqual([text(' <tools>')]);
});

it('an answer of a model with tools is a call also without its end, since the model may stop there', () => {
  expect(piecesOf(tagged('Oslo').replace('</tool_call>', ''))).toEqual([call('Oslo')]);
});

it.each([
  [
    'in a fence',
    '```json\n{\n  "name": "weather",\n  "arguments": {\n    "place": "Oslo"\n  }\n}\n```',
    ['Oslo'],
  ],
  ['alone', '{"name": "weather", "arguments": {"place": "Oslo"}}', ['Oslo']],
  [
    'several',
    '```json\n{\n  "name": "weather",\n  "arguments": {"place": "Oslo"}\n}\n{"name": "weather", "arguments": {"place": "Rome"}}\n```',
    ['Oslo', 'Rome'],
  ],
])('an answer of a model with tools is calls where it is nothing but their JSON, %s', (_, answer, places) => {
  expect(piecesOf(answer)).toEqual(places.map(call));
});

it.each([
  ['JSON of something else', '```json\n{"a": 1}\n```'],
  ['a tool that was not offered', '<tool_call>\n{"name": "other", "arguments": {}}\n</tool_call>'],
  ['a call that is broken off', '<tool_call>\n{"name": "weather", "argu'],
  ['code', '```js\nlet a = {};\n```'],
  ['space', ' \n '],
])('an answer of a model with tools stays text where it is %s', (_, answer) => {
  expect(piecesOf(answer)).toEqual([text(answer)]);
});

it('an answer of a model with tools that was forced is one call, or text where its tokens ran out', () => {
  const forced = { tool_choice: 'required' };

  expect(piecesOf('{"name":"weather","arguments":{"place":"Oslo"}}', forced)).toEqual([call('Oslo')]);
  expect(piecesOf('{"name":"weath', forced)).toEqual([text('{"name":"weath')]);
});
