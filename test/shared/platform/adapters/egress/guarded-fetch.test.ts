import { createServer, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch } from '#shared/platform/adapters/egress/guarded-fetch.ts';
import { type FetchedUrl, SourceInterrupted } from '#shared/platform/egress/fetch-url.ts';
import { type ScriptedHub, startScriptedHub } from '#test/helpers/scripted-hub.ts';

/** Listens inside and counts who comes: nobody may. */
let inside: Server;
let port = 0;
let visits = 0;
let hub: ScriptedHub;

beforeAll(async () => {
  hub = await startScriptedHub();
  inside = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => inside.listen(0, '::', resolve));
  const address = inside.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterAll(async () => {
  inside.close();
  await hub.close();
});

beforeEach(() => {
  visits = 0;
});

const resolving = (...answers: string[][]) => {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { asked, resolve };
};

const body = async ({ body }: FetchedUrl): Promise<string> => (await buffer(body)).toString();

describe('without anything allowed, nothing is requested of', () => {
  const guarded = createGuardedFetch({ allowed: [], connectTimeoutMs: 300 });

  test.each([
    ['loopback', 'https://127.0.0.1:PORT/'],
    ['loopback by name', 'https://localhost:PORT/'],
    ['loopback in IPv6', 'https://[::1]:PORT/'],
    ['an IPv4-mapped address', 'https://[::ffff:127.0.0.1]:PORT/'],
    ['an IPv4-compatible address', 'https://[::7f00:1]:PORT/'],
    ['a NAT64 address', 'https://[64:ff9b::7f00:1]:PORT/'],
    ['a 6to4 address', 'https://[2002:7f00:1::]:PORT/'],
    ['an address as one number', 'https://2130706433:PORT/'],
    ['an address in octal', 'https://0177.0.0.1:PORT/'],
    ['an address in hexadecimal', 'https://0x7f.1:PORT/'],
    ['the unspecified address', 'https://0.0.0.0:PORT/'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data/'],
    ['Lambda’s runtime', 'https://169.254.100.1:9001/2018-06-01/runtime/invocation/next'],
    ['a private network', 'https://10.0.0.1/'],
    ['a unique local address', 'https://[fd00:ec2::254]/'],
    ['what is not https', 'http://example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['another protocol', 'ftp://example.com/x'],
  ])('without anything allowed, nothing is requested of %s', async (_what, url) => {
    await expect(guarded(url.replace('PORT', String(port)))).rejects.toMatchObject({
      code: 'source_refused',
    });
    expect(visits).toBe(0);
  });

  test('without anything allowed, nothing is requested of a name of which one address leads inside, whatever the others are', async () => {
    const { resolve } = resolving(['93.184.216.34', '127.0.0.1']);
    const fetchUrl = createGuardedFetch({ allowed: [], resolve, connectTimeoutMs: 300 });

    await expect(fetchUrl(`https://mixed.test:${port}/`)).rejects.toMatchObject({ code: 'source_refused' });
    expect(visits).toBe(0);
  });

  test('without anything allowed, nothing is requested of a name without addresses', async () => {
    const fetchUrl = createGuardedFetch({ allowed: [], resolve: resolving([]).resolve });

    await expect(fetchUrl('https://nowhere.test/')).rejects.toMatchObject({ code: 'source_refused' });
  });
});

test('a name whose addresses change between check and connect: the connection goes to what was checked', async () => {
  // The second answer would lead inside. No packet leaves for the first: the port is the inner server's.
  const { asked, resolve } = resolving(['93.184.216.34'], ['127.0.0.1']);
  const fetchUrl = createGuardedFetch({ allowed: [], resolve, connectTimeoutMs: 300 });

  await expect(fetchUrl(`https://rebinding.test:${port}/`)).rejects.toBeInstanceOf(SourceInterrupted);
  expect(asked).toEqual(['rebinding.test']);
  expect(visits).toBe(0);
});

test('a name whose addresses change between two requests: the second is refused', async () => {
  const { resolve } = resolving(['93.184.216.34'], ['::ffff:127.0.0.1']);
  const fetchUrl = createGuardedFetch({ allowed: [], resolve, connectTimeoutMs: 300 });
  await fetchUrl(`https://rebinding.test:${port}/`).catch(() => {});

  await expect(fetchUrl(`https://rebinding.test:${port}/`)).rejects.toMatchObject({
    code: 'source_refused',
  });
  expect(visits).toBe(0);
});

describe('an allowed target', () => {
  const guarded = () => createGuardedFetch({ allowed: hub.allowed });

  test('an allowed target is reached over http wherever it is', async () => {
    hub.put('store:b/rows.csv', { body: 'a\n1\n' });

    const answer = await guarded()(`${hub.storeUrl}/b/rows.csv`);

    expect(answer).toMatchObject({ status: 200, retryAfterSeconds: null });
    expect(await body(answer)).toBe('a\n1\n');
  });

  test('an allowed target is exactly that one: another port of its host is refused', async () => {
    await expect(guarded()(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'source_refused' });
    await expect(guarded()(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'source_refused' });
    expect(visits).toBe(0);
  });

  test('an allowed target may redirect, but not to where nobody may go', async () => {
    for (const target of [
      `https://127.0.0.1:${port}/`,
      'https://169.254.169.254/',
      'http://example.com/',
      'file:///etc/passwd',
    ]) {
      const url = `${hub.storeUrl}/jump/${encodeURIComponent(target)}`;
      await expect(guarded()(url), target).rejects.toMatchObject({ code: 'source_refused' });
    }
    expect(visits).toBe(0);
  });

  test('an allowed target that is Lambda’s runtime is none', async () => {
    const runtime = new URL(hub.storeUrl).host;
    const fetchUrl = createGuardedFetch({ allowed: hub.allowed, denied: [runtime] });
    const before = hub.requests.length;

    await expect(fetchUrl(`${hub.storeUrl}/next`)).rejects.toMatchObject({ code: 'source_refused' });
    await expect(fetchUrl(`https://${runtime}/next`)).rejects.toMatchObject({ code: 'source_refused' });
    expect(hub.requests.length).toBe(before);
  });

  test('an allowed target that redirects in circles is given up', async () => {
    let url = `${hub.storeUrl}/b/rows.csv`;
    for (let hop = 0; hop < 9; hop += 1) url = `${hub.storeUrl}/jump/${encodeURIComponent(url)}`;

    await expect(guarded()(url)).rejects.toMatchObject({
      code: 'source_refused',
      message: /redirects more than 8/,
    });
  });

  test('an allowed target that says nothing for too long is interrupted', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port: silentPort } = silent.address() as { port: number };
    const fetchUrl = createGuardedFetch({ allowed: [`127.0.0.1:${silentPort}`], idleTimeoutMs: 300 });

    await expect(fetchUrl(`http://127.0.0.1:${silentPort}/`)).rejects.toBeInstanceOf(SourceInterrupted);
    silent.close();
  });
});

test('a credential goes to the first host, along its own redirects, and to no other', async () => {
  hub.put('hf:team/set@main/x.csv', { body: 'a\n', authorization: 'Bearer secret' });
  const from = hub.requests.length;

  const answer = await createGuardedFetch({ allowed: hub.allowed })(
    `${hub.huggingFaceUrl}/datasets/moved/team/set/resolve/main/x.csv`,
    { authorization: 'Bearer secret' },
  );
  await body(answer);

  expect(answer.status).toBe(200);
  expect(hub.requests.slice(from).map(({ server, authorization }) => [server, authorization])).toEqual([
    ['huggingface', 'Bearer secret'],
    ['huggingface', 'Bearer secret'],
    ['store', null],
  ]);
});
