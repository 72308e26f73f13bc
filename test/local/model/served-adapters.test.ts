import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Generator } from '#local/model/api.ts';
import { ServedAdapters } from '#local/model/served-adapters.ts';
import { deferred } from '../deferred.ts';

let directory: string;
/** Contexts of adapters that are open, by the name of the file. */
let open: string[];
let bases: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tunesmith-served-'));
  open = [];
  bases = [];
  for (const name of ['a', 'b', 'c']) put('small', name);
});
afterEach(() => rmSync(directory, { recursive: true }));

function put(base: string, name: string): void {
  mkdirSync(join(directory, base), { recursive: true });
  writeFileSync(join(directory, base, `${name}.gguf`), 'adapter');
}

const answering = (text: string, until: Promise<void> = Promise.resolve()): Generator => ({
  prepare: () => ({ tokens: [], maxTokens: 1 }),
  generate: async (_prompt, _sampling, _signal, onText) => {
    await until;
    onText(text);
    return { finishReason: 'stop', completionTokens: 1, cachedTokens: 0 };
  },
});

function serve(
  options: { listed?: string[]; until?: Record<string, Promise<void>>; broken?: string } = {},
): ServedAdapters {
  return new ServedAdapters({
    directory,
    contextsMax: 2,
    listed: options.listed ?? [],
    hasBase: async (id) => id === 'small',
    baseOf: (model) => ({ 'acme/small': 'small', 'acme/large': 'large' })[model],
    openBase: async (id) => {
      bases.push(id);
      return {
        generator: answering('base'),
        withAdapter: async (path) => {
          const name = path.slice(-'x.gguf'.length, -'.gguf'.length);
          if (name === options.broken) throw new Error('No adapter.');
          open.push(name);
          return {
            ...answering(name, options.until?.[name]),
            dispose: async () => {
              open.splice(open.indexOf(name), 1);
            },
          };
        },
      };
    },
  });
}

const sampling = {
  temperature: 0,
  topP: 1,
  seed: 1,
  stop: [],
  frequencyPenalty: 0,
  presencePenalty: 0,
  format: 'text' as const,
};

async function ask(adapters: ServedAdapters, id: string): Promise<string> {
  const generator = await adapters.find(id);
  if (generator === undefined) throw new Error(`There is no ${id}.`);
  let text = '';
  const prompt = generator.prepare([{ role: 'user', content: 'Hi' }], 1);
  await generator.generate(prompt, sampling, new AbortController().signal, (piece) => {
    text += piece;
  });
  return text;
}

it('the model server answers by the adapter that is asked for, and by its base', async () => {
  const adapters = serve();

  expect(await ask(adapters, 'small:a')).toBe('a');
  expect(await ask(adapters, 'small:b')).toBe('b');
  expect(await ask(adapters, 'small')).toBe('base');
});

it('the model server knows no adapter whose file or base is not there, and loads nothing for it', async () => {
  put('unknown', 'a');
  const adapters = serve();

  for (const id of ['small:d', 'unknown:a', 'unknown', 'other']) {
    expect(await adapters.find(id), id).toBeUndefined();
  }
  expect(bases).toEqual([]);
});

it('the model server lists what it serves: adapters, and bases that nobody else lists', async () => {
  put('unknown', 'a');

  const alone = await serve().list();
  const beside = await serve({ listed: ['small'] }).list();

  expect(alone.map(({ id }) => id)).toEqual(['small', 'small:a', 'small:b', 'small:c']);
  expect(beside.map(({ id }) => id)).toEqual(['small:a', 'small:b', 'small:c']);
  expect(bases).toEqual([]);
});

it('the model server keeps the adapters that were used last, and gives back the memory of the others', async () => {
  const adapters = serve();

  for (const name of ['a', 'b', 'a', 'c', 'a']) await ask(adapters, `small:${name}`);

  expect(open).toEqual(['a', 'c']);
  expect(adapters.contexts).toBe(2);
});

it('the model server takes no adapter from under a request that it answers', async () => {
  const answer = deferred<void>();
  const adapters = serve({ until: { a: answer.promise } });
  const slow = ask(adapters, 'small:a');
  await ask(adapters, 'small:b');

  const third = ask(adapters, 'small:c');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(open).toEqual(['a', 'b']);
  answer.resolve();

  expect(await slow).toBe('a');
  expect(await third).toBe('c');
  expect(open).toEqual(['b', 'c']);
});

it('the model server loads an adapter anew whose file was replaced', async () => {
  const adapters = serve();
  await ask(adapters, 'small:a');
  utimesSync(join(directory, 'small', 'a.gguf'), new Date(), new Date(Date.now() + 10_000));

  await ask(adapters, 'small:a');

  expect(open).toEqual(['a', 'a']);
});

it('the model server does not keep an adapter that cannot be loaded', async () => {
  const adapters = serve({ broken: 'a' });

  await expect(ask(adapters, 'small:a')).rejects.toThrow('No adapter.');

  expect(adapters.contexts).toBe(0);
  expect(await ask(adapters, 'small:b')).toBe('b');
});

async function withFile(body: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/adapter' ? 200 : 403).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
}

const { signal } = new AbortController();

it('the model server fetches the adapter of a training, serves it at once, and not any more when it is removed', async () => {
  const adapters = serve();

  await withFile('adapter', async (url) => {
    const asked = { model: 'acme/small', name: 'x', url: `${url}/adapter` };
    expect(await adapters.put(asked, signal)).toBe('small:x');
  });
  expect(await ask(adapters, 'small:x')).toBe('x');

  await adapters.remove('x');
  await adapters.remove('x');
  expect((await adapters.list()).map(({ id }) => id)).toEqual(['small', 'small:a', 'small:b', 'small:c']);
});

it.each(['acme/large', 'acme/other'])(
  'the model server refuses adapters of a base model that it does not serve: %s',
  async (model) => {
    const refused = serve().put({ model, name: 'x', url: 'http://127.0.0.1:1/' }, signal);

    await expect(refused).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  },
);

it('an adapter that cannot be fetched leaves nothing behind', async () => {
  const adapters = serve();

  await withFile('no', async (url) => {
    const refused = adapters.put({ model: 'acme/small', name: 'x', url: `${url}/other` }, signal);
    await expect(refused).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('it answers 403'),
    });
  });
  expect(readdirSync(join(directory, 'small')).sort()).toEqual(['a.gguf', 'b.gguf', 'c.gguf']);
});
