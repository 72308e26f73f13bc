import { expect, it } from 'vitest';
import { type ObjectVersion, objectsAt, versionAt } from '#bin/restore/versions.ts';

const AT = Date.UTC(2026, 10, 29, 5);

const version = (key: string, minutes: number, changes: Partial<ObjectVersion> = {}): ObjectVersion => ({
  key,
  versionId: `${key}@${minutes}`,
  modified: AT + minutes * 60_000,
  isLatest: false,
  isDeletion: false,
  bytes: 1,
  ...changes,
});
const deleted = { isDeletion: true };

async function* pages(...given: ObjectVersion[][]): AsyncGenerator<ObjectVersion[]> {
  yield* given;
}

const idsAt = async (...given: ObjectVersion[][]): Promise<string[]> => {
  const found: string[] = [];
  for await (const { versionId } of objectsAt(pages(...given), AT)) found.push(versionId);
  return found;
};

it('An object of a moment is the newest version up to it', () => {
  const versions = [version('a', 5), version('a', 0), version('a', -5)];

  expect(versionAt(versions, AT)?.versionId).toBe('a@0');
});

it('An object that was deleted before the moment is not there, and one that was deleted later is', async () => {
  expect(
    await idsAt([version('a', -9), version('b', -9), version('a', -1, deleted), version('b', 1, deleted)]),
  ).toEqual(['b@-9']);
});

it('An object that was written after the moment is not there', async () => {
  expect(await idsAt([version('a', 1)])).toEqual([]);
});

it('An object that was deleted within the second in which it was written is not there', () => {
  const marker = version('a', 0, { ...deleted, isLatest: true });

  expect(versionAt([version('a', 0), marker], AT)).toBeNull();
});

it('The versions of an object may lie in several pages', async () => {
  const first = [version('a', -3), version('b', 2)];
  const second = [version('b', -2), version('b', 1, deleted), version('c', -1)];

  expect(await idsAt(first, second)).toEqual(['a@-3', 'b@-2', 'c@-1']);
});

it('Keys are told apart in the order of their bytes, which is that of S3', async () => {
  expect(await idsAt([version('ä', -1), version('z', -1)], [version('ä', -2)])).toEqual(['z@-1', 'ä@-1']);
});
