import { type Body, GaveUp, Person } from './person.ts';

const MINUTE = 60_000;
const ROWS = 48;
const MODEL = 'HuggingFaceTB/SmolLM2-135M-Instruct';
/** A training ends by then: three attempts that nobody claims, for each of two iterations. */
const PATIENCE_MILLISECONDS = 40 * 60 * MINUTE;
const ENDED: readonly unknown[] = ['succeeded', 'failed', 'cancelled'];

/** Uploads rows that need no adaptation, and trains models on them. */
export class TrainingPerson extends Person {
  async tell(): Promise<void> {
    const rows = Array.from({ length: ROWS }, (_, n) => n);
    const datasetId = await this.uploaded(rows, {
      processing_mode: 'raw',
      column_mapping: { prompt: 'question', completion: 'answer' },
    });
    if (datasetId === null || !(await this.#isRead(datasetId))) return;
    const trainings = 1 + this.random.below(2);
    for (let n = 0; n < trainings; n += 1) {
      await this.rest(20 * MINUTE);
      // A dataset has one training at a time.
      await this.inCompany(() => this.#train(datasetId));
    }
    if (this.random.chance(0.4)) await this.#delete(datasetId);
  }

  async #isRead(datasetId: string): Promise<boolean> {
    for (;;) {
      const { body } = await this.request('datasets.status', { params: { dataset_id: datasetId } });
      if (body.status === 'succeeded') return true;
      if (body.status === 'failed') return false;
      await this.pause(30_000);
    }
  }

  async #train(datasetId: string): Promise<void> {
    const body = {
      dataset_id: datasetId,
      model: MODEL,
      max_iterations: 1 + this.random.below(2),
      target_win_rate: 0.9,
      idempotency_key: crypto.randomUUID(),
    };
    const launches = await this.echoed('autoscientist.create', { body });
    const training = launches.find(({ status }) => status === 202)?.body;
    if (training === undefined) {
      const codes = launches.map(({ body: { code } }) => String(code));
      this.cloud.tell(`${this.name}: the training is refused: ${codes.join(', ')}`);
      if (!codes.every((code) => ['runs_limit_reached', 'training_running'].includes(code)))
        this.invariants.breaks('a launch is refused for a reason', JSON.stringify(launches));
      return;
    }
    const id = String(training.id);
    if (launches.some(({ status, body: { message } }) => status >= 400 && String(message).includes(id)))
      this.invariants.breaks('a repetition gets the first answer', JSON.stringify(launches));
    this.cloud.tell(`${this.name} trains ${id} on ${datasetId}`);
    const wishes = [this.#untilEnded(id)];
    if (this.random.chance(0.3)) wishes.push(this.#cancel(id));
    if (this.random.chance(0.2)) wishes.push(this.#deleteMeanwhile(datasetId, id));
    const [ended = {}] = await this.together(wishes);
    await this.#checkModel(id, ended);
    if (ended.status === 'succeeded') await this.use(id);
  }

  /** What it does with the model of a training. */
  protected async use(_id: string): Promise<void> {}

  async #cancel(id: string): Promise<Body> {
    await this.pause(15 * MINUTE);
    for (;;) {
      const { status, body } = await this.request('autoscientist.cancel', { params: { experiment_id: id } });
      if (status === 409) {
        await this.pause(5000);
        continue;
      }
      this.cloud.tell(`${this.name} cancels ${id}: ${status} ${body.status}`);
      if (status !== 200 || !ENDED.includes(body.status))
        this.invariants.breaks('a cancellation ends a training', `${id}: ${JSON.stringify(body)}`);
      return body;
    }
  }

  async #deleteMeanwhile(datasetId: string, id: string): Promise<Body> {
    await this.pause(10 * MINUTE);
    const before = await this.request('autoscientist.get', { params: { experiment_id: id } });
    if (ENDED.includes(before.body.status)) return {};
    const answer = await this.request('datasets.delete', { params: { dataset_id: datasetId } });
    this.cloud.tell(`${this.name} would delete ${datasetId} while it is trained on: ${answer.status}`);
    if (answer.status === 200) throw new GaveUp('the dataset was deleted as its training ended');
    return {};
  }

  async #untilEnded(id: string): Promise<Body> {
    const begun = this.cloud.clock.now();
    for (;;) {
      const { status, body } = await this.request('autoscientist.get', { params: { experiment_id: id } });
      if (status === 404) throw new GaveUp('the dataset was deleted');
      if (ENDED.includes(body.status)) return body;
      if (this.cloud.clock.now() - begun > PATIENCE_MILLISECONDS) {
        this.invariants.breaks('what begins ends', `the training ${id} is ${JSON.stringify(body)}`);
        throw new GaveUp('it does not end');
      }
      await this.pause(2 * MINUTE);
    }
  }

  /** Whether a training that has ended has its model if it says so, and stays as it is. */
  async #checkModel(id: string, ended: Body): Promise<void> {
    const params = { experiment_id: id };
    const download = await this.request('autoscientist.download', { params });
    const again = await this.request('autoscientist.get', { params });
    if (again.status === 200 && (again.body.status !== ended.status || again.body.error !== ended.error))
      this.invariants.breaks(
        'a training ends once',
        `${JSON.stringify(ended)} became ${JSON.stringify(again.body)}`,
      );
    if (download.body.code === 'training_not_found') return;
    const isThere = download.status === 307;
    if (isThere !== (ended.status === 'succeeded'))
      this.invariants.breaks(
        'a training that succeeded has its model',
        `${id} is ${ended.status}, and its download ${JSON.stringify(download)}`,
      );
    if (!isThere) return;
    const key = decodeURIComponent(new URL(download.headers.location ?? '').pathname.slice(1));
    if ((await this.service.objects.atOnce.head(key)) === null)
      this.invariants.breaks('a training that succeeded has its model', `${key} is gone`);
  }

  async #delete(datasetId: string): Promise<void> {
    const answer = await this.request('datasets.delete', { params: { dataset_id: datasetId } });
    this.cloud.tell(`${this.name} deletes ${datasetId}: ${answer.status}`);
  }
}
