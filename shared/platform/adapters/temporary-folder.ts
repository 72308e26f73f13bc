import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

const PREFIX = 'tunesmith-';
const OWNER = `${process.pid}-${threadId}`;
/** Folders that this thread uses. */
const inUse = new Set<string>();

/**
 * Runs `use` with a temporary folder, which is deleted afterwards. Folders of processes that were killed are deleted first: the
 * disk of a Lambda function outlives them, and would be full for the next invocation.
 */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  await removeLeftovers();
  // At once, so that another call of this thread never sees it before it is in use.
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${OWNER}-`));
  inUse.add(folder);
  try {
    return await use(folder);
  } finally {
    // What is written in the background may still add to it.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    inUse.delete(folder);
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, owner, pid] = /^tunesmith-((\d+)-\d+)-/.exec(name) ?? [];
    const folder = join(tmpdir(), name);
    if (pid === undefined || inUse.has(folder)) continue;
    // One of this thread's name that it does not use is of a process that was killed, and had the same id.
    if (owner === OWNER || !isAlive(Number(pid))) await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
