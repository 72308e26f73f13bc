import { type Body, PATIENCE_MILLISECONDS, Person } from './person.ts';
import { ANSWERING_MODEL } from './simulated-model.ts';

const MINUTE = 60_000;
const CHAT = '/v1/chat/completions';
/** Of one file at once. */
const BATCHES_MAX = 2;
const ENDED = ['completed', 'failed', 'expired', 'cancelled'];

interface Line {
  readonly custom_id: string;
  readonly response: { readonly body: { readonly id: string; readonly choices?: readonly Body[] } } | null;
}

/** Has batches of requests answered, sometimes two at once, and cancels some. */
export class AskingPerson extends Person {
  async tell(): Promise<void> {
    const batches = 1 + this.random.below(2);
    for (let n = 0; n < batches; n += 1) {
      await this.rest(20 * MINUTE);
      const ids = Array.from({ length: 3 + this.random.below(45) }, (_, m) => `r${n}-${m}`);
      const fileId = await this.#upload(ids);
      if (fileId === null) continue;
      await this.inCompany(() => this.#batch(fileId, ids), BATCHES_MAX);
    }
  }

  /** Uploads requests, and waits until they are read. */
  async #upload(ids: readonly string[]): Promise<string | null> {
    const lines = ids.map((id) =>
      JSON.stringify({
        custom_id: id,
        method: 'POST',
        url: CHAT,
        body: { model: ANSWERING_MODEL, messages: [{ role: 'user', content: id }] },
      }),
    );
    const form = { file: [`${this.name}.jsonl`, `${lines.join('\n')}\n`] as const, purpose: 'batch' };
    const { status, body } = await this.request('files.create', { form });
    if (status !== 200) return null;
    const fileId = String(body.id);
    const begun = this.cloud.clock.now();
    for (;;) {
      const { body: file } = await this.request('files.get', { params: { file_id: fileId } });
      if (file.status === 'processed') return fileId;
      if (file.status === 'error') return null;
      if (this.cloud.clock.now() - begun > PATIENCE_MILLISECONDS) {
        this.invariants.breaks('what begins ends', `the file ${fileId} is ${JSON.stringify(file)}`);
        return null;
      }
      await this.pause(5000);
    }
  }

  async #batch(fileId: string, ids: readonly string[]): Promise<void> {
    const body = { input_file_id: fileId, endpoint: CHAT, completion_window: '24h' };
    const made = await this.request('batches.create', { body });
    if (made.status !== 200) {
      if (made.status !== 429)
        this.invariants.breaks('a launch is refused for a reason', JSON.stringify(made));
      return;
    }
    const batchId = String(made.body.id);
    const one = { params: { batch_id: batchId } };
    this.cloud.tell(`${this.name} has ${ids.length} requests of ${batchId} answered`);
    if (this.random.chance(0.3)) {
      await this.pause(this.random.pick([2000, 20_000]));
      const { body: cancelled } = await this.request('batches.cancel', one);
      this.cloud.tell(`${this.name} has asked to cancel ${batchId}: ${String(cancelled.status)}`);
    }
    const begun = this.cloud.clock.now();
    for (;;) {
      const { status, body: batch } = await this.request('batches.get', one);
      if (status !== 200) {
        this.invariants.breaks('what a caller was told stays true', `${batchId}: ${status}`);
        return;
      }
      if (ENDED.includes(String(batch.status))) return this.#check(batchId, batch, ids);
      // A batch has a day.
      if (this.cloud.clock.now() - begun > 2 * PATIENCE_MILLISECONDS + 10 * MINUTE) {
        this.invariants.breaks('what begins ends', `${batchId} is ${JSON.stringify(batch)}`);
        return;
      }
      await this.pause(30_000);
    }
  }

  /** Whether every request of a batch has one line, in one of its files. */
  async #check(batchId: string, batch: Body, ids: readonly string[]): Promise<void> {
    const output = await this.#lines(batch.output_file_id);
    const errors = await this.#lines(batch.error_file_id);
    if (output === null || errors === null) return;
    const counts = batch.request_counts as { total: number; completed: number; failed: number };
    this.cloud.tell(`${batchId} has ended: ${String(batch.status)}, ${JSON.stringify(counts)}`);
    const lines = [...output, ...errors].map(({ custom_id }) => custom_id);
    const where = `${batchId} (${String(batch.status)}): ${lines.join(' ')}`;
    if (new Set(lines).size !== lines.length) this.invariants.breaks('no row is delivered twice', where);
    if (lines.some((id) => !ids.includes(id))) this.invariants.breaks('no row comes from elsewhere', where);
    if (ids.some((id) => !lines.includes(id))) this.invariants.breaks('no row is lost', where);
    if (counts.total !== ids.length || counts.completed !== output.length)
      this.invariants.breaks('what was done is counted', `${where}: ${JSON.stringify(counts)}`);
    for (const { custom_id: id, response } of output) {
      if (!JSON.stringify(response).includes(`You ask: ${id}"`))
        this.invariants.breaks('no row comes from elsewhere', `${where}: ${JSON.stringify(response)}`);
    }
    this.invariants.answersOf(
      this.caller.team_id,
      output.map(({ response }) => response?.body.id ?? ''),
    );
  }

  async #lines(fileId: unknown): Promise<readonly Line[] | null> {
    if (fileId === null) return [];
    const params = { file_id: String(fileId) };
    const { status, headers } = await this.request('files.content', { params });
    const key = decodeURIComponent(new URL(headers.location ?? 'https://none').pathname.slice(1));
    const file = status === 307 ? await this.service.objects.atOnce.read(key) : null;
    if (file === null) {
      this.invariants.breaks('what was delivered can be downloaded', `${String(fileId)}: ${status} ${key}`);
      return null;
    }
    const lines = file.toString('utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
  }
}
