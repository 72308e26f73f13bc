import { product, sketchVectors, type Vectors } from './vectors.ts';
import { WORD_NUMBERS, type WordSets } from './word-sets.ts';

/** The different texts of one side of the rows. */
export interface Side {
  /** Centred, of length 1. */
  readonly vectors: Vectors;
  readonly words: WordSets;
}

/** Numbers that say how well an answer fits a prompt. */
export const FIT_FEATURES = 3;

/** How well any answer of a column fits any of its prompts, in features that are about 0 for a random pair. */
export class FitFeatures {
  readonly #prompts: Side;
  readonly #answers: Side;
  /** Of each word: how much it tells if an answer shares it with a prompt. */
  readonly #information: Float32Array;
  /** Of each answer: the sum of what its words tell, and mean and variance of the shared part for a random prompt. */
  readonly #total: Float32Array;
  readonly #mean: Float32Array;
  readonly #variance: Float32Array;

  constructor(prompts: Side, answers: Side) {
    this.#prompts = prompts;
    this.#answers = answers;
    const count = prompts.words.count;
    const frequency = new Uint32Array(WORD_NUMBERS);
    for (const word of prompts.words.words) frequency[word] = (frequency[word] as number) + 1;
    this.#information = Float32Array.from(frequency, (texts) => Math.log((count + 1) / (texts + 0.5)));
    this.#total = new Float32Array(answers.words.count);
    this.#mean = new Float32Array(answers.words.count);
    this.#variance = new Float32Array(answers.words.count);
    const { starts, words } = answers.words;
    for (let answer = 0; answer < answers.words.count; answer += 1) {
      let [total, mean, variance] = [0, 0, 0];
      for (let at = starts[answer] as number; at < (starts[answer + 1] as number); at += 1) {
        const word = words[at] as number;
        const information = this.#information[word] as number;
        const share = (frequency[word] as number) / count;
        total += information;
        mean += information * share;
        variance += information ** 2 * share * (1 - share);
      }
      this.#total[answer] = total;
      this.#mean[answer] = mean;
      this.#variance[answer] = variance;
    }
  }

  /**
   * Writes three features: the cosine; how much more they share than a random pair does, in standard deviations; and
   * the share of the answer that the prompt has, by what words tell.
   */
  write(answer: number, prompt: number, to: Float64Array, start = 0): void {
    this.writeKnown(answer, this.#shared(answer, prompt), this.cosine(answer, prompt), to, start);
  }

  cosine(answer: number, prompt: number): number {
    return product(this.#answers.vectors, answer, this.#prompts.vectors, prompt);
  }

  /** Writes the features of an answer with a prompt, of which is known what their shared words tell and their cosine. */
  writeKnown(answer: number, shared: number, cosine: number, to: Float64Array, start = 0): void {
    const surplus = shared - (this.#mean[answer] as number);
    const deviation = Math.sqrt((this.#variance[answer] as number) + 1);
    // Scaled so that the three are about as large.
    to[start] = 5 * cosine;
    to[start + 1] = Math.min(4, Math.max(-1, surplus / deviation) / 2);
    to[start + 2] = (4 * surplus) / ((this.#total[answer] as number) + 4);
  }

  /** What an answer shares with each of some prompts, whose words are indexed once. */
  indexPrompts(prompts: readonly number[]): (answer: number, shared: Float64Array) => void {
    const { starts, words } = this.#prompts.words;
    const ends = new Uint32Array(WORD_NUMBERS + 1);
    const eachWord = (visit: (word: number, n: number) => void): void => {
      for (const [n, prompt] of prompts.entries()) {
        for (let at = starts[prompt] as number; at < (starts[prompt + 1] as number); at += 1)
          visit(words[at] as number, n);
      }
    };
    eachWord((word) => {
      ends[word + 1] = (ends[word + 1] as number) + 1;
    });
    for (let word = 0; word < WORD_NUMBERS; word += 1)
      ends[word + 1] = (ends[word + 1] as number) + (ends[word] as number);
    const places = ends.slice();
    const holders = new Uint32Array(ends[WORD_NUMBERS] as number);
    eachWord((word, n) => {
      holders[places[word] as number] = n;
      places[word] = (places[word] as number) + 1;
    });
    const answers = this.#answers.words;
    return (answer, shared) => {
      shared.fill(0);
      for (let at = answers.starts[answer] as number; at < (answers.starts[answer + 1] as number); at += 1) {
        const word = answers.words[at] as number;
        const information = this.#information[word] as number;
        for (let held = ends[word] as number; held < (ends[word + 1] as number); held += 1) {
          const n = holders[held] as number;
          shared[n] = (shared[n] as number) + information;
        }
      }
    };
  }

  /** Sketches of the vectors of some answers and some prompts, whose products are about their cosines. */
  sketch(answers: readonly number[], prompts: readonly number[]): { answers: Vectors; prompts: Vectors } {
    return {
      answers: sketchVectors(this.#answers.vectors, answers),
      prompts: sketchVectors(this.#prompts.vectors, prompts),
    };
  }

  #shared(answer: number, prompt: number): number {
    const { starts, words } = this.#answers.words;
    const other = this.#prompts.words;
    let at = starts[answer] as number;
    const end = starts[answer + 1] as number;
    let otherAt = other.starts[prompt] as number;
    const otherEnd = other.starts[prompt + 1] as number;
    let sum = 0;
    while (at < end && otherAt < otherEnd) {
      const word = words[at] as number;
      const otherWord = other.words[otherAt] as number;
      if (word === otherWord) sum += this.#information[word] as number;
      if (word <= otherWord) at += 1;
      if (otherWord <= word) otherAt += 1;
    }
    return sum;
  }
}
