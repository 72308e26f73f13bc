import type { Worker } from 'node:worker_threads';
import { startThread } from '#shared/platform/adapters/start-thread.ts';
import type { Job, Outcome, Ran, Sandbox } from '../decide/execution/sandbox.ts';
import type { ThreadData, ThreadMessage } from './thread-messages.ts';

type Language = Job['language'];

const SOURCES = {
  python: './python-thread.ts',
  javascript: './javascript-thread.ts',
  sql: './sql-thread.ts',
} as const satisfies Record<Language, `./${string}.ts`>;

/** Time of one job, from its start to its last outcome. */
const JOB_MILLISECONDS = 1000;
/** Time that an interpreter may take to load: it takes a second or two. */
const LOAD_MILLISECONDS = 60_000;

/** Of the JavaScript in a thread; the memory of an interpreter is bounded by itself. */
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 8 };

/**
 * Creates a sandbox of worker threads, one for each language that is used. A thread has an interpreter in WebAssembly, no
 * environment, files or network, and is terminated at its limit of time.
 */
export function createWorkerSandbox({ milliseconds = JOB_MILLISECONDS } = {}): Sandbox {
  const runners = new Map<Language, Runner>();
  return {
    run: async (job, signal) => {
      signal?.throwIfAborted();
      const runner = runners.get(job.language) ?? createRunner(job.language, milliseconds);
      runners.set(job.language, runner);
      return runner.run(job, signal);
    },
    close: async () => {
      // What they know of an interpreter is from before its first job.
      await Promise.all([...runners.values()].map((runner) => runner.close()));
    },
  };
}

type Runner = Sandbox;

/** A thread and what it says; `heard` is replaced for every job. */
interface Thread {
  readonly worker: Worker;
  readonly loaded: Promise<boolean>;
  /** What ended it, if it ended by itself. */
  fault: unknown;
  heard: (message: ThreadMessage | 'gone') => void;
}

/** Runs the jobs of one language, one after the other. */
function createRunner(language: Language, milliseconds: number): Runner {
  let snapshot: Uint8Array | null = null;
  let thread: Thread | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function start(): Thread {
    const data: ThreadData = { snapshot };
    const worker = startThread(import.meta.url, SOURCES[language], {
      workerData: data,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCES,
    });
    worker.unref();
    let resolveLoaded: (isLoaded: boolean) => void = () => undefined;
    const loaded = new Promise<boolean>((resolve) => {
      resolveLoaded = resolve;
    });
    const started: Thread = {
      worker,
      loaded,
      fault: null,
      heard: (message) => {
        if (message === 'gone') return resolveLoaded(false);
        if (message.kind !== 'ready') return;
        snapshot ??= message.snapshot;
        resolveLoaded(true);
      },
    };
    worker.on('message', (message: ThreadMessage) => started.heard(message));
    worker.on('error', (error) => {
      started.fault = error;
      started.heard('gone');
    });
    worker.on('exit', () => started.heard('gone'));
    return started;
  }

  async function end(ended: Thread | null): Promise<void> {
    if (ended === null) return;
    if (thread === ended) thread = null;
    await ended.worker.terminate();
  }

  async function runOne(job: Job, signal: AbortSignal | undefined): Promise<Ran> {
    signal?.throwIfAborted();
    thread ??= start();
    const using = thread;
    using.worker.ref();
    try {
      if (!(await within(using.loaded, LOAD_MILLISECONDS))) {
        await end(using);
        throw new Error(`The interpreter of ${language} does not load.`, { cause: using.fault });
      }
      const { ran, isSpent } = await runOn(using, job, milliseconds);
      if (isSpent) {
        await end(using);
        // The next job finds it loaded.
        thread = start();
      }
      return ran;
    } finally {
      using.worker.unref();
    }
  }

  return {
    run: (job, signal) => {
      const ran = last.then(() => runOne(job, signal));
      last = ran.catch(() => undefined);
      return ran;
    },
    close: async () => {
      await last;
      await end(thread);
    },
  };
}

/** Whether a promise of a success resolves to it in time. */
async function within(promise: Promise<boolean>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a job on a thread that has loaded. A thread is spent if it takes no further job. */
function runOn(thread: Thread, job: Job, milliseconds: number): Promise<{ ran: Ran; isSpent: boolean }> {
  return new Promise((resolve) => {
    const outcomes: Outcome[] = [];
    let ran: Ran | null = null;
    const settle = (isSpent: boolean, otherwise: Ran['end'], message: string): void => {
      clearTimeout(timer);
      thread.heard = () => undefined;
      resolve({ ran: ran ?? { end: otherwise, message, outcomes }, isSpent });
    };
    const timer = setTimeout(() => settle(true, 'timeout', 'it took too long'), milliseconds);
    thread.heard = (message) => {
      if (message === 'gone') return settle(true, 'memory', 'its thread ended');
      if (message.kind === 'outcome') outcomes.push(message.outcome);
      else if (message.kind === 'end') ran = { end: message.end, message: message.message, outcomes };
      else settle(message.kind === 'spent', 'crashed', 'it ended early');
    };
    thread.worker.postMessage(job);
  });
}
