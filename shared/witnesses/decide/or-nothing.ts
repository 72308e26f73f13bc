import { AskFailure } from '#shared/models/decide/ask-model.ts';

/** An answer, or null if the call was refused or answered uselessly: then the witness says nothing. */
export async function orNothing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
    return null;
  }
}
