import { expect, test } from 'vitest';
import { parseHeaders } from '#shared/telemetry/decide/headers.ts';

test.each([
  ['unset', {}],
  ['', {}],
  ['authorization=Bearer%20a%2Cb', { authorization: 'Bearer a,b' }],
  ['X-Team=1, x-key = a=b==\n', { 'x-team': '1', 'x-key': 'a=b==' }],
])('headers are read from %j', (secret, headers) => {
  expect(parseHeaders(secret)).toEqual(headers);
});

test.each([
  'key',
  '=value',
  'a b=c',
  'key=%zz',
  'key=a%0Ab',
  'key=%C3%A4',
  'a=b,,c=d',
  '{"authorization":"a"}',
])('headers are refused without being repeated: %j', (secret) => {
  expect(() => parseHeaders(secret)).toThrow(
    'The secret with the headers of telemetry must be name=value, with commas between pairs.',
  );
});
