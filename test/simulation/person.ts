import type { Caller } from '#shared/platform/access/caller.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { isAppend, kindOf, makesRows } from '#shared/runs/decide/run-kinds.ts';
import type { Request } from '#test/helpers/call.ts';
import type { Cloud } from './cloud.ts';
import type { Invariants } from './invariants.ts';
import type { SeededRandom } from './random.ts';
import { type Answer, contractOf, type Service, type StreamedAnswer } from './service.ts';

export type Body = Record<string, unknown>;

const REPETITIONS_MAX = 40;
const AWAY_MILLISECONDS = 120_000;

/** A request that launches a run is at work no longer, by clocks that differ. */
const LAUNCH_MILLISECONDS = 62_000;

/** What every simulated failure says. */
const CAUSE = 'of the simulation';

/** A dataset that a caller looks at. */
export interface Watched {
  readonly datasetId: string;
  /** Whether its deletion was asked for. */
  mayBeDeleted: boolean;
}

/** What a caller waits for that does not end by then is a violation once faults have stopped. */
export const PATIENCE_MILLISECONDS = 12 * 3_600_000;

/** A caller that does not go on. */
export class GaveUp extends Error {}

/** What all callers have in common. */
export interface Crowd {
  answers: number;
  /** What callers wait for, by their names. */
  readonly waiting: Map<string, string>;
}

export interface PersonOptions {
  readonly name: string;
  readonly caller: Caller;
  /** A caller of another team. */
  readonly stranger: Caller;
  readonly service: Service;
  readonly cloud: Cloud;
  readonly invariants: Invariants;
  readonly random: SeededRandom;
  readonly crowd: Crowd;
}

/** One of those who call the service. */
export abstract class Person {
  readonly name: string;
  protected readonly caller: Caller;
  protected readonly stranger: Caller;
  protected readonly service: Service;
  protected readonly cloud: Cloud;
  protected readonly invariants: Invariants;
  protected readonly random: SeededRandom;
  private readonly crowd: Crowd;

  constructor(options: PersonOptions) {
    this.name = options.name;
    this.caller = options.caller;
    this.stranger = options.stranger;
    this.service = options.service;
    this.cloud = options.cloud;
    this.invariants = options.invariants;
    this.random = options.random;
    this.crowd = options.crowd;
  }

  /** What it does, to its end. */
  abstract tell(): Promise<void>;

  protected pause(mean: number): Promise<void> {
    return this.cloud.clock.sleep(this.random.wait(mean));
  }

  /** The pause between one thing and the next, at the pace of the simulation. */
  protected rest(mean: number): Promise<void> {
    return this.pause(mean * this.cloud.swarm.pace);
  }

  /** Sends a request once. */
  protected async send(id: string, request: Omit<Request, 'as'>, as = this.caller): Promise<Answer> {
    const { waiting } = this.crowd;
    waiting.set(this.name, id);
    const answer = await this.service.call(contractOf(id), { ...request, as });
    waiting.set(this.name, `after ${id}: ${answer.status}`);
    this.crowd.answers += 1;
    if (answer.status >= 500 && answer.text.includes(CAUSE))
      this.invariants.breaks('a failure tells nothing of its cause', `${id}: ${answer.text}`);
    return answer;
  }

  /** Sends a request whose answer comes piece by piece, once, and leaves after so many pieces, or stays. */
  protected async stream(
    id: string,
    request: Omit<Request, 'as'>,
    piecesMax: number | null,
  ): Promise<StreamedAnswer> {
    const { waiting } = this.crowd;
    waiting.set(this.name, id);
    const answer = await this.service.stream(contractOf(id), { ...request, as: this.caller }, piecesMax);
    waiting.set(this.name, `after ${id}: ${answer.status}`);
    this.crowd.answers += 1;
    if (answer.text.includes(CAUSE))
      this.invariants.breaks('a failure tells nothing of its cause', `${id}: ${answer.text}`);
    return answer;
  }

  /** Sends a request until it is answered for good, as a client does that got no answer or one that says to try again. */
  protected async request(
    id: string,
    request: Omit<Request, 'as'>,
  ): Promise<{ status: number; body: Body; headers: Readonly<Record<string, string>>; sentMs: number }> {
    let [failures, refusals] = [0, 0];
    for (let n = 0; ; n += 1) {
      const sentMs = this.cloud.clock.now();
      const answer = await this.send(id, request);
      if (answer.status === 429) refusals += 1;
      else failures += 1;
      // Who waits for another run of the team to end gives up after a while.
      const isLimit = answer.status === 429 && refusals > REPETITIONS_MAX;
      if (isLimit || (answer.status !== 0 && answer.status < 500 && answer.status !== 429)) {
        const body = answer.text === '' ? {} : (JSON.parse(answer.text.split('\n')[0] ?? '') as Body);
        return { status: answer.status, body, headers: answer.headers, sentMs };
      }
      if (answer.status === 500) this.cloud.tell(`${this.name}: ${id} is answered with 500`);
      if (failures > REPETITIONS_MAX) {
        // During an outage that lasts, nothing is promised but that it is told.
        if (!this.cloud.faults.isOver) throw new GaveUp(`${id} fails again and again: ${answer.status}`);
        throw new Error(`${id} fails again and again: ${JSON.stringify(answer)}`);
      }
      // Some come back minutes later.
      if (this.random.chance(this.cloud.swarm.absences)) await this.pause(AWAY_MILLISECONDS);
      const hint = answer.status === 0 ? undefined : answer.headers['retry-after'];
      await this.pause(hint === undefined ? 2000 * 2 ** Math.min(n, 6) : Number(hint) * 1000);
    }
  }

  /** Several things at once, all to their end. */
  protected async together<T>(work: readonly Promise<T>[]): Promise<T[]> {
    const ended = await this.cloud.clock.awaiting(Promise.allSettled(work));
    return ended.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
  }

  /** What it and its colleagues want of one thing, at the same moment or nearly so. */
  protected inCompany<T>(wish: () => Promise<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
    const people = Math.min(most, this.cloud.swarm.company);
    return this.together(
      Array.from({ length: people }, async () => {
        await this.pause(this.random.pick([50, 50, 15_000]));
        return wish();
      }),
    );
  }

  /** Sends a request that has a key, sometimes twice at once or nearly so, as one does that waits for no answer. */
  protected echoed(
    ...given: Parameters<Person['request']>
  ): Promise<Awaited<ReturnType<Person['request']>>[]> {
    const times = this.random.chance(this.cloud.swarm.echoes) ? 2 : 1;
    return this.together(
      Array.from({ length: times }, async (_, n) => {
        if (n > 0) await this.pause(this.random.pick([0, 0, 3000]));
        const answer = await this.request(...given);
        if (answer.status < 300) await this.#checkBegun(answer);
        return answer;
      }),
    );
  }

  /** Whether the run of which an answer tells has begun, unless its first request was still at work. */
  async #checkBegun({ body, sentMs }: Awaited<ReturnType<Person['request']>>): Promise<void> {
    const ids = [body.run_id, body.append_id, body.pilot_id, body.id];
    const run = this.invariants.runs.find(
      (each) => ids.includes(each.run_id) || (makesDataset(each) && each.dataset_id === body.dataset_id),
    );
    if (run?.status !== 'running' || this.service.machines.hasBegun(run.pipeline, run.run_id)) return;
    const { request_key: key, started_at } = run;
    const stored = key === null ? null : await this.service.objects.atOnce.head(key);
    const isStored = key === null || (stored !== null && stored.modifiedMs < sentMs);
    if (isStored || sentMs - Date.parse(started_at) > LAUNCH_MILLISECONDS)
      this.invariants.breaks('a caller is told of runs that have begun', `${run.run_id} (${run.pipeline})`);
  }

  /** Creates a dataset of rows with these ids, and completes its upload; null if that is refused. */
  protected async uploaded(rows: readonly number[], source: Body = {}): Promise<string | null> {
    const content = `id,question,answer\n${rows.map((n) => `${n},${this.questionOf(n)},${this.answerOf(n)}`).join('\n')}\n`;
    const created = await this.request('datasets.create', {
      body: { source: { name: `${this.name}.csv`, ...source } },
    });
    if (created.status !== 200) return null;
    const { dataset_id: datasetId, upload_instructions: instructions } = created.body as {
      dataset_id: string;
      upload_instructions: { s3_key: string };
    };
    await this.service.put(instructions.s3_key, content);
    const completed = await this.echoed('datasets.uploads.complete-by-id', {
      params: { dataset_id: datasetId },
      body: { file_size_bytes: Buffer.byteLength(content) },
    });
    if (completed.some(({ status }) => status !== 200))
      throw new Error(`The upload was refused: ${JSON.stringify(completed)}`);
    this.cloud.tell(`${this.name} has uploaded ${rows.length} rows as ${datasetId}`);
    return datasetId;
  }

  /** Looks at the status until it is as wanted. */
  protected async until(project: Watched, isDone: (status: Body) => boolean): Promise<Body> {
    const begun = this.cloud.clock.now();
    for (;;) {
      const { status, body } = await this.request('datasets.status', {
        params: { dataset_id: project.datasetId },
      });
      if (status === 404 && project.mayBeDeleted) throw new GaveUp('the dataset was deleted');
      if (status !== 200)
        this.invariants.breaks(
          'what a caller was told stays true',
          `${project.datasetId} is answered with ${status}`,
        );
      if (isDone(body)) return body;
      if (this.cloud.clock.now() - begun > PATIENCE_MILLISECONDS) {
        this.invariants.breaks('what begins ends', `${project.datasetId} is ${JSON.stringify(body)}`);
        throw new GaveUp('it does not end');
      }
      await this.pause(30_000);
    }
  }

  /** The rows of a run's download; null if there are none. */
  protected async download(
    project: Watched,
    runId: string | null,
    fileFormat: 'json' | 'jsonl' = 'jsonl',
  ): Promise<Body[] | null> {
    const begun = this.cloud.clock.now();
    while (this.cloud.clock.now() - begun < PATIENCE_MILLISECONDS) {
      const answer = await this.send('datasets.download', {
        params: { dataset_id: project.datasetId },
        query: { fileFormat, ...(runId === null ? {} : { run_id: runId }) },
      });
      if (answer.status === 307) {
        const key = decodeURIComponent(new URL(answer.headers.location ?? '').pathname.slice(1));
        const file = await this.service.objects.atOnce.read(key);
        if (file === null) return null;
        const text = file.toString('utf8');
        if (fileFormat === 'json') return JSON.parse(text) as Body[];
        return text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Body);
      }
      if (answer.status !== 0 && answer.status < 500 && answer.status !== 429) {
        this.cloud.tell(
          `${this.name}: the download is refused: ${answer.status} ${answer.text.slice(0, 200)}`,
        );
        return null;
      }
      await this.pause(30_000);
    }
    return null;
  }

  protected questionOf(row: number): string {
    return `tell me of row-${row} in ${this.name}`;
  }

  protected answerOf(row: number): string {
    return `it is row-${row} as far as i know`;
  }
}

/** Whether the launch of a run, which has a key, makes its dataset. */
const makesDataset = (run: RunRecord): boolean =>
  makesRows(run) && !isAppend(run) && kindOf(run).operations.length > 0;
