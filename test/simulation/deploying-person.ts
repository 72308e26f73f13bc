import type { Body } from './person.ts';
import { TrainingPerson } from './training-person.ts';

const MINUTE = 60_000;
/** A deployment ends in some state by then: an endpoint waits for an instance for two days at most. */
const PATIENCE_MILLISECONDS = 50 * 60 * MINUTE;
const SETTLED: readonly unknown[] = ['ready', 'failed', 'not_deployed'];
const REFUSALS = [0, 402, 404, 409, 422, 429, 500, 502, 503, 504];

/** Trains models, deploys some of them, asks them, and deletes their deployments or leaves them. */
export class DeployingPerson extends TrainingPerson {
  /** The training whose model is deployed. */
  #id = '';

  protected override async use(id: string): Promise<void> {
    if (this.random.chance(0.2)) return;
    this.#id = id;
    const rounds = 1 + this.random.below(2);
    for (let n = 0; n < rounds; n += 1) {
      const [isThere] = await this.inCompany(() => this.#deploy());
      if (isThere !== true) return;
      const isCut = this.random.chance(0.2);
      if (isCut) await this.pause(5 * MINUTE);
      else if ((await this.#settled()) === 'ready') await this.#ask();
      // What is not deleted is not used any more.
      if (isCut || this.random.chance(0.6)) await this.#delete();
    }
  }

  #one(): { readonly params: { readonly experiment_id: string } } {
    return { params: { experiment_id: this.#id } };
  }

  async #deploy(): Promise<boolean> {
    const { status, body } = await this.request('autoscientist.deploy', this.#one());
    this.cloud.tell(`${this.name} deploys ${this.#id}: ${status} ${String(body.status ?? body.code)}`);
    if (status < 300) return true;
    if (body.code !== 'training_not_found' && body.code !== 'no_artifact')
      this.invariants.breaks('a launch is refused for a reason', JSON.stringify(body));
    return false;
  }

  /** The state of the deployment when nothing more is done for it. */
  async #settled(): Promise<unknown> {
    const begun = this.cloud.clock.now();
    for (;;) {
      const { status, body } = await this.request('autoscientist.deployment.get', this.#one());
      if (status === 404) return null;
      if (SETTLED.includes(body.status)) {
        this.cloud.tell(`${this.name} has its deployment ${String(body.status)}: ${String(body.reason)}`);
        return body.status;
      }
      if (this.cloud.clock.now() - begun > PATIENCE_MILLISECONDS) {
        this.invariants.breaks(
          'what begins ends',
          `the deployment of ${this.#id} is ${JSON.stringify(body)}`,
        );
        return null;
      }
      await this.pause(2 * MINUTE);
    }
  }

  /** Asks the model several times, after pauses in which its instance ends. */
  async #ask(): Promise<void> {
    const times = 1 + this.random.below(4);
    for (let n = 0; n < times; n += 1) {
      await this.pause(this.random.pick([MINUTE, 40 * MINUTE]));
      let asked = 0;
      await this.inCompany(() => this.#askOnce(`${n}-${asked++}`));
    }
  }

  async #askOnce(name: string): Promise<void> {
    const question = `what is ${name} to ${this.name}`;
    const body = { model: this.#id, input: question, stream: false };
    const { status, text, isWhole, hasEnded } = await this.stream('responses.create', { body }, null);
    this.cloud.tell(`${this.name} asks ${this.#id}: ${status}`);
    if (!REFUSALS.includes(status) && status !== 200)
      this.invariants.breaks('a launch is refused for a reason', `${status} ${text}`);
    if (status !== 200 || !isWhole) return;
    const answer = JSON.parse(text) as Body;
    if (answer.status !== 'completed') return;
    if (!text.includes(`You ask: ${question}"`))
      this.invariants.breaks('an answer is the one to its question', text);
    if (await hasEnded) this.invariants.answersOf(this.caller.team_id, [String(answer.id)]);
  }

  async #delete(): Promise<void> {
    const { status } = await this.request('autoscientist.deployment.delete', this.#one());
    this.cloud.tell(`${this.name} deletes the deployment of ${this.#id}: ${status}`);
    if (status === 404) return;
    const settled = await this.#settled();
    if (settled !== 'not_deployed' && settled !== null)
      this.invariants.breaks(
        'what a caller was told stays true',
        `${this.#id} is ${String(settled)} after its deletion`,
      );
  }
}
