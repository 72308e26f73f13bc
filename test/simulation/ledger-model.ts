import type { RunStep } from './invariants.ts';

/*
 * A formal model of the ledger, of runs, and of the attempts to launch and to end them: what the transactions of the service may do
 * to one another, and nothing of how they do it. It is explored exhaustively (`explore`), and simulated runs are held to it
 * (`validate`). Read `actions` from top to bottom: that is the protocol.
 */

/** An attempt of a caller to launch a run with the key of its run: the first one, or a repetition. */
export type Attempt =
  /** Not sent, or unheard. */
  | 'idle'
  /** The first one: its transaction is written, its request not yet. */
  | 'launched'
  /** Its request is stored, the execution not yet started. */
  | 'stored'
  /** A repetition that has read the run as active, and marks it next. */
  | 'repeating'
  /** A repetition that has marked the run, and starts it next. */
  | 'marked'
  /** The first one, whose start failed: it ends the run next. */
  | 'failing'
  /** Told of the run. */
  | 'told'
  /** Told to try again. */
  | 'refused'
  /** Its process is gone. */
  | 'dead';

export interface ModelRun {
  readonly status: 'none' | 'active' | 'ended';
  /** Whether it ended as one that was never started. */
  readonly isUnstarted: boolean;
  readonly isRequestStored: boolean;
  /** A repetition was answered with it. */
  readonly isMarked: boolean;
  readonly execution: 'missing' | 'running' | 'over';
  readonly credits: number;
  readonly billed: number | null;
  /** How often it was billed. */
  readonly bills: number;
  /** Those who want to end it, each with a bill: its state machine, the listener to ended executions, the sweep. */
  readonly enders: readonly number[];
}

export interface ModelState {
  readonly granted: number;
  readonly available: number;
  readonly held: number;
  readonly settled: number;
  readonly runs: readonly ModelRun[];
  /** The first attempt and the repetitions of each run. */
  readonly attempts: readonly (readonly Attempt[])[];
}

export interface Action {
  readonly name: string;
  readonly next: ModelState;
}

export interface ModelSize {
  readonly runs: number;
  readonly credits: number;
  readonly granted: number;
  /** Attempts of each run: the first, and its repetitions. */
  readonly attempts: number;
  /** Ends that are tried of each run. */
  readonly enders: number;
}

export const initial = ({ runs, credits, granted, attempts }: ModelSize): ModelState => ({
  granted,
  available: granted,
  held: 0,
  settled: 0,
  runs: Array.from({ length: runs }, () => ({
    status: 'none',
    isUnstarted: false,
    isRequestStored: false,
    isMarked: false,
    execution: 'missing',
    credits,
    billed: null,
    bills: 0,
    enders: [],
  })),
  attempts: Array.from({ length: runs }, () => Array.from({ length: attempts }, () => 'idle')),
});

/** One transaction: reserves the credits and writes the run; null where it is refused. */
export function launch(state: ModelState, n: number): ModelState | null {
  const run = state.runs[n];
  if (run === undefined || run.status !== 'none' || run.credits > state.available) return null;
  return withRun({ ...state, available: state.available - run.credits, held: state.held + run.credits }, n, {
    status: 'active',
  });
}

/** One transaction: bills the run and returns the rest; the state itself where it has ended, or may not end so. */
export function end(state: ModelState, n: number, bill: number, isUnstarted = false): ModelState {
  const run = state.runs[n];
  if (run?.status !== 'active' || (isUnstarted && run.isMarked)) return state;
  return withRun(
    {
      ...state,
      held: state.held - run.credits,
      settled: state.settled + bill,
      available: state.available + run.credits - bill,
    },
    n,
    { status: 'ended', billed: bill, bills: run.bills + 1, isUnstarted },
  );
}

/** Everything that may happen next, in any order, by any process, any of which may die after any step. */
export function actions(state: ModelState, { enders }: Pick<ModelSize, 'enders'>): Action[] {
  const possible: Action[] = [];
  const may = (name: string, next: ModelState | null): void => {
    if (next !== null && next !== state) possible.push({ name, next });
  };
  for (const [n, run] of state.runs.entries()) {
    for (const [m, attempt] of (state.attempts[n] ?? []).entries()) {
      const to = (next: Attempt, of: ModelState | null = state): ModelState | null =>
        of && withAttempt(of, n, m, next);
      const isFirst = m === 0;
      if (attempt === 'idle' && isFirst) may(`run ${n} is launched`, to('launched', launch(state, n)));
      if (attempt === 'idle' && !isFirst && run.status === 'active')
        may(`repetition ${m} of run ${n} reads it`, to('repeating'));
      if (attempt === 'idle' && !isFirst && run.status === 'ended') {
        // A run that was not started frees its key: its repetition is a launch of another run.
        may(`repetition ${m} of run ${n} is answered`, to(run.isUnstarted ? 'refused' : 'told'));
      }
      if (attempt === 'launched')
        may(`run ${n} has its request`, to('stored', withRun(state, n, { isRequestStored: true })));
      if (attempt === 'launched' || attempt === 'stored') may(`the start of run ${n} fails`, to('failing'));
      if (attempt === 'stored') {
        may(`run ${n} is started`, to('told', started(state, n)));
        may(`run ${n} is started, unheard`, to('failing', started(state, n)));
      }
      if (attempt === 'failing') {
        const ended = end(state, n, 0, true);
        may(`run ${n} ends as not started, or is left to a repetition`, to('refused', ended));
      }
      if (attempt === 'repeating') {
        const isMarked = run.status === 'active';
        may(
          `repetition ${m} of run ${n} marks it`,
          isMarked ? to('marked', withRun(state, n, { isMarked })) : to('refused'),
        );
      }
      if (attempt === 'marked') {
        may(
          `repetition ${m} of run ${n} starts it`,
          to('told', run.isRequestStored ? started(state, n) : state),
        );
        may(`repetition ${m} of run ${n} fails`, to('refused'));
      }
      if (!['idle', 'told', 'refused', 'dead'].includes(attempt))
        may(`attempt ${m} of run ${n} dies`, to('dead'));
    }
    if (run.status === 'active' && run.enders.length < enders) {
      // The machine bills what was delivered; what ends an interrupted run may count less.
      for (const bill of [0, run.credits]) {
        may(
          `something is to end run ${n} with ${bill}`,
          withRun(state, n, { enders: [...run.enders, bill] }),
        );
      }
    }
    for (const bill of new Set(run.enders)) {
      const left = run.enders.toSpliced(run.enders.indexOf(bill), 1);
      may(`run ${n} ends with ${bill}`, withRun(end(state, n, bill), n, { enders: left }));
      may(`what was to end run ${n} with ${bill} dies`, withRun(state, n, { enders: left }));
    }
    if (run.execution === 'running')
      may(`the execution of run ${n} is over`, withRun(state, n, { execution: 'over' }));
    const isLeft = run.status === 'active' && run.execution !== 'running';
    const isUnderWay = (state.attempts[n] ?? []).some((each) =>
      ['launched', 'stored', 'marked', 'failing'].includes(each),
    );
    // The sweep looks at runs that are older than a launch takes.
    if (isLeft && !isUnderWay) may(`the sweep ends run ${n}`, end(state, n, 0));
  }
  return possible;
}

/** What has to hold of every state; the names are those of the simulation's invariants. */
export const properties: Readonly<Record<string, (state: ModelState) => boolean>> = {
  'credits are conserved': ({ granted, available, held, settled }) =>
    available === granted - held - settled && available >= 0 && held >= 0,
  'what is held are the holds': ({ held, runs }) =>
    held === sum(runs.map(({ status, credits }) => (status === 'active' ? credits : 0))),
  'a run is charged once': ({ runs, settled }) =>
    runs.every(({ bills }) => bills <= 1) && settled === sum(runs.map(({ billed }) => billed ?? 0)),
  'a run is billed what it reserved at most': ({ runs }) =>
    runs.every(({ billed, credits }) => (billed ?? 0) <= credits),
  'what a caller was told stays true': ({ runs, attempts }) =>
    runs.every(({ isUnstarted }, n) => !isUnstarted || attempts[n]?.includes('told') === false),
};

/** Of states in which nothing more can happen. */
export const endProperties: Readonly<Record<string, (state: ModelState) => boolean>> = {
  'no hold outlives its run': ({ held }) => held === 0,
  'what begins ends': ({ runs }) => runs.every(({ status }) => status !== 'active'),
};

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  /** The shortest way to a state that breaks a property; null if none does. */
  readonly counterexample: { readonly property: string; readonly way: readonly string[] } | null;
}

/** Visits every state that can be reached, breadth first. */
export function explore(
  size: ModelSize,
  next: (state: ModelState, size: ModelSize) => readonly Action[] = actions,
): Explored {
  const first = initial(size);
  const seen = new Map<string, { readonly from: string | null; readonly by: string }>([
    [keyOf(first), { from: null, by: '' }],
  ]);
  let frontier = [first];
  let transitions = 0;
  const wayTo = (key: string): string[] => {
    const way: string[] = [];
    for (let at: string | null = key; at !== null; ) {
      const { from, by }: { from: string | null; by: string } = seen.get(at) ?? { from: null, by: '' };
      if (from !== null) way.unshift(by);
      at = from;
    }
    return way;
  };
  while (frontier.length > 0) {
    const further: ModelState[] = [];
    for (const state of frontier) {
      const key = keyOf(state);
      const possible = next(state, size);
      transitions += possible.length;
      const held = possible.length === 0 ? { ...properties, ...endProperties } : properties;
      const broken = Object.entries(held).find(([, holds]) => !holds(state));
      if (broken !== undefined)
        return { states: seen.size, transitions, counterexample: { property: broken[0], way: wayTo(key) } };
      for (const { name, next: reached } of possible) {
        const reachedKey = keyOf(reached);
        if (seen.has(reachedKey)) continue;
        seen.set(reachedKey, { from: key, by: name });
        further.push(reached);
      }
    }
    frontier = further;
  }
  return { states: seen.size, transitions, counterexample: null };
}

/**
 * Holds what the ledger of the service has done to the model: each launch and each end has to be a step that the model allows, and the
 * model has to arrive at the same balance.
 * @returns the first step that the model does not allow; null if it allows all
 */
export function validate(granted: number, steps: readonly RunStep[]): string | null {
  const numbers = new Map<string, number>();
  let state: ModelState = { granted, available: granted, held: 0, settled: 0, runs: [], attempts: [] };
  for (const { run, step, credits } of steps) {
    if (step === 'launch') {
      numbers.set(run, state.runs.length);
      const [fresh] = initial({ runs: 1, credits, granted, attempts: 1, enders: 0 }).runs;
      const launched = launch({ ...state, runs: [...state.runs, fresh as ModelRun] }, state.runs.length);
      if (launched === null) return `the model refuses to launch ${run} for ${credits} credits`;
      state = launched;
    } else {
      const n = numbers.get(run);
      const ended = n === undefined ? state : end(state, n, credits);
      if (ended === state) return `the model refuses to end ${run} with ${credits} credits`;
      state = ended;
    }
    const broken = Object.entries(properties).find(([, holds]) => !holds(state));
    if (broken !== undefined) return `${broken[0]}: after the ${step} of ${run}`;
  }
  return null;
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Bills and attempts that differ in nothing but their order are the same. */
const keyOf = (state: ModelState): string =>
  JSON.stringify([
    state.available,
    state.held,
    state.settled,
    state.runs.map((run) => ({ ...run, enders: run.enders.toSorted() })),
    state.attempts,
  ]);

const withRun = (state: ModelState, n: number, fields: Partial<ModelRun>): ModelState => ({
  ...state,
  runs: state.runs.map((run, each) => (each === n ? { ...run, ...fields } : run)),
});

const withAttempt = (state: ModelState, n: number, m: number, next: Attempt): ModelState => ({
  ...state,
  attempts: state.attempts.map((of, run) =>
    run === n ? of.map((attempt, each) => (each === m ? next : attempt)) : of,
  ),
});

/** An execution starts at most once. */
const started = (state: ModelState, n: number): ModelState =>
  state.runs[n]?.execution === 'missing' ? withRun(state, n, { execution: 'running' }) : state;
