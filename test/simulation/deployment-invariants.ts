import { claimOfDeployment, DeploymentRecord } from '#shared/deployments/decide/record.ts';
import { keys } from '#shared/platform/store/keys.ts';
import type { Item } from '#shared/platform/store/table.ts';
import type { Change } from './simulated-table.ts';

const PARTITION = 'DEPLOYMENT#';
const RECORD = 'DEPLOYMENT';
const READY = 'READY#';
const MINUTE = 60_000;
const UNDER_WAY: readonly unknown[] = ['queued', 'preparing', 'importing', 'deleting'];

/** What SageMaker has. */
export interface Hosted {
  /** The names of all that is there. */
  names(): string[];
  /** Names of endpoints that have an instance. */
  running(): string[];
}

/** What has to be true of the deployments of trained models. */
export class DeploymentInvariants {
  readonly #records = new Map<string, DeploymentRecord>();
  /** Minutes that are counted of each, by its name. */
  readonly #minutes = new Map<string, number>();
  /** Who has claimed what, by the key of the claim. */
  readonly #holders = new Map<string, unknown>();
  private readonly breaks: (invariant: string, seen: string) => void;
  private readonly hosted: Hosted;

  constructor(breaks: (invariant: string, seen: string) => void, hosted: Hosted) {
    this.breaks = breaks;
    this.hosted = hosted;
  }

  /** Whether there is a deployment of this name. */
  has = (name: string): boolean => [...this.#records.values()].some((record) => record.name === name);

  /** Whether a process has claimed the deployment of this name, if there is one. */
  isClaimedBy(name: string, process: string): boolean {
    const record = [...this.#records.values()].find((each) => each.name === name);
    return record === undefined || this.#holders.get(claimKey(record.experiment_id)) === process;
  }

  look(changes: readonly Change[]): void {
    for (const { pk, after } of changes)
      if (pk.startsWith(CLAIM)) this.#holders.set(pk, after === undefined ? null : after.holder);
    const own = changes.filter(({ pk }) => pk.startsWith(PARTITION));
    let counted: number | null = null;
    for (const { sk, before, after } of own) {
      if (!sk.startsWith(READY)) continue;
      counted = minutesIn(after) - minutesIn(before);
      if (minutesIn(after) < 0) this.breaks('minutes are counted once', `${sk}: ${JSON.stringify(after)}`);
    }
    for (const { pk, sk, before, after } of own)
      if (sk === RECORD) this.#lookAtRecord(pk, before, after, counted);
    if (counted !== null && !own.some(({ sk }) => sk === RECORD))
      this.breaks('minutes are counted once', `${counted} minutes of no deployment`);
  }

  #lookAtRecord(pk: string, before: Item | undefined, after: Item | undefined, counted: number | null): void {
    const from = before === undefined ? null : DeploymentRecord.parse(before);
    const to = after === undefined ? null : DeploymentRecord.parse(after);
    if (to === null) this.#records.delete(pk);
    else this.#records.set(pk, to);
    if (from !== null && from.name !== to?.name) {
      const left = this.hosted.names().includes(from.name);
      if (left) this.breaks('no endpoint outlives its record', `${from.name} is ${from.status}, then gone`);
    }
    if (from === null || to === null || from.name !== to.name) return;
    this.#lookAtMinutes(from, to, counted);
  }

  /** Every minute for which a model is kept ready is counted for its team, and none twice. */
  #lookAtMinutes(from: DeploymentRecord, to: DeploymentRecord, counted: number | null): void {
    if (from.warm_until === to.warm_until && (counted ?? 0) === 0) return;
    const [old, next] = [Date.parse(from.warm_until ?? ''), Date.parse(to.warm_until ?? '')];
    const seen = `${from.warm_until} became ${to.warm_until} with ${counted} minutes of ${to.name}`;
    if (counted === null) {
      this.breaks('minutes are counted once', seen);
      return;
    }
    const minutes = (this.#minutes.get(to.name) ?? 0) + counted;
    this.#minutes.set(to.name, minutes);
    if (minutes < 0) this.breaks('minutes are counted once', `${seen}: more than was counted`);
    // What was counted, or is taken back, are minutes behind those that had been counted before.
    const [earlier, later] = counted > 0 ? [old, next] : [next, old];
    const begins = later - Math.abs(counted) * MINUTE;
    if (counted === 0 || Number.isNaN(later) || begins < earlier)
      this.breaks('minutes are counted once', seen);
  }

  /** Whether something is still being done for a deployment, or has an instance. */
  isBusy(): boolean {
    return (
      this.hosted.running().length > 0 ||
      [...this.#records.values()].some(({ status }) => UNDER_WAY.includes(status))
    );
  }

  lookAtEnd(): void {
    for (const { name, status } of this.#records.values()) {
      if (UNDER_WAY.includes(status)) this.breaks('what begins ends', `the deployment ${name} is ${status}`);
    }
    for (const name of this.hosted.names()) {
      if (!this.has(name)) this.breaks('no endpoint outlives its record', name);
    }
    for (const name of this.hosted.running())
      this.breaks('what is taken is given back', `the instance of ${name}, which nobody asks`);
  }
}

const claimKey = (experimentId: string): string => keys.claim(claimOfDeployment(experimentId)).pk;
/** What the keys of all claims of deployments begin with. */
const CLAIM = claimKey('');

const minutesIn = (item: Item | undefined): number => Number(item?.minutes ?? 0);
