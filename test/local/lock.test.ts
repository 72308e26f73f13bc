import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock, LockHeldError, readLock } from '#local/lock.ts';

const since = new Date('2026-01-02T03:04:05Z');
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tunesmith-lock-'));
  path = join(directory, 'deep', 'running.lock');
});
afterEach(() => rmSync(directory, { recursive: true }));

it('a lock is refused while a living process holds it, naming that process and the time', () => {
  acquireLock(path, since);

  expect(() => acquireLock(path, since)).toThrow(LockHeldError);
  expect(readLock(path)).toEqual({ pid: process.pid, since: '2026-01-02T03:04:05.000Z' });
});

it('a lock can be taken again once it has been given back', () => {
  acquireLock(path, since)();

  expect(existsSync(path)).toBe(false);
  expect(() => acquireLock(path, since)).not.toThrow();
});

it('a lock is taken over from a process that is gone', () => {
  const { pid } = spawnSync('true');
  acquireLock(path, since)();
  writeFileSync(path, JSON.stringify({ pid, since: since.toISOString() }));

  acquireLock(path, since);

  expect(readLock(path)?.pid).toBe(process.pid);
});

it('a lock is taken over where a crash cut its file short', () => {
  acquireLock(path, since)();
  writeFileSync(path, '{"pid":');

  expect(() => acquireLock(path, since)).not.toThrow();
});
