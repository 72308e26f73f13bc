import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { loadPyodide } from 'pyodide';
import type { CodeJob, Outcome } from '../decide/execution/sandbox.ts';
import { boundMemory, disarm, freezeClock } from './disarm.ts';
import { PYTHON_HARNESS } from './python-harness.ts';
import type { ThreadData, ThreadMessage } from './thread-messages.ts';

/** The interpreter starts with 30 MB. */
const MEMORY_BYTES_MAX = 192 * 1024 * 1024;

/** Flags of `open` that write or create. */
const WRITES = 0o3703;
/** EROFS as Emscripten numbers it. */
const READ_ONLY = 69;

/** What of Pyodide this thread uses beyond its documented interface. Its version is pinned, and tests hold it. */
interface Internals {
  readonly _module: { readonly HEAPU8: Uint8Array };
  readonly makeMemorySnapshot: () => Uint8Array;
}

const port = parentPort;
if (port !== null) {
  const say = (message: ThreadMessage): void => port.postMessage(message);
  const { snapshot } = workerData as ThreadData;
  boundMemory(MEMORY_BYTES_MAX);
  freezeClock();
  const options = {
    // From the package alone, which has all that is loaded.
    indexURL: dirname(createRequire(import.meta.url).resolve('pyodide/package.json')),
    env: { HOME: '/', PYTHONHASHSEED: '0' },
    stdout: () => undefined,
    stderr: () => undefined,
    stdin: () => null,
    ...(snapshot === null ? { _makeSnapshot: true } : { _loadSnapshot: snapshot }),
  };
  const python = await loadPyodide(options as Parameters<typeof loadPyodide>[0]);
  const { _module, makeMemorySnapshot } = python as unknown as Internals;
  let taken: Uint8Array | null = null;
  if (snapshot === null) {
    python.runPython(PYTHON_HARNESS);
    taken = makeMemorySnapshot.call(python);
  }
  const load = python.globals.get('load') as (text: string) => string;
  const check = python.globals.get('check') as (text: string) => string;
  // After the snapshot, which cannot hold what this removes.
  (python.globals.get('confine') as () => void)();
  for (const name of ['open', 'mknod', 'mkdir', 'symlink', 'unlink', 'rename', 'truncate'] as const)
    refuseWrites(python.FS, name);
  disarm();
  const kept = _module.HEAPU8.slice();

  port.on('message', (job: CodeJob) => {
    let isSpent = false;
    try {
      const begun = JSON.parse(load(JSON.stringify({ ...job, checks: [] }))) as {
        end: 'done';
        message: string;
      };
      if (begun.end === 'done') {
        for (const each of job.checks) {
          say({ kind: 'outcome', outcome: JSON.parse(check(JSON.stringify(each))) as Outcome });
        }
      }
      say({ kind: 'end', end: begun.end, message: begun.message });
    } catch (error) {
      // The interpreter itself broke off, as on a stack that is full. It is not to be trusted afterwards.
      isSpent = true;
      const isMemory = /MemoryError|memory is full|out of memory/i.test(String(error));
      say({ kind: 'end', end: isMemory ? 'memory' : 'crashed', message: 'the interpreter broke off' });
    }
    // A memory that grew cannot shrink.
    if (isSpent || _module.HEAPU8.length !== kept.length) say({ kind: 'spent' });
    else {
      // The interpreter is as it was before the row: its globals, its modules, its random numbers.
      _module.HEAPU8.set(kept);
      say({ kind: 'ready', snapshot: null });
    }
  });
  say({ kind: 'ready', snapshot: taken });
}

/** Makes a function of the in-memory file system refuse to write. */
function refuseWrites(files: object, name: string): void {
  const original = Reflect.get(files, name) as (...args: unknown[]) => unknown;
  const ErrnoError = Reflect.get(files, 'ErrnoError') as new (code: number) => Error;
  Reflect.set(files, name, (...args: unknown[]) => {
    const [, flags] = args;
    const isReading =
      flags === undefined || flags === 'r' || (typeof flags === 'number' && (flags & WRITES) === 0);
    if (name !== 'open' || !isReading) throw new ErrnoError(READ_ONLY);
    return original.apply(files, args);
  });
}
