/** Why an answer is wrong. */
export interface Fault {
  /** Continues "The answer …". */
  readonly why: string;
  /** The right answer in the demanded form; null if no program can write it. */
  readonly expected: string | null;
}
