import type { Caller } from '#shared/platform/access/caller.ts';
import { AdaptingPerson } from './adapting-person.ts';
import { AskingPerson } from './asking-person.ts';
import { ChattingPerson } from './chatting-person.ts';
import type { Cloud } from './cloud.ts';
import { DeployingPerson } from './deploying-person.ts';
import { EvaluatingPerson } from './evaluating-person.ts';
import { GrowingPerson } from './growing-person.ts';
import type { Invariants } from './invariants.ts';
import { InventingPerson } from './inventing-person.ts';
import { ListeningPerson } from './listening-person.ts';
import { type Crowd, GaveUp, type Person, type PersonOptions } from './person.ts';
import type { SeededRandom } from './random.ts';
import type { Service } from './service.ts';

export interface CallersOptions {
  readonly teams: readonly Caller[];
  /** Projects that each team works through. */
  readonly projects: number;
  /** Whether there are trainers. */
  readonly trains: boolean;
}

const MINUTE = 60_000;

/** Callers of the service, who are told what they are told, and repeat what failed with the same key. */
export class Callers implements Crowd {
  active = 0;
  answers = 0;
  /** What callers wait for, by their names. */
  readonly waiting = new Map<string, string>();

  private readonly service: Service;
  private readonly cloud: Cloud;
  private readonly invariants: Invariants;
  private readonly random: SeededRandom;
  private readonly options: CallersOptions;

  constructor(
    service: Service,
    cloud: Cloud,
    invariants: Invariants,
    random: SeededRandom,
    options: CallersOptions,
  ) {
    this.service = service;
    this.cloud = cloud;
    this.invariants = invariants;
    this.random = random;
    this.options = options;
  }

  begin(): void {
    const { teams, projects, trains } = this.options;
    for (const [index, caller] of teams.entries()) {
      const stranger = teams[(index + 1) % teams.length] as Caller;
      const who = (name: string, seed: string): PersonOptions => {
        const { service, cloud, invariants } = this;
        return {
          name,
          caller,
          stranger,
          service,
          cloud,
          invariants,
          random: this.random.fork(seed),
          crowd: this,
        };
      };
      this.#enter(new ListeningPerson(who(`listener ${index}`, `team ${index} listens`)), 0);
      for (let n = 0; n < projects; n += 1) {
        this.#enter(new AdaptingPerson(who(`caller ${index}.${n}`, `team ${index} project ${n}`)), n);
      }
      this.#enter(new GrowingPerson(who(`grower ${index}`, `team ${index} grows`)), 1);
      this.#enter(new AskingPerson(who(`asker ${index}`, `team ${index} asks`)), 1);
      this.#enter(new InventingPerson(who(`inventor ${index}`, `team ${index} invents`)), 1);
      this.#enter(new ChattingPerson(who(`chatter ${index}`, `team ${index} chats`)), 1);
      this.#enter(new EvaluatingPerson(who(`evaluator ${index}`, `team ${index} evaluates`)), 1);
      if (trains) this.#enter(new DeployingPerson(who(`trainee ${index}`, `team ${index} trains`)), 1);
    }
  }

  /** Has a person begin within the hours before the next one. */
  #enter(person: Person, n: number): void {
    const { clock, tell } = this.cloud;
    const { name } = person;
    this.active += 1;
    clock.after(this.random.fork(name).next() * (n * 240 + 10) * MINUTE, () => {
      void clock
        .spawn({ name, isAlive: true, waits: 0, isDone: false }, () => person.tell())
        .catch((error: unknown) => {
          if (error instanceof GaveUp) tell(`${name} gives up: ${error.message}`);
          else
            this.invariants.breaks(
              'callers are answered',
              `${name}: ${error instanceof Error ? error.stack : error}`,
            );
        })
        .finally(() => {
          this.waiting.delete(name);
          this.active -= 1;
        });
    });
  }
}
