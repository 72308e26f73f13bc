import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface LockHolder {
  readonly pid: number;
  readonly since: string;
}

export class LockHeldError extends Error {
  readonly holder: LockHolder;

  constructor(path: string, holder: LockHolder) {
    super(`${path} is held by process ${holder.pid} since ${holder.since}.`);
    this.name = 'LockHeldError';
    this.holder = holder;
  }
}

/**
 * Takes a lock file for this process, also if the process that holds it is gone.
 * @returns a function that releases it.
 * @throws {LockHeldError} if a running process holds it.
 */
export function acquireLock(path: string, since: Date): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const mine: LockHolder = { pid: process.pid, since: since.toISOString() };
  for (;;) {
    try {
      writeFileSync(path, JSON.stringify(mine), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const holder = readLock(path);
    if (holder !== undefined && isAlive(holder.pid)) throw new LockHeldError(path, holder);
    rmSync(path, { force: true });
  }
}

/** The holder of the lock, or undefined if there is none (or a crash truncated the file). */
export function readLock(path: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isLockHolder(value) ? value : undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isLockHolder(value: unknown): value is LockHolder {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'since' in value &&
    typeof value.since === 'string'
  );
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is running, and belongs to another user.
    return isCode(error, 'EPERM');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
