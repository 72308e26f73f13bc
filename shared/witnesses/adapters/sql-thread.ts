import { parentPort } from 'node:worker_threads';
import initSqlJs, { type Database } from 'sql.js';
import type { Outcome, Ran, SqlJob } from '../decide/execution/sandbox.ts';
import { boundMemory, disarm, freezeClock } from './disarm.ts';
import type { ThreadMessage } from './thread-messages.ts';

const MEMORY_BYTES_MAX = 128 * 1024 * 1024;
/** Rows that are read: enough to see that the query runs. */
const ROWS_MAX = 100;

type End = Omit<Ran, 'outcomes'>;

const port = parentPort;
if (port !== null) {
  const say = (message: ThreadMessage): void => port.postMessage(message);
  boundMemory(MEMORY_BYTES_MAX);
  freezeClock();
  const sqlite = await initSqlJs();
  disarm();

  port.on('message', (job: SqlJob) => {
    const database = new sqlite.Database();
    const end = runQuery(database, job, (outcome) => say({ kind: 'outcome', outcome }));
    say({ kind: 'end', ...end });
    try {
      database.close();
      say(
        end.end === 'memory' || end.end === 'crashed' ? { kind: 'spent' } : { kind: 'ready', snapshot: null },
      );
    } catch {
      say({ kind: 'spent' });
    }
  });
  say({ kind: 'ready', snapshot: null });
}

function runQuery(database: Database, { schema, query }: SqlJob, tell: (outcome: Outcome) => void): End {
  try {
    for (const statement of schema) database.run(statement);
  } catch (error) {
    return isMemory(error) ? memory : { end: 'unsupported', message: messageOf(error) };
  }
  try {
    const statement = database.prepare(query);
    tell({ is: 'passed', came: 'it binds' });
    let rows = 0;
    while (rows < ROWS_MAX && statement.step()) rows += 1;
    statement.free();
    tell({ is: 'passed', came: `${rows} rows` });
    return { end: 'done', message: '' };
  } catch (error) {
    return isMemory(error)
      ? memory
      : { end: error instanceof RangeError ? 'crashed' : 'invalid', message: messageOf(error) };
  }
}

const memory: End = { end: 'memory', message: 'it took too much memory' };

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);

const isMemory = (error: unknown): boolean => /out of memory|memory is full/i.test(messageOf(error));
