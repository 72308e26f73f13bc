import { DuplicateIndex } from '#shared/answers/decide/deduplication/duplicate-index.ts';
import { RECORD_WORDS, Signer } from '#shared/answers/decide/deduplication/signature.ts';

/** The prompts of a dataset, so that no row with the same or nearly the same prompt is added. */
export class KnownPrompts {
  readonly #index: DuplicateIndex;
  readonly #signer = new Signer();
  readonly #record = new Uint32Array(RECORD_WORDS);
  #count = 0;

  /** @param promptsMax prompts that will be added at most */
  constructor(promptsMax: number) {
    this.#index = new DuplicateIndex(promptsMax);
  }

  /** Whether nothing known asks this about the same context; it is known from then on. */
  add(prompt: string, about = ''): boolean {
    this.#record.fill(0);
    const [text, context] = [prompt.trim(), about.trim()];
    const identity = context === '' ? text : JSON.stringify([text, context]);
    this.#signer.sign({ identity, prompt: text, context, apart: null }, this.#record, 0);
    this.#count += 1;
    return this.#index.add(this.#count - 1, this.#record, 0) === null;
  }
}
