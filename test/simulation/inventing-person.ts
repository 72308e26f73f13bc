import { type Body, Person, type Watched } from './person.ts';

const MINUTE = 60_000;
const MAPPING = { prompt: 'question', completion: 'answer' };
const KNOWN_REFUSALS = ['runs_limit_reached', 'credits_insufficient', 'dataset_running'];

/** Has datasets written from nothing, and rows written in the style of a dataset. */
export class InventingPerson extends Person {
  async tell(): Promise<void> {
    const actions = 1 + this.random.below(2);
    for (let n = 0; n < actions; n += 1) {
      await this.rest(20 * MINUTE);
      await this.inCompany(() => (this.random.chance(0.5) ? this.#invent() : this.#augment()));
    }
  }

  async #invent(): Promise<void> {
    const wanted = 2 + this.random.below(12);
    const languages = this.random.chance(0.3) ? ['es'] : [];
    const body = {
      rows: wanted,
      domains: ['cooking_food'],
      ...(languages.length === 0
        ? {}
        : { language_expansion: { type: 'translate', languages, sample_rate: 1 } }),
      idempotency_key: crypto.randomUUID(),
    };
    const made = await this.#launch('datasets.invent.create', { body });
    if (made === null) return;
    const rows = await this.#ended(made, 'invention');
    if (rows === null) return;
    const written = rows.filter(({ enhanced_prompt: prompt }) => typeof prompt === 'string' && prompt !== '');
    const where = `${made.datasetId}: ${rows.length} rows of ${wanted}`;
    if (written.length !== rows.length) this.invariants.breaks('no row is lost', `${where}, some are empty`);
    if (rows.length > wanted * (1 + languages.length))
      this.invariants.breaks('no row is delivered twice', where);
    const prompts = rows.map(({ enhanced_prompt: prompt }) => String(prompt));
    if (languages.length === 0 && new Set(prompts).size !== prompts.length)
      this.invariants.breaks('no row is delivered twice', `${where}: ${prompts.join(' | ')}`);
  }

  async #augment(): Promise<void> {
    const rows = Array.from({ length: 3 + this.random.below(6) }, (_, n) => n);
    const sourceId = await this.uploaded(rows, { processing_mode: 'raw', column_mapping: MAPPING });
    if (sourceId === null) return;
    const source = { datasetId: sourceId, mayBeDeleted: false };
    const read = await this.until(source, ({ status }) => status === 'succeeded' || status === 'failed');
    if (read.status === 'failed') return;
    const similar = 1 + this.random.below(6);
    const body = { similar_rows: similar, idempotency_key: crypto.randomUUID() };
    const made = await this.#launch('datasets.augment', { params: { dataset_id: sourceId }, body });
    if (made === null) return;
    const got = await this.#ended(made, 'augmentation');
    if (got === null) return;
    const own = got
      .filter(({ id }) => id !== null && id !== undefined && String(id) !== '')
      .map(({ id }) => Number(id));
    const where = `${made.datasetId}: ${JSON.stringify(own)}, ${got.length} of ${rows.length} and ${similar} rows`;
    if (rows.some((id) => !own.includes(id))) this.invariants.breaks('no row is lost', where);
    if (new Set(own).size !== own.length || got.length > rows.length + similar)
      this.invariants.breaks('no row is delivered twice', where);
    if (own.some((id) => !rows.includes(id))) this.invariants.breaks('no row comes from elsewhere', where);
  }

  /** Sends a launch, sometimes twice at once with its key; null if it is refused. */
  async #launch(
    id: string,
    request: { readonly params?: Record<string, string>; readonly body: Body },
  ): Promise<Watched | null> {
    const answers = await this.echoed(id, request);
    const accepted = answers.filter(({ status }) => status < 300);
    const made = new Set(accepted.map(({ body }) => String(body.dataset_id ?? body.id)));
    if (made.size > 1) this.invariants.breaks('a key launches one run', JSON.stringify(accepted));
    const [datasetId] = made;
    if (datasetId !== undefined) return { datasetId, mayBeDeleted: false };
    const codes = answers.map(({ body: { code } }) => String(code));
    this.cloud.tell(`${this.name}: ${id} is refused: ${codes.join(', ')}`);
    if (!codes.every((code) => KNOWN_REFUSALS.includes(code)))
      this.invariants.breaks('a launch is refused for a reason', JSON.stringify(answers));
    return null;
  }

  /** The rows of a new dataset, which is sometimes cancelled; null if it has not succeeded. */
  async #ended(dataset: Watched, what: string): Promise<Body[] | null> {
    const { datasetId } = dataset;
    this.cloud.tell(`${this.name} waits for the ${what} ${datasetId}`);
    if (this.random.chance(0.25)) {
      await this.pause(this.random.pick([2000, 20_000]));
      const { status } = await this.request('datasets.cancel', { params: { dataset_id: datasetId } });
      this.cloud.tell(`${this.name} has asked to cancel the ${what} ${datasetId}: ${status}`);
    }
    const { status } = await this.until(dataset, (body) => body.status !== 'running');
    if (status !== 'succeeded') return null;
    const rows = await this.download(dataset, null);
    this.cloud.tell(`the ${what} ${datasetId} has ${rows?.length} rows`);
    if (rows === null) this.invariants.breaks('what was delivered can be downloaded', datasetId);
    return rows;
  }
}
