import { expect, test } from 'vitest';
import { isWebAddress } from '../../console/src/web-address.ts';

test.each(['https://example.com/x?y#z', 'http://example.com', 'HTTPS://EXAMPLE.COM'])(
  'links lead to the web only: %s',
  (href) => {
    expect(isWebAddress(href)).toBe(true);
  },
);
test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:1',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'mailto:a@example.com',
  '//example.com',
  '#/credits',
  '/console',
  'a b',
  '',
])('links lead to the web only: not %j', (href) => {
  expect(isWebAddress(href)).toBe(false);
});
