import { safetyCell } from '#shared/judging/decide/safety/safety-scores.ts';
import { type AdaptationSpecification, asksModel } from './specification.ts';

/** Which columns a run with this specification adds to its source's, for all that shows, compares or merges its rows (`adaptedColumns`). */
export const addedBy = (specification: AdaptationSpecification) => ({
  ...(specification.conversations === undefined ? {} : { conversations: specification.conversations }),
  ...(specification.carried === undefined ? {} : { carried: specification.carried }),
  reasoningTrace: specification.reasoning_traces,
  preferencePairs: specification.training_type === 'preference_pairs',
  expansion: specification.expansion !== null,
  doubts: asksModel(specification),
  ...(specification.safety === null ? {} : { notScored: safetyCell('not_selected') }),
});
