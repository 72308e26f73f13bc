/** Credits per 100 output rows, rounded up to whole hundreds. */
export const creditsPerHundredRows = {
  text: 1,
  image_context: 10,
  invented: 10,
  augmented: 1,
  /** Rows that a training adds before it starts. */
  training_augmented: 10,
} as const;
export type RowPrice = keyof typeof creditsPerHundredRows;

/** A price as the API document says it, of `rows` such as `added rows`. */
export function perHundred(price: RowPrice, rows = 'rows'): string {
  const credits: number = creditsPerHundredRows[price];
  return `${credits} ${credits === 1 ? 'credit' : 'credits'} per 100${rows === '' ? '' : ` ${rows}`}`;
}
