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

/** Uploads rows and adapts, appends to, cancels, reads and deletes them, with others of its team. */
export class AdaptingPerson extends Person {
  async tell(): Promise<void> {
    const project = await this.#upload();
    if (project === null) return;
    const actions = 1 + this.random.below(4);
    for (let n = 0; n < actions && !project.isDeleted; n += 1) {
      await this.pause(20 * MINUTE);
      const action = this.random.pick([
        'adapt',
        'adapt',
        'adapt',
        'race',
        'duel',
        'cancel',
        'append',
        'append',
        'append while running',
        'burst',
        'storm',
        'storm',
        'spy',
      ] as const);
      this.cloud.tell(`${this.name} begins to ${action}`);
      if (action === 'adapt') await this.#adapt(project, {});
      if (action === 'race') await this.#adapt(project, { isRace: true });
      // Two people want it at the same moment, each with a key of its own.
      if (action === 'duel') await this.together([this.#adapt(project, {}), this.#adapt(project, {})]);
      if (action === 'cancel') await this.#adapt(project, { cancels: true });
      if (action === 'append') await this.#append(project);
      if (action === 'append while running') await this.#adapt(project, { appends: true });
      if (action === 'burst') await this.#burst(project);
      if (action === 'storm') await this.#storm(project);
      if (action === 'spy') await this.#spy(project);
    }
    if (this.random.chance(0.4)) await this.#delete(project);
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

  async #adapt(
    project: Project,
    how: { isRace?: boolean; cancels?: boolean; appends?: boolean },
  ): Promise<void> {
    const { clock, tell } = this.cloud;
    const params = { dataset_id: project.datasetId };
    const rows = [...project.rows];
    const body = {
      column_mapping: { prompt: 'question', completion: 'answer' },
      job_specification: { idempotency_key: crypto.randomUUID() },
      ...(this.random.chance(0.3) ? { recipe_specification: { recipes: { deduplication: true } } } : {}),
    };
    const launches = await clock.awaiting(
      Promise.all(
        Array.from({ length: how.isRace === true ? 2 : 1 }, () =>
          this.request('datasets.adapt', { params, body }),
        ),
      ),
    );
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
      await this.pause(this.random.pick([2000, 10_000, 40_000]));
      const cancelled = await this.request('datasets.cancel', { params });
      tell(`${this.name} has asked to cancel ${runId}: ${cancelled.status}`);
    }
    await this.until(project, ({ status }) => status !== 'running');
    await this.#checkRun(project, rows, runId);
    const other = { ...body, job_specification: { ...body.job_specification, max_rows: 1 } };
    const mistaken = await this.request('datasets.adapt', { params, body: other });
    if (!project.mayBeDeleted && mistaken.body.code !== 'idempotency_mismatch')
      this.invariants.breaks('a key belongs to one request', JSON.stringify(mistaken));
    const again = await this.request('datasets.adapt', { params, body });
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
    if (delivered === 0) return;
    const got = await this.download(project, runId);
    if (project.mayBeDeleted) return;
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
    const answers = await this.cloud.clock.awaiting(
      Promise.all(
        Array.from({ length: this.random.chance(0.3) ? 2 : 1 }, () =>
          this.request('datasets.rows.append', request),
        ),
      ),
    );
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

  /** Rows come from several sources at once, while others adapt. */
  async #burst(project: Project): Promise<void> {
    const appends = Array.from({ length: 3 }, () => this.#append(project));
    await this.together([...appends, ...(this.random.chance(0.5) ? [this.#adapt(project, {})] : [])]);
  }

  /** Several people of the team want something of the dataset at the same time. */
  async #storm(project: Project): Promise<void> {
    const { clock } = this.cloud;
    const params = { dataset_id: project.datasetId };
    const deletes = this.random.chance(0.15);
    const people = Array.from({ length: 2 + this.random.below(4) }, async (_, n) => {
      await this.pause(n < 2 ? 50 : 15_000);
      const wish = this.random.pick(['adapt', 'adapt', 'append', 'cancel', 'cancel', 'status'] as const);
      if (n === 0 && deletes) return this.#delete(project, false);
      if (wish === 'append') return this.#append(project, false);
      if (wish === 'cancel') return void (await this.request('datasets.cancel', { params }));
      if (wish === 'status') return void (await this.request('datasets.status', { params }));
      await this.#adapt(project, {});
    });
    await clock.awaiting(Promise.all(people));
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
    const answer = await this.request('datasets.delete', { params });
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
