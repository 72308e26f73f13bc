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
import type { PeopleKind } from './swarm.ts';

export interface CallersOptions {
  readonly teams: readonly Caller[];
  /** For each team, a caller of another one. */
  readonly strangers: readonly Caller[];
  /** People of each kind in a team at most. */
  readonly peopleMax: number;
  /** Kinds of people who do not come. */
  readonly without: readonly string[];
}

const PEOPLE: Readonly<Record<PeopleKind, new (options: PersonOptions) => Person>> = {
  adapts: AdaptingPerson,
  grows: GrowingPerson,
  asks: AskingPerson,
  invents: InventingPerson,
  chats: ChattingPerson,
  evaluates: EvaluatingPerson,
  trains: DeployingPerson,
  listens: ListeningPerson,
};

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
    const { teams, strangers, peopleMax, without } = this.options;
    const { service, cloud, invariants } = this;
    const { kinds, people } = cloud.swarm;
    const coming = [...kinds].filter((kind) => !without.includes(kind));
    for (const [index, caller] of teams.entries()) {
      const stranger = strangers[index] as Caller;
      for (const kind of coming) {
        for (let n = 0; n < Math.min(people, peopleMax); n += 1) {
          const name = `${index}.${n} who ${kind}`;
          const random = this.random.fork(name);
          const who = { name, caller, stranger, service, cloud, invariants, random, crowd: this };
          this.#enter(new PEOPLE[kind](who), kind === 'listens' ? 0 : n);
        }
      }
    }
  }

  /** Has a person begin within the hours before the next one. */
  #enter(person: Person, n: number): void {
    const { cloud } = this;
    const { clock, tell } = cloud;
    const { name } = person;
    this.active += 1;
    clock.after(
      this.random.fork(`${name} begins`).next() * (n * 240 + 10) * MINUTE * cloud.swarm.pace,
      () => {
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
      },
    );
  }
}
