/** A row that a search found. */
export interface FoundRow {
  readonly dataset_id: string;
  /** Name of the dataset, as callers know it. */
  readonly dataset_name: string;
  /** Its place in the dataset, from 0. */
  readonly row: number;
  /** What the model reads: the row's prompt and its answer. */
  readonly text: string;
  /** Between 0 and 1; the higher the better, among the rows of one search. */
  readonly score: number;
}

export interface DatasetSearch {
  /**
   * The `limit` rows that fit the query best, over all the datasets, the best first: exact, by meaning and by words.
   * @throws {ServiceError} `dataset_not_found` where one is not the team's, `dataset_not_adapted`, `index_not_ready`
   *   while the index of one is being built
   */
  search(
    teamId: string,
    datasetIds: readonly string[],
    query: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly FoundRow[]>;
  /** The same refusals without a search, before anything is answered. @throws {ServiceError} */
  requireSearchable(teamId: string, datasetIds: readonly string[]): Promise<void>;
}
