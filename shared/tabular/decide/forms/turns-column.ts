/** The column of the turns that rows came with, of which a run has written prompts. */
export interface TurnsColumn {
  /** Its name in the download. */
  readonly name: string;
  /** Whether its cells have their answers, too, and not a column of completions. */
  readonly isWhole: boolean;
}
