import { type Cloud, request } from './cloud.ts';

export interface Message {
  readonly body: string;
  readonly receipt: string;
}

interface Waiting {
  readonly body: string;
  receives: number;
}

export interface QueueSettings {
  readonly name: string;
  /** Seconds for which a message that was received is hidden. */
  readonly visibilitySeconds: number;
  /** Receptions after which a message is given up. */
  readonly receivesMax: number;
}

const DELIVERY_MILLISECONDS = 50;
const LATE_MILLISECONDS = 240_000;

/** Amazon SQS: each message comes at least once, in no order, and again if whoever received it does not remove it in time. */
export class SimulatedQueue {
  #count = 0;
  readonly #ready: Waiting[] = [];
  readonly #received = new Map<string, Waiting>();
  readonly #pollers: (() => void)[] = [];

  private readonly cloud: Cloud;
  private readonly settings: QueueSettings;

  constructor(cloud: Cloud, settings: QueueSettings) {
    this.cloud = cloud;
    this.settings = settings;
  }

  /** Puts a message into the queue, in a step of the simulation. */
  put(body: string): void {
    const { clock, faults, random } = this.cloud;
    const where = (): string => `a message of ${this.settings.name}`;
    const arrive = (wait: number): void => void clock.after(wait, () => this.#show({ body, receives: 0 }));
    const late = faults.strikes('message late', where) ? random.wait(LATE_MILLISECONDS) : 0;
    arrive(random.wait(DELIVERY_MILLISECONDS) + late);
    if (faults.strikes('message twice', where)) arrive(random.wait(LATE_MILLISECONDS));
  }

  /** The same, by a process. */
  async send(body: string): Promise<void> {
    const where = `SendMessage ${this.settings.name}`;
    await request(this.cloud, { where, isWrite: true, mean: 10 }, () => this.put(body));
  }

  /** Waits for a message, which is hidden from others for a while. */
  async receive(): Promise<Message> {
    const { clock } = this.cloud;
    const owner = clock.current();
    for (;;) {
      const taken = this.#take();
      if (taken !== undefined) return taken;
      await clock.awaiting(
        new Promise<void>((resolve) => {
          this.#pollers.push(() => {
            if (owner?.isAlive === false) this.#wake();
            else resolve();
          });
        }),
      );
    }
  }

  async remove(receipt: string): Promise<void> {
    const where = `DeleteMessage ${this.settings.name}`;
    await request(this.cloud, { where, isWrite: true, mean: 10 }, () => void this.#received.delete(receipt));
  }

  /** Has a function work off the messages, as Lambda does: one that `work` does not finish comes again. */
  feed(work: (message: Message) => Promise<boolean>): void {
    const again = (): void => {
      const message = this.#take();
      if (message === undefined) {
        this.#pollers.push(again);
        return;
      }
      void work(message).then((isDone) => {
        if (isDone) this.#received.delete(message.receipt);
      });
      again();
    };
    again();
  }

  #show(waiting: Waiting): void {
    this.#ready.push(waiting);
    this.#wake();
  }

  #wake(): void {
    if (this.#ready.length > 0) this.#pollers.shift()?.();
  }

  #take(): Message | undefined {
    const { clock, tell } = this.cloud;
    const waiting = this.#ready.shift();
    if (waiting === undefined) return undefined;
    const { name, visibilitySeconds, receivesMax } = this.settings;
    waiting.receives += 1;
    if (waiting.receives > receivesMax) {
      tell(`a message of ${name} is given up`);
      return this.#take();
    }
    const receipt = `receipt ${this.#count++} of ${name}`;
    this.#received.set(receipt, waiting);
    clock.after(visibilitySeconds * 1000, () => {
      if (this.#received.delete(receipt)) this.#show(waiting);
    });
    return { body: waiting.body, receipt };
  }
}
