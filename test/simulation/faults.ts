import type { SeededRandom } from './random.ts';

/**
 * What can go wrong, with how often it does in a simulation of ordinary weather, of a thousand occasions. Each is something that
 * AWS documents, or that happens to any process.
 */
export const PER_THOUSAND = {
  /** The process of a function is gone before its next request is sent. */
  'crash before': 1,
  /** The same, after it was sent: it takes effect, and nobody hears of it. */
  'crash after': 1,
  /** An invocation hangs until its limit. */
  'function hangs': 0.5,
  /** A request takes seconds. */
  slow: 10,
  /** Every request of one function takes part of a second, so that what others do falls between two of its own. */
  'function dawdles': 20,
  /** A process stands still before a request, until another one writes one of the same items or objects, or for a while. */
  'stands still': 5,
  /** DynamoDB throttles. */
  throttled: 4,
  /** `TransactionConflict`: another transaction has an item of this one. */
  conflict: 5,
  /** The answer to a write is lost, and the SDK sends the write again. */
  'sent twice': 3,
  /** A server error after a write took effect. */
  'answer lost': 0.7,
  /** A server error before it did. */
  refused: 0.7,
  /** An index lags behind its table by seconds. */
  'index lags': 10,
  /** A page of a query has fewer items than were asked for. */
  'short page': 40,
  /** Lambda has no place for an invocation. */
  'no place': 5,
  /** Who waits for a function loses the connection, while the function goes on. */
  'invocation forgotten': 4,
  /** An asynchronous invocation runs twice. */
  'invoked twice': 15,
  /** The same comes minutes late. */
  'invoked late': 20,
  /** The start of an execution, or of an invocation, fails after it took effect. */
  'start unheard': 8,
  /** The same, before it did. */
  'start refused': 5,
  /** `DescribeExecution` answers what was true seconds ago. */
  'state outdated': 50,
  /** The end of an execution is not reported. */
  'end unreported': 80,
  /** Records of the stream come late. */
  'stream late': 20,
  /** Records of the stream come twice. */
  'stream twice': 20,
  /** Every attempt to hand records of the stream over fails. */
  'stream gives up': 20,
  /** The caller loses the connection before the request arrives. */
  'request lost': 8,
  /** The caller loses it before the answer arrives. */
  'response lost': 15,
  /** A message of a queue comes twice. */
  'message twice': 20,
  /** A message of a queue comes minutes late. */
  'message late': 20,
  /** The machine of a trainer is taken away. */
  'trainer dies': 8,
  /** A trainer stands still for ten minutes, between two heartbeats. */
  'trainer stalls': 4,
  /** A trainer fails by itself. */
  'trainer fails': 100,
  /** It tells the state machine twice what it has to report. */
  'trainer reports twice': 200,
  /** A machine of SageMaker's is interrupted, and its job starts again. */
  'job interrupted': 100,
  /** AWS has no instance for a training job. */
  'no instance': 60,
  /** A state of a training job is not reported. */
  'job unreported': 80,
  /** The account has no room for another training job. */
  'no room': 100,
  /** All functions are deployed anew: their processes are gone, and with them what they had in memory. Drawn once an hour. */
  redeployment: 60,
  /** An endpoint, or the model on it, does not start. */
  'endpoint fails': 60,
  /** The receiver of a webhook is away for half an hour. */
  'receiver away': 15,
  /** It answers with an error. */
  'receiver fails': 40,
  /** It takes an event, and answers too late. */
  'receiver late': 30,
  'model throttled': 5,
  'model unavailable': 5,
  'model answers nonsense': 5,
  /** An execution fails by itself, as by `States.Runtime`, or because somebody stopped it, before one of its states. */
  'execution fails': 4,
  /** A process stands still before it writes an object, with what was true when it made it. */
  'late object': 10,
  /** Every call of the model that answers requests is throttled, for a minute, half an hour or hours. */
  'model overloaded': 0.5,
} as const;

export type FaultKind = keyof typeof PER_THOUSAND;
export const FAULT_KINDS = Object.keys(PER_THOUSAND) as FaultKind[];

export interface FaultLimits {
  /** Kinds that do not strike. */
  readonly without?: readonly string[];
  /** Faults that do not strike, by their numbers. */
  readonly skipped?: ReadonlySet<number>;
}

/** A fault that struck, with its number. */
export interface StruckFault {
  readonly number: number;
  readonly kind: FaultKind;
}

/** Decides at each occasion whether a fault strikes. */
export class Faults {
  readonly struck: StruckFault[] = [];
  /** Occasions so far. */
  points = 0;
  isOver = false;
  readonly #dawdling = new Map<string, boolean>();

  /** Of each kind, so that one that a simulation does not have changes nothing of the others. */
  readonly #random: ReadonlyMap<FaultKind, SeededRandom>;
  /** How often each kind strikes, of each occasion. */
  private readonly rates: ReadonlyMap<FaultKind, number>;
  private readonly limits: FaultLimits;
  private readonly tell: (text: string) => void;

  constructor(
    random: SeededRandom,
    rates: ReadonlyMap<FaultKind, number>,
    limits: FaultLimits,
    tell: (text: string) => void,
  ) {
    this.#random = new Map(FAULT_KINDS.map((kind) => [kind, random.fork(kind)]));
    this.rates = rates;
    this.limits = limits;
    this.tell = tell;
  }

  /** Whether a function dawdles, which is decided once a simulation. */
  dawdles(functionId: string): boolean {
    const known = this.#dawdling.get(functionId);
    if (known !== undefined) return known && !this.isOver;
    const isDrawn = this.strikes('function dawdles', () => functionId);
    this.#dawdling.set(functionId, isDrawn);
    return isDrawn;
  }

  /** @param where said in the story */
  strikes(kind: FaultKind, where: () => string): boolean {
    this.points += 1;
    const isDrawn = this.#random.get(kind)?.chance(this.rates.get(kind) ?? 0) === true;
    if (!isDrawn || this.isOver) return false;
    const number = this.struck.length;
    this.struck.push({ number, kind });
    const { without = [], skipped } = this.limits;
    if (without.includes(kind) || skipped?.has(number) === true) return false;
    this.tell(`fault ${number}: ${kind}, ${where()}`);
    return true;
  }
}
