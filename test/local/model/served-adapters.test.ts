import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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
