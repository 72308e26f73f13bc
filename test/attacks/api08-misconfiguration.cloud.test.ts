import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { storm } from '#test/helpers/attacking.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
let key = '';
let api: ApiClient;

beforeAll(async () => {
  key = await admin.createKey('probing', '--credits', '10');
  api = createApiClient(cloud.apiUrl, key);
});

const LEAKS =
  /\bat [\w./<>]+ ?\(|node_modules|\/var\/task|\.ts:\d|AccessDenied|arn:aws|DynamoDB|ECONN|undefined is not/;

describe('whatever is sent', () => {
  const odd = [
    '\u0000',
    '\ud800',
    '${jndi:ldap://127.0.0.1/a}',
    "' OR 1=1 --",
    '<script>alert(1)</script>',
    '{{7*7}}',
    '../../../../etc/passwd',
    '%00',
    '\r\nset-cookie: a=b',
    'a'.repeat(300),
  ];

  test.each(odd)('%j is no server error and reveals nothing of the inside', async (text) => {
    const answers = await storm(8, 8, (n) => {
      const tries: [string, string, unknown?, Record<string, string>?][] = [
        ['GET', `/api/v1/datasets/${encodeURIComponent(Buffer.from(text).toString())}`],
        [
          'GET',
          `/api/v1/datasets?name_contains=${encodeURIComponent(Buffer.from(text).toString())}&cursor=${encodeURIComponent(Buffer.from(text).toString())}`,
        ],
        ['POST', '/api/v1/datasets', { source: { name: text, file_format: text } }],
        ['POST', '/api/v1/datasets', { source: { url: text, files: [text] } }],
        ['POST', '/api/v1/responses', { model: text, input: text, previous_response_id: text }],
        ['POST', '/api/v1/datasets', `${text}`],
        ['POST', '/api/v1/datasets', text, { 'content-type': 'application/xml' }],
        [
          'POST',
          '/api/v1/datasets/upload/complete',
          { s3_key: text, name: text, file_format: 'csv', file_size_bytes: 1 },
        ],
      ];
      const [method, path, body, headers] = tries[n] ?? ['GET', '/'];
      return api.send(method, path, body, headers);
    });

    for (const { status, text: said, headers } of answers) {
      expect([said, status < 500]).toEqual([said, true]);
      expect(said).not.toMatch(LEAKS);
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });
});

test('answers are kept by nobody on the way, and pages of unknown origins read none', async () => {
  const { headers } = await api.send('GET', '/api/v1/datasets', undefined, {
    origin: 'https://evil.example',
  });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});

test('an upload URL writes what it was made for, and nothing else', async () => {
  const created = await api.send<{ upload_instructions: { url: string } }>('POST', '/api/v1/datasets', {
    source: { name: 'a.csv' },
  });
  const url = new URL(created.body.upload_instructions.url);
  const statusOf = async (change: (url: URL) => void, method = 'PUT'): Promise<number> => {
    const changed = new URL(url);
    change(changed);
    const { status } = await fetch(changed, { method, ...(method === 'PUT' ? { body: 'q,a\n' } : {}) });
    return status;
  };

  expect(await statusOf((at) => (at.pathname = at.pathname.replace(/[^/]+$/, 'other.csv')))).toBe(403);
  expect(await statusOf((at) => at.searchParams.set('X-Amz-Expires', '604800'))).toBe(403);
  expect(await statusOf(() => {}, 'GET')).toBe(403);
  expect(await statusOf(() => {}, 'DELETE')).toBe(403);
  expect(await statusOf((at) => (at.search = ''), 'GET')).toBe(403);
  expect(await statusOf(() => {})).toBe(200);
});
