/** A row that a search found. */
export interface FoundRow {
  readonly dataset_id: string;
  /** Name of the dataset. */
  readonly dataset_name: string;
  /** Its index in the dataset, from 0. */
  readonly row: number;
  /** The text for the model: the row's prompt and its answer. */
  readonly text: string;
  /** Between 0 and 1; higher is better within one search. */
  readonly score: number;
}

export interface DatasetSearch {
  /**
   * The `limit` best rows for the query over all the datasets, best first: exact, by vectors and words.
   * @throws {ServiceError} `dataset_not_found` if one is not the team's, `dataset_not_adapted`, `index_not_ready` while
   * an index is being built
   */
  search(
    teamId: string,
    datasetIds: readonly string[],
    query: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly FoundRow[]>;
  /** The same checks without a search, before the response starts. @throws {ServiceError} */
  requireSearchable(teamId: string, datasetIds: readonly string[]): Promise<void>;
}
