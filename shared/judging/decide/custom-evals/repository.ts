import type { CustomEvalEnd, CustomEvalRecord } from './record.ts';

/** Stores custom evaluations, with their datasets. */
export interface CustomEvalRepository {
  create(customEval: CustomEvalRecord): Promise<void>;
  /** Consistent read. */
  find(datasetId: string, customEvalId: string): Promise<CustomEvalRecord | null>;
  /** The newest of a dataset, newest first; among more than a page of a query, some of the last second may be missing. */
  list(datasetId: string, limit: number): Promise<CustomEvalRecord[]>;
  /** `pending` → `running`; changes nothing if it has ended. */
  begin(datasetId: string, customEvalId: string): Promise<void>;
  /** Ends it once, with its event: changes nothing, and returns false, if it has ended. */
  end(
    customEval: Pick<CustomEvalRecord, 'team_id' | 'dataset_id' | 'custom_eval_id' | 'run_id'>,
    end: CustomEvalEnd,
  ): Promise<boolean>;
}
