/** How an example states its result, which says how far it is believed. */
export type Notation =
  /** `>>> f(1)` and the output below it. */
  | 'doctest'
  /** `assert f(1) == 2`, `f(1) == 2`, `f(1) -> 2`, `f(1) returns 2`. */
  | 'call'
  /** `Input: n = 1 Output: 2`, `For n = 1 the output should be 2`. */
  | 'prose'
  /** `>>> f(1) == 2` without an output: doctest would reject it, so nobody has run it. */
  | 'unrun';

/** One example: an expression and what it should yield. */
export interface Example {
  readonly type: 'example';
  readonly notation: Notation;
  /** The example as the row has it. */
  readonly quote: string;
  readonly expression: string;
  /** The expected value as a literal of the language; null if the expected text is output or an exception. */
  readonly literal: string | null;
  /** The expected text as it stands in the row. */
  readonly text: string;
  /** The name of the exception that it expects. */
  readonly raises: string | null;
  /** Whether the row says that the order of the result is free. */
  readonly anyOrder: boolean;
}

/** A statement that examples below it need, as `>>> numbers = [1, 2]`. */
interface Setup {
  readonly type: 'setup';
  readonly code: string;
}

/** A test that the row brings: statements with assertions, or a function `check(candidate)`. */
interface Test {
  readonly type: 'test';
  readonly code: string;
}

export type Check = Example | Setup | Test;

/** A program and what it is checked against, in this order. */
export interface CodeJob {
  readonly language: 'python' | 'javascript';
  /** Code of the prompt that the program may need. Its errors are ignored. */
  readonly prelude: string;
  readonly code: string;
  /** The function that a `check(candidate)` is about. */
  readonly entry: string | null;
  readonly checks: readonly Check[];
}

/** A query and the statements that create its schema. */
export interface SqlJob {
  readonly language: 'sql';
  readonly schema: readonly string[];
  readonly query: string;
}

export type Job = CodeJob | SqlJob;

/** What became of one check. */
export interface Outcome {
  readonly is:
    | 'passed'
    | 'failed'
    /** An exception ended it. */
    | 'raised'
    /** Nothing can be said: the values are of types that do not compare, or the check itself is at fault. */
    | 'unclear';
  /** What came instead, as the language writes it. */
  readonly came: string;
  /** The assertion that failed, where the check is a test. */
  readonly assertion?: string | undefined;
}

/** How a job ended. */
export interface Ran {
  readonly end:
    | 'done'
    /** The program does not compile, or the query is incomplete. */
    | 'invalid'
    /** The program raised before any check. */
    | 'raised'
    /** It needs what the sandbox lacks: a package, a file, an input. */
    | 'unsupported'
    | 'timeout'
    | 'memory'
    /** The interpreter broke off. */
    | 'crashed';
  readonly message: string;
  /** The outcomes of the first checks: all, unless the job ended early. */
  readonly outcomes: readonly Outcome[];
}

/** Runs code that nobody has seen. No job makes `run` reject, apart from an aborted signal. */
export interface Sandbox {
  readonly run: (job: Job, signal?: AbortSignal) => Promise<Ran>;
  /** Ends its threads. A job that is run afterwards starts new ones. */
  readonly close: () => Promise<void>;
}
