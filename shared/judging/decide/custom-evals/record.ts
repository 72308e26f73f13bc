import * as z from 'zod';
import { CustomEval } from '../../schema/custom-eval.ts';

/** A custom evaluation as it is stored. */
export const CustomEvalRecord = CustomEval.extend({
  team_id: z.string(),
  /** The run whose sample is scored. */
  run_id: z.string(),
});
export type CustomEvalRecord = z.infer<typeof CustomEvalRecord>;

/** The outcome. */
export type CustomEvalEnd = Pick<
  CustomEvalRecord,
  | 'status'
  | 'score_before'
  | 'score_after'
  | 'improvement_percent'
  | 'scored_rows'
  | 'error_message'
  | 'completed_at'
>;

/** Hours after which an open evaluation has failed: its state machine has been stopped. */
const HOURS_MAX = 7;

/** Converts the record for callers. `now` is in milliseconds since the epoch. */
export function toCustomEval(record: CustomEvalRecord, now: number): CustomEval {
  const { team_id: _team, run_id: _run, ...shown } = record;
  const isOpen = record.status === 'pending' || record.status === 'running';
  return isOpen && now - Date.parse(record.created_at) > HOURS_MAX * 3_600_000
    ? { ...shown, status: 'failed', error_message: 'The evaluation was interrupted. Start it again.' }
    : shown;
}
