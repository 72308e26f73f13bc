import { type Body, PATIENCE_MILLISECONDS, Person, type Watched } from './person.ts';

const MINUTE = 60_000;
const MAPPING = { prompt: 'question', completion: 'answer' };
const LANGUAGES = ['es', 'de'];

interface Source extends Watched {
  readonly rows: readonly number[];
}

/** How often the rows of a new dataset may be in it. */
interface Expected {
  readonly rows: readonly number[];
  readonly timesMin: number;
  readonly timesMax: number;
}

/** Uploads datasets, makes others of them, and tries settings out on them. */
export class GrowingPerson extends Person {
  async tell(): Promise<void> {
    const sources = [await this.#upload(0), await this.#upload(100)].filter((each) => each !== null);
    const [first, second] = sources;
    if (first === undefined || second === undefined) return;
    const actions = 1 + this.random.below(3);
    for (let n = 0; n < actions; n += 1) {
      await this.rest(20 * MINUTE);
      await this.inCompany(() => {
        const action = this.random.pick(['translate', 'translate', 'combine', 'pilot'] as const);
        this.cloud.tell(`${this.name} begins to ${action}`);
        if (action === 'translate') return this.#translate(first);
        return action === 'combine' ? this.#combine(first, second) : this.#pilot(first);
      });
    }
    if (this.random.chance(0.4)) await this.#delete(second);
  }

  async #upload(from: number): Promise<Source | null> {
    const rows = Array.from({ length: 2 + this.random.below(6) }, (_, n) => from + n);
    const source = { processing_mode: 'raw', column_mapping: MAPPING };
    const datasetId = await this.uploaded(rows, source);
    if (datasetId === null) return null;
    const dataset = { datasetId, rows, mayBeDeleted: false };
    const { status } = await this.until(dataset, (body) =>
      ['succeeded', 'failed'].includes(String(body.status)),
    );
    return status === 'succeeded' ? dataset : null;
  }

  /** Sends a launch, sometimes twice at once with its key. @returns what was answered to one that was accepted */
  async #launch(
    id: string,
    request: { params?: Record<string, string>; headers?: Record<string, string>; body: Body },
  ): Promise<Body | null> {
    const answers = await this.echoed(id, request);
    const accepted = answers.filter(({ status }) => status < 300);
    const made = new Set(accepted.map(({ body }) => body.dataset_id ?? body.pilot_id));
    if (made.size > 1) this.invariants.breaks('a key launches one run', JSON.stringify(accepted));
    if (accepted[0] !== undefined) return accepted[0].body;
    const codes = answers.map(({ body: { code } }) => String(code));
    this.cloud.tell(`${this.name}: ${id} is refused: ${codes.join(', ')}`);
    const known = ['runs_limit_reached', 'credits_insufficient', 'pilot_running', 'dataset_running'];
    if (!codes.every((code) => known.includes(code)))
      this.invariants.breaks('a launch is refused for a reason', JSON.stringify(answers));
    return null;
  }

  async #translate({ datasetId, rows }: Source): Promise<void> {
    const body = { languages: LANGUAGES, sample_rate: 1, idempotency_key: crypto.randomUUID() };
    const made = await this.#launch('datasets.translate', { params: { dataset_id: datasetId }, body });
    if (made === null) return;
    const dataset = { datasetId: String(made.dataset_id), mayBeDeleted: false };
    if (this.random.chance(0.3)) {
      await this.pause(this.random.pick([2000, 20_000]));
      const { status } = await this.request('datasets.cancel', { params: { dataset_id: dataset.datasetId } });
      this.cloud.tell(`${this.name} has asked to cancel the growth ${dataset.datasetId}: ${status}`);
    }
    const { status } = await this.until(dataset, (body) => body.status !== 'running');
    await this.#check(dataset, String(status), { rows, timesMin: 1, timesMax: 1 + LANGUAGES.length });
  }

  async #combine(first: Source, second: Source): Promise<void> {
    const body = { dataset_ids: [first.datasetId, second.datasetId], name: `${this.name} merged` };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const made = await this.#launch('datasets.combine.create', { headers, body });
    if (made === null) return;
    const dataset = { datasetId: String(made.dataset_id), mayBeDeleted: false };
    const { status } = await this.until(dataset, (body) => body.status !== 'running');
    await this.#check(dataset, String(status), {
      rows: [...first.rows, ...second.rows],
      timesMin: 1,
      timesMax: 1,
    });
  }

  /** Whether a dataset that was made has the rows that it was made of, and none twice that has to be there once. */
  async #check(dataset: Watched, status: string, { rows, timesMin, timesMax }: Expected): Promise<void> {
    if (status !== 'succeeded') return;
    const got = await this.download(dataset, null);
    if (got === null) {
      this.invariants.breaks('what was delivered can be downloaded', dataset.datasetId);
      return;
    }
    const times = new Map(rows.map((id) => [id, 0]));
    for (const { id } of got) times.set(Number(id), (times.get(Number(id)) ?? Number.NaN) + 1);
    const where = `${dataset.datasetId}: ${JSON.stringify([...times])}`;
    for (const count of times.values()) {
      if (Number.isNaN(count)) this.invariants.breaks('no row comes from elsewhere', where);
      if (count < timesMin) this.invariants.breaks('no row is lost', where);
      if (count > timesMax) this.invariants.breaks('no row is delivered twice', where);
    }
  }

  async #pilot({ datasetId }: Source): Promise<void> {
    const params = { dataset_id: datasetId };
    const body = {
      column_mapping: MAPPING,
      arms: [{}, { brand_controls: { length: 'concise' } }],
      job_specification: { idempotency_key: crypto.randomUUID() },
    };
    const made = await this.#launch('datasets.pilots.create', { params, body });
    if (made === null) return;
    const one = { params: { ...params, pilot_id: String(made.pilot_id) } };
    if (this.random.chance(0.3)) {
      await this.pause(20_000);
      const { status } = await this.request('datasets.pilots.cancel', one);
      this.cloud.tell(`${this.name} has asked to cancel the pilot ${made.pilot_id}: ${status}`);
    }
    const begun = this.cloud.clock.now();
    for (;;) {
      const { status, body: pilot } = await this.request('datasets.pilots.get', one);
      if (status !== 200) {
        this.invariants.breaks('what a caller was told stays true', `${made.pilot_id}: ${status}`);
        return;
      }
      if (pilot.status !== 'running') return;
      if (this.cloud.clock.now() - begun > PATIENCE_MILLISECONDS) {
        this.invariants.breaks(
          'what begins ends',
          `the pilot ${made.pilot_id} is ${JSON.stringify(pilot.status)}`,
        );
        return;
      }
      await this.pause(30_000);
    }
  }

  async #delete(dataset: Source): Promise<void> {
    dataset.mayBeDeleted = true;
    const answer = await this.request('datasets.delete', { params: { dataset_id: dataset.datasetId } });
    this.cloud.tell(`${this.name} deletes ${dataset.datasetId}: ${answer.status}`);
  }
}
