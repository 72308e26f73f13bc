import { type Body, PATIENCE_MILLISECONDS, Person } from './person.ts';
import { ANSWERING_MODEL } from './simulated-model.ts';

const MINUTE = 60_000;
const ENDED: readonly unknown[] = ['completed', 'failed', 'canceled'];
/** The eval, or the run, was deleted. */
const GONE = 404;
const PAGE = 10;
/** What a run may fail of, besides being interrupted. */
const FAILURES: readonly unknown[] = ['credits_insufficient', 'run_interrupted'];

const CONTAINS = {
  type: 'string_check',
  name: 'contains',
  input: '{{ sample.output_text }}',
  reference: '{{ item.question }}',
  operation: 'like',
} as const;

interface Asked {
  readonly data_source: Body;
  readonly rows: readonly string[];
  /** Rows that pass; null where a model answers. */
  readonly passed: number | null;
}

interface Outcome {
  readonly datasource_item_id: number;
  readonly datasource_item: { readonly question: string };
  readonly status: string;
  readonly sample: { readonly output: readonly { readonly content: string }[] };
}

/** Grades answers with evals, several runs at once, and cancels or deletes some of them. */
export class EvaluatingPerson extends Person {
  async tell(): Promise<void> {
    const evals = 1 + this.random.below(2);
    for (let n = 0; n < evals; n += 1) {
      await this.rest(20 * MINUTE);
      const body = {
        name: `${this.name} ${n}`,
        data_source_config: { type: 'custom', item_schema: { type: 'object' }, include_sample_schema: true },
        testing_criteria: [CONTAINS],
      };
      const made = await this.request('evals.create', { body });
      if (made.status !== 200) throw new Error(`The eval was refused: ${JSON.stringify(made)}`);
      const evalId = String(made.body.id);
      // Now and then more than have a place.
      const { company } = this.cloud.swarm;
      const runs = company + this.random.below(3) + (this.random.chance(0.3) ? 6 : 0);
      const mayDelete = this.random.chance(0.4);
      const wishes = Array.from({ length: runs }, (_, m) => this.#run(evalId, `${n}-${m}`, mayDelete));
      if (mayDelete) wishes.push(this.#delete(evalId));
      await this.together(wishes);
    }
  }

  /** Rows with answers that are right or wrong, or which a model has to answer. */
  #ask(name: string): Asked {
    const rows = Array.from({ length: 3 + this.random.below(40) }, (_, n) => `what is row-${name}-${n}.`);
    const right = this.random.below(rows.length + 1);
    const isAnswered = this.random.chance(0.4);
    const content = rows.map((question, n) =>
      isAnswered
        ? { item: { question }, sample: { output_text: n < right ? `It is ${question}` : 'No.' } }
        : { item: { question } },
    );
    const source = { type: 'file_content', content };
    if (isAnswered) return { rows, passed: right, data_source: { type: 'jsonl', source } };
    const template = [{ role: 'user', content: '{{ item.question }}' }];
    const input_messages = { type: 'template', template };
    return {
      rows,
      passed: null,
      data_source: { type: 'completions', source, model: ANSWERING_MODEL, input_messages },
    };
  }

  async #run(evalId: string, name: string, mayBeDeleted: boolean): Promise<void> {
    await this.pause(this.random.pick([100, 5000]));
    const asked = this.#ask(name);
    const made = await this.request('evals.runs.create', {
      params: { eval_id: evalId },
      body: { data_source: asked.data_source },
    });
    if (made.status !== 200) {
      const isFull = made.status !== 429 || made.body.code === 'runs_limit_reached';
      if (isFull && !(made.status === GONE && mayBeDeleted))
        this.invariants.breaks('a launch is refused for a reason', JSON.stringify(made));
      return;
    }
    const runId = String(made.body.id);
    this.cloud.tell(`${this.name} has ${asked.rows.length} rows graded by ${runId}`);
    const one = { params: { eval_id: evalId, run_id: runId } };
    const wish = this.random.pick(['cancel', 'delete', 'wait', 'wait', 'wait'] as const);
    if (wish !== 'wait') {
      await this.pause(this.random.pick([500, 20_000]));
      const { status, body } = await this.request(`evals.runs.${wish}`, one);
      this.cloud.tell(`${this.name} has asked to ${wish} ${runId}: ${status} ${String(body.status)}`);
    }
    const mayBeGone = mayBeDeleted || wish === 'delete';
    const begun = this.cloud.clock.now();
    for (;;) {
      const { status, body: run } = await this.request('evals.runs.get', one);
      if (status === GONE && mayBeGone) return;
      if (status !== 200 || wish === 'delete') {
        this.invariants.breaks('what a caller was told stays true', `${runId}: ${status}`);
        return;
      }
      if (ENDED.includes(run.status)) return this.#check(one, run, asked, mayBeGone);
      if (this.cloud.clock.now() - begun > PATIENCE_MILLISECONDS) {
        this.invariants.breaks('what begins ends', `${runId} is ${JSON.stringify(run)}`);
        return;
      }
      await this.pause(30_000);
    }
  }

  /** Whether a run that has ended has one item for each row that it counts, and stays as it is. */
  async #check(
    one: { readonly params: { readonly eval_id: string; readonly run_id: string } },
    run: Body,
    { rows, passed }: Asked,
    mayBeGone: boolean,
  ): Promise<void> {
    const { code } = run.error as { code: string };
    const where = `${one.params.run_id} (${String(run.status)} ${code})`;
    this.cloud.tell(`the run of an eval ${where} has ended: ${JSON.stringify(run.result_counts)}`);
    if (run.status === 'failed' && !FAILURES.includes(code))
      this.invariants.breaks('a run of an eval fails for a reason', `${where}: ${JSON.stringify(run.error)}`);
    const items = await this.#items(one, where, mayBeGone);
    if (items === null) return;
    const questions = items.map(({ datasource_item: { question } }) => question);
    const seen = `${where}: ${questions.join(' ')}`;
    if (new Set(questions).size !== questions.length)
      this.invariants.breaks('no row is delivered twice', seen);
    if (items.some((item) => rows[item.datasource_item_id] !== item.datasource_item.question))
      this.invariants.breaks('no row comes from elsewhere', seen);
    const said = items.flatMap(({ sample, ...item }) => sample.output.map((output) => ({ item, output })));
    if (passed === null) {
      const foreign = said.find(
        ({ item, output }) => output.content !== `You ask: ${item.datasource_item.question}`,
      );
      if (foreign !== undefined)
        this.invariants.breaks('no row comes from elsewhere', `${where}: ${JSON.stringify(foreign)}`);
      this.invariants.evalAnswers(this.caller.team_id, said.length);
    }
    if (run.status === 'completed') {
      if (items.length !== rows.length) {
        // Its deletion may have begun: then it is gone soon.
        await this.pause(60 * MINUTE);
        const { status } = await this.request('evals.runs.get', one);
        if (status === GONE && mayBeGone) return;
        this.invariants.breaks('no row is lost', seen);
      }
      const counted = (status: string): number => items.filter((item) => item.status === status).length;
      const counts = {
        total: rows.length,
        passed: counted('pass'),
        failed: counted('fail'),
        errored: counted('error'),
      };
      if (JSON.stringify(counts) !== JSON.stringify(run.result_counts))
        this.invariants.breaks('what was done is counted', `${seen}: ${JSON.stringify(run.result_counts)}`);
      if (passed !== null && counts.passed !== passed)
        this.invariants.breaks(
          'what was done is counted',
          `${passed} pass of ${seen}: ${JSON.stringify(counts)}`,
        );
    }
    await this.rest(90 * MINUTE);
    const again = await this.request('evals.runs.get', one);
    if (again.status === GONE && mayBeGone) return;
    if (again.body.status !== run.status || JSON.stringify(again.body.error) !== JSON.stringify(run.error))
      this.invariants.breaks('a run of an eval ends once', `${where} became ${JSON.stringify(again.body)}`);
  }

  /** All output items of a run, page by page; null where it was deleted meanwhile. */
  async #items(
    { params }: { readonly params: { readonly eval_id: string; readonly run_id: string } },
    where: string,
    mayBeGone: boolean,
  ): Promise<readonly Outcome[] | null> {
    const items: Outcome[] = [];
    let after: string | undefined;
    for (;;) {
      const query = { limit: String(PAGE), ...(after === undefined ? {} : { after }) };
      const { status, body } = await this.request('evals.runs.output-items.list', { params, query });
      if (status === GONE && mayBeGone) return null;
      if (status !== 200) {
        this.invariants.breaks('what was delivered can be downloaded', `${where}: ${JSON.stringify(body)}`);
        return null;
      }
      items.push(...(body.data as Outcome[]));
      if (body.has_more !== true) return items;
      after = String(body.last_id);
    }
  }

  async #delete(evalId: string): Promise<void> {
    await this.pause(this.random.pick([500, 5000, 60_000]));
    const one = { params: { eval_id: evalId } };
    const { status } = await this.request('evals.delete', one);
    this.cloud.tell(`${this.name} has deleted ${evalId}: ${status}`);
    const again = await this.request('evals.get', one);
    if (again.status !== GONE)
      this.invariants.breaks('what a caller was told stays true', `${evalId} is deleted: ${again.status}`);
  }
}
