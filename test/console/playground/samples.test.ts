import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { EMPTY_PROMPT, requestOf } from '../../../console/src/playground/request.ts';
import { sampleOf } from '../../../console/src/playground/samples.ts';

const URL_OF_SERVICE = 'https://api.example/prod';
const ODD = 'It\'s "$HOME" `id` \\ $(id) \u202Eevil\u2028\n${1}';
const request = requestOf(
  {
    ...EMPTY_PROMPT,
    input: ODD,
    ownServer: { label: 'own', url: 'https://tools.example/mcp', authorization: 'Bearer secret' },
  },
  'qwen3-4b',
);

/** The arguments that a shell hands to curl. */
function curlArguments(sample: string): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${sample}`;
  return execFileSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { ADAPTION_API_KEY: 'pt_live_key', TOOL_AUTHORIZATION: 'Bearer of the tool', HOME: '/home/x' },
  }).split('\0');
}

describe('the sample for curl', () => {
  const handed = curlArguments(sampleOf('curl', URL_OF_SERVICE, request));

  test('the sample for curl sends the key of the environment', () => {
    expect(handed).toContain('https://api.example/prod/api/v1/responses');
    expect(handed).toContain('Authorization: Bearer pt_live_key');
  });

  test('the sample for curl sends exactly the request: a shell reads nothing in a prompt', () => {
    expect(JSON.parse(handed[handed.indexOf('--data') + 1] ?? '')).toEqual({
      ...request,
      tools: [{ ...request.tools?.[0], authorization: 'Bearer of the tool' }],
    });
  });
});

test('the sample for Python has the literals of Python, and the key in the environment', () => {
  expect(sampleOf('Python', URL_OF_SERVICE, requestOf({ ...EMPTY_PROMPT, input: 'Hi' }, 'qwen3-4b'))).toBe(
    [
      'import os',
      'from openai import OpenAI',
      '',
      'client = OpenAI(base_url="https://api.example/prod/api/v1", api_key=os.environ["ADAPTION_API_KEY"])',
      'with client.responses.create(',
      '    model="qwen3-4b",',
      '    input="Hi",',
      '    max_output_tokens=1000,',
      '    stream=True,',
      ') as events:',
      '    for event in events:',
      '        if event.type == "response.output_text.delta":',
      '            print(event.delta, end="", flush=True)',
    ].join('\n'),
  );
});

test('the sample for TypeScript makes the same request', () => {
  const sample = sampleOf('TypeScript', URL_OF_SERVICE, request);
  const made: unknown[] = [];
  const body = sample
    .replace(/^import.*$/m, '')
    .replace('await client', 'client')
    .replace(/for await[\s\S]*$/, '');
  class OpenAI {
    readonly options: unknown;
    readonly responses = { create: (sent: unknown) => made.push(this.options, sent) };
    constructor(options: unknown) {
      this.options = options;
    }
  }
  const env = { ADAPTION_API_KEY: 'pt_live_key', TOOL_AUTHORIZATION: 'Bearer of the tool' };
  new Function('OpenAI', 'process', body)(OpenAI, { env });

  expect(made).toEqual([
    { baseURL: 'https://api.example/prod/api/v1', apiKey: 'pt_live_key' },
    { ...request, tools: [{ ...request.tools?.[0], authorization: 'Bearer of the tool' }] },
  ]);
});

test.each(['curl', 'Python', 'TypeScript'] as const)(
  'the sample for %s has no secret, and shows characters that nobody would see',
  (language) => {
    const sample = sampleOf(language, URL_OF_SERVICE, request);

    expect(sample).not.toContain('secret');
    expect(sample).toContain('TOOL_AUTHORIZATION');
    expect(sample).toContain('\\u202eevil');
    expect(sample).not.toMatch(/[\u202E\u2028\0]/);
  },
);
