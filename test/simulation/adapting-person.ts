import type { RunRecord } from '#shared/runs/decide/record.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import { countAgain } from './count-again.ts';
import { PATIENCE_MILLISECONDS, Person, type Watched } from './person.ts';

/** What a caller believes of a dataset, by what it was told. */
interface Project extends Watched {
  readonly name: string;
  /** Ids of rows that are in the dataset for certain. */
  readonly rows: number[];
  /** Ids of rows of appends whose answer is not known, or that may still fail. */
  readonly perhaps: Map<string, readonly number[]>;
  isDeleted: boolean;
  nextRow: number;
}

const MINUTE = 60_000;
/** What people want of a dataset, as often as it is here. */
const WISHES = [
  'adapt',
  'adapt',
  'adapt and cancel',
  'adapt and append',
  'append',
  'append',
  'cancel',
  'look',
  'spy',
  'delete',
] as const;

/** Uploads rows and adapts, appends to, cancels, reads and deletes them, with others of its team. */
export class AdaptingPerson extends Person {
  async tell(): Promise<void> {
    const project = await this.#upload();
    if (project === null) return;
    // What all want again and again, and what nobody wants.
    const wishes = WISHES.filter(() => this.random.chance(0.6));
    const rounds = 1 + this.random.below(4);
    for (let n = 0; n < rounds && !project.isDeleted; n += 1) {
      await this.rest(20 * MINUTE);
      await this.inCompany(() =>
        this.#wish(project, this.random.pick(wishes.length === 0 ? WISHES : wishes)),
      );
    }
    if (this.random.chance(0.4)) await this.#delete(project);
  }

  async #wish(project: Project, wish: (typeof WISHES)[number]): Promise<void> {
    this.cloud.tell(`${this.name} begins to ${wish}`);
    if (wish === 'adapt') await this.#adapt(project, {});
    if (wish === 'adapt and cancel') await this.#adapt(project, { cancels: true });
    if (wish === 'adapt and append') await this.#adapt(project, { appends: true });
    if (wish === 'append') await this.#appendSome(project);
    if (wish === 'cancel') await this.#cancel(project);
    if (wish === 'look') await this.request('datasets.status', { params: { dataset_id: project.datasetId } });
    if (wish === 'spy') await this.#spy(project);
    if (wish === 'delete') await this.#delete(project, false);
  }

  #draw(project: { nextRow: number }, count: number): number[] {
    const first = project.nextRow;
    project.nextRow += count;
    return Array.from({ length: count }, (_, n) => first + n);
  }

  async #upload(): Promise<Project | null> {
    const counter = { nextRow: 0 };
    const rows = this.#draw(counter, 1 + this.random.below(12));
    const datasetId = await this.uploaded(rows);
    if (datasetId === null) return null;
    const project: Project = {
      name: this.name,
      datasetId,
      rows,
      perhaps: new Map(),
      isDeleted: false,
      mayBeDeleted: false,
      nextRow: counter.nextRow,
    };
    if (this.random.chance(0.3)) {
      await this.pause(this.random.pick([100, 2000, 15_000]));
      await this.#cancel(project);
    }
    const read = await this.until(
      project,
      ({ row_count, status }) => row_count !== null || status === 'failed',
    );
    if (read.status === 'failed') {
      this.cloud.tell(`${this.name}: the upload failed: ${JSON.stringify(read.error_data)}`);
      await this.#spy(project);
      return null;
    }
    if (read.row_count !== rows.length)
      this.invariants.breaks(
        'no row is lost',
        `${read.row_count} rows were read of ${rows.length}, ${datasetId}`,
      );
    return project;
  }

  async #adapt(project: Project, how: { cancels?: boolean; appends?: boolean }): Promise<void> {
    const { tell } = this.cloud;
    const params = { dataset_id: project.datasetId };
    const rows = [...project.rows];
    const body = {
      column_mapping: { prompt: 'question', completion: 'answer' },
      job_specification: { idempotency_key: crypto.randomUUID() },
      ...(this.random.chance(0.3) ? { recipe_specification: { recipes: { deduplication: true } } } : {}),
    };
    const launches = await this.echoed('datasets.adapt', { params, body });
    const ids = new Set(
      launches.flatMap(({ status, body: { run_id } }) => (status === 200 ? [run_id as string] : [])),
    );
    if (ids.size > 1) this.invariants.breaks('a key launches one run', [...ids].join(' '));
    const [runId] = ids;
    const isRefusedByItself = launches.some(
      ({ status, body: { message } }) => status >= 400 && String(message).includes(String(runId)),
    );
    if (runId !== undefined && isRefusedByItself)
      this.invariants.breaks('a repetition gets the first answer', JSON.stringify(launches));
    if (runId === undefined) {
      tell(
        `${this.name}: the launch is refused: ${launches.map(({ status, body: refusal }) => `${status} ${refusal.code}`).join(', ')}`,
      );
      const refusals = launches.map(({ body: refusal }) => refusal.code);
      const isKnown = refusals.every((code) =>
        [
          ...(project.mayBeDeleted ? ['dataset_not_found'] : []),
          'dataset_running',
          'dataset_not_ready',
          'runs_limit_reached',
          'credits_insufficient',
        ].includes(String(code)),
      );
      if (!isKnown) this.invariants.breaks('a launch is refused for a reason', JSON.stringify(launches));
      return;
    }
    if (how.appends === true) await this.#append(project, false);
    if (how.cancels === true) {
      await this.#untilCancelled(runId);
      await this.#cancel(project);
    }
    await this.until(project, ({ status }) => status !== 'running');
    await this.#checkRun(project, rows, runId);
    const other = { ...body, job_specification: { ...body.job_specification, max_rows: 1 } };
    const mistaken = await this.request('datasets.adapt', { params, body: other });
    if (!project.mayBeDeleted && mistaken.body.code !== 'idempotency_mismatch')
      this.invariants.breaks('a key belongs to one request', JSON.stringify(mistaken));
    const again = await this.request('datasets.adapt', { params, body });
    await this.#checkFiles(project, runId);
    if (project.mayBeDeleted) return;
    if (again.status !== 200 || again.body.run_id !== runId) {
      const run = this.invariants.runs.find((each) => each.run_id === runId);
      this.invariants.breaks(
        'a repetition gets the first answer',
        `${JSON.stringify(again)} instead of ${runId} (${run?.status})`,
      );
    }
  }

  /** Whether a run that has ended has delivered each row once, and billed what it delivered. */
  async #checkRun(project: Project, known: readonly number[], runId: string): Promise<void> {
    const params = { dataset_id: project.datasetId };
    const report = await this.request('datasets.report', { params, query: { limit: '1000' } });
    const run = this.invariants.runs.find((each) => each.run_id === runId);
    if (run === undefined) {
      this.invariants.breaks('what a caller was told stays true', `there is no run ${runId}`);
      return;
    }
    if (project.mayBeDeleted || (report.status === 200 && report.body.run_id !== runId)) return;
    if (run.status === 'running') {
      this.invariants.breaks(
        'what a caller was told stays true',
        `${runId} is running, and its dataset is said not to be`,
      );
      return;
    }
    if (report.status !== 200) {
      if (run.status === 'succeeded')
        this.invariants.breaks('a run that succeeded has a report', `${runId}: ${JSON.stringify(report)}`);
      return;
    }
    const {
      rows,
      credits,
      reused_rows: reused = 0,
    } = report.body as {
      rows: Record<string, number> | null;
      credits: { reserved: number; settled: number };
      reused_rows?: number;
    };
    const delivered = (rows?.changed ?? 0) + (rows?.kept ?? 0);
    if (credits.settled !== Math.ceil((delivered - reused) / 100)) {
      this.invariants.breaks(
        'a run is billed for what it delivers',
        `${runId}: ${JSON.stringify({ rows, credits })}`,
      );
    }
    if (rows === null) return;
    const { total = 0, changed = 0, kept = 0, failed = 0, dropped = 0, not_selected = 0 } = rows;
    if (changed + kept + failed + dropped + not_selected !== total)
      this.invariants.breaks('every row is accounted for', `${runId}: ${JSON.stringify(rows)}`);
    const got = await this.download(project, runId);
    if (project.mayBeDeleted) return;
    // Of a run that has delivered nothing there may be no download.
    if (got === null && delivered === 0) return;
    if (got === null) {
      this.invariants.breaks('what was delivered can be downloaded', `${runId}: ${JSON.stringify(rows)}`);
      return;
    }
    const ids = got.map(({ id }) => Number(id));
    if (new Set(ids).size !== ids.length)
      this.invariants.breaks('no row is delivered twice', `${runId}: ${ids.join(' ')}`);
    const wanted = run.status === 'succeeded' ? total - dropped : changed + kept + not_selected;
    if (ids.length !== wanted)
      this.invariants.breaks(
        'no row is lost',
        `${runId} delivers ${ids.length} rows: ${JSON.stringify(rows)}`,
      );
    if (run.status === 'succeeded' && dropped === 0)
      this.#checkRows(project, known, ids, `download of ${runId}`);
  }

  /** Whether the files of a run hold the same rows: the first is made before its end, and the other one when somebody wants it. */
  async #checkFiles(project: Project, runId: string): Promise<void> {
    const [first, later] = [await this.download(project, runId), await this.download(project, runId, 'json')];
    if (first === null || later === null) return;
    if (JSON.stringify(first) !== JSON.stringify(later))
      this.invariants.breaks(
        'all downloads of a run are alike',
        `${runId}: ${JSON.stringify(first)} and ${JSON.stringify(later)}`,
      );
  }

  #checkRows(project: Project, rows: readonly number[], ids: readonly number[], where: string): void {
    const got = new Set(ids);
    if (got.size !== ids.length)
      this.invariants.breaks('no row is delivered twice', `${where}: ${ids.join(' ')}`);
    const missing = rows.filter((id) => !got.has(id));
    if (missing.length > 0)
      this.invariants.breaks('no row is lost', `${where}: ${missing.join(' ')} of ${rows.join(' ')}`);
    const known = new Set([...project.rows, ...[...project.perhaps.values()].flat()]);
    const strange = ids.filter((id) => !known.has(id));
    if (strange.length > 0)
      this.invariants.breaks('no row comes from elsewhere', `${where}: ${strange.join(' ')}`);
  }

  /** Appends once, or several times at once, as one does that hands over whatever comes in. */
  async #appendSome(project: Project): Promise<void> {
    const times = this.random.pick([1, 1, 4]);
    await this.together(Array.from({ length: times }, () => this.#append(project)));
  }

  async #append(project: Project, waits = true): Promise<void> {
    const rows = this.#draw(project, 1 + this.random.below(4));
    const key = crypto.randomUUID();
    project.perhaps.set(key, rows);
    const request = {
      params: { dataset_id: project.datasetId },
      headers: { 'idempotency-key': key },
      body: {
        rows: rows.map((n) => ({
          id: `${n}`,
          question: this.questionOf(n),
          answer: this.answerOf(n),
        })),
      },
    };
    const answers = await this.echoed('datasets.rows.append', request);
    const accepted = answers.filter(({ status }) => status < 400);
    if (new Set(accepted.map(({ body }) => body.append_id)).size > 1)
      this.invariants.breaks('a key launches one run', JSON.stringify(accepted));
    const answer = accepted[0] ?? (answers[0] as (typeof answers)[number]);
    if (answer.status >= 400) {
      this.cloud.tell(
        `${this.name}: the append is refused: ${answer.status} ${answer.body.code} ${answer.body.message}`,
      );
      project.perhaps.delete(key);
      return;
    }
    const appendId = answer.body.append_id as string;
    this.cloud.tell(`${this.name} appends ${rows.length} rows as ${appendId}`);
    const landing = this.#untilAppended(project, appendId, rows, key);
    if (waits) await landing;
    else this.#later.push(landing);
    if (!waits) landing.catch(() => {});
  }

  readonly #later: Promise<void>[] = [];

  async #untilAppended(
    project: Project,
    appendId: string,
    rows: readonly number[],
    key: string,
  ): Promise<void> {
    const begun = this.cloud.clock.now();
    for (;;) {
      const { status, body } = await this.request('datasets.appends.get', {
        params: { dataset_id: project.datasetId, append_id: appendId },
      });
      if (status === 404 && project.mayBeDeleted) return;
      if (status !== 200) {
        this.invariants.breaks(
          'what a caller was told stays true',
          `the append ${appendId} is answered with ${status}`,
        );
        return;
      }
      if (body.status === 'succeeded') {
        project.perhaps.delete(key);
        project.rows.push(...rows);
        return;
      }
      if (body.status === 'failed') {
        this.cloud.tell(`${this.name}: the append ${appendId} failed: ${JSON.stringify(body.error_data)}`);
        project.perhaps.delete(key);
        return;
      }
      if (this.cloud.clock.now() - begun > PATIENCE_MILLISECONDS) {
        this.invariants.breaks('what begins ends', `the append ${appendId} of ${project.datasetId}`);
        return;
      }
      await this.pause(30_000);
    }
  }

  /** Waits for seconds before it cancels a run, or for what would show best whether that is minded: a process of it that stands still. */
  async #untilCancelled(runId: string): Promise<void> {
    if (this.random.chance(0.5)) return this.pause(this.random.pick([2000, 10_000, 40_000]));
    const untilMs = this.cloud.clock.now() + 2 * MINUTE;
    while (this.cloud.clock.now() < untilMs && !this.cloud.meetings.isStanding(`runs/${runId}/results/`))
      await this.pause(1000);
  }

  async #cancel({ datasetId }: Project): Promise<void> {
    const find = () => this.invariants.runs.find((run) => run.dataset_id === datasetId && isCancellable(run));
    const before = find();
    const { status } = await this.request('datasets.cancel', { params: { dataset_id: datasetId } });
    this.cloud.tell(`${this.name} has asked to cancel ${before?.run_id ?? 'whatever runs'}: ${status}`);
    const after = find();
    if (
      status < 300 &&
      before !== undefined &&
      after?.run_id === before.run_id &&
      after.stop_reason === undefined
    )
      this.invariants.breaks('what a caller was told stays true', `${after.run_id} is not to be cancelled`);
  }

  /** A key of another team sees nothing of the dataset. */
  async #spy(project: Project): Promise<void> {
    const params = { dataset_id: project.datasetId };
    const id = this.random.pick([
      'datasets.get',
      'datasets.status',
      'datasets.report',
      'datasets.download',
      'datasets.cancel',
      'datasets.delete',
      'datasets.rows.list',
    ]);
    const answer = await this.send(id, { params }, this.stranger);
    if (answer.status !== 0 && answer.status < 500 && answer.status !== 404 && answer.status !== 429) {
      this.invariants.breaks('no key reads another team', `${id} is answered with ${answer.status}`);
    }
  }

  async #delete(project: Project, isLast = true): Promise<void> {
    const params = { dataset_id: project.datasetId };
    if (isLast) await this.cloud.clock.awaiting(Promise.allSettled(this.#later));
    project.mayBeDeleted = true;
    const deletion = async () => {
      await this.pause(this.random.pick([0, 300, 2000]));
      // Nobody can count what is deleted.
      for (const run of this.invariants.runs)
        if (run.dataset_id === project.datasetId)
          await countAgain(this.service.objects, this.invariants, run);
      return this.request('datasets.delete', { params });
    };
    // The last file that somebody wants of it is still in the making.
    const download = this.random.chance(0.5)
      ? [this.send('datasets.download', { params, query: { fileFormat: 'json' } })]
      : [];
    const [answer] = await Promise.all([
      deletion(),
      ...download.map((asked) => this.cloud.clock.awaiting(asked)),
    ]);
    this.cloud.tell(`${this.name} deletes ${project.datasetId}: ${answer.status}`);
    if (answer.status !== 200 && answer.status !== 404) {
      if (!['dataset_running', 'training_running', 'pilot_running'].includes(String(answer.body.code))) {
        this.invariants.breaks('a deletion is refused for a reason', JSON.stringify(answer));
      }
      return;
    }
    project.isDeleted = true;
    await this.pause(MINUTE);
    const read = await this.request('datasets.get', { params });
    if (read.status !== 404)
      this.invariants.breaks(
        'what a caller was told stays true',
        `the deleted ${project.datasetId} is answered with ${read.status}`,
      );
  }
}

/** Whether a run is one that a request to cancel the run of its dataset ends. */
const isCancellable = (run: RunRecord): boolean =>
  run.status === 'running' && kindOf(run).claims === 'dataset';
