import { ServiceError } from '#shared/platform/errors/service-error.ts';

const INSTEAD =
  'Invent an instruction_dataset, or ask your operator to configure another judge (MODEL_ID_JUDGE).';

/** The refusal of pairs that nothing could tell the better answer of: of two sound answers only a judge says which it is. */
export const withoutJudge = (problem: string): ServiceError => {
  const message = `preference_pairs need a judge that says which of two answers is better, and ${problem}`;
  return new ServiceError('not_available_yet', `${message}. ${INSTEAD}`, {
    details: [{ path: 'training_type', message }],
  });
};

/**
 * Refuses pairs where no judge is configured. How far one is believed is measured by the run, which keeps launches small.
 * @throws {ServiceError} `not_available_yet`
 */
export function requireJudge(judgeModelId: string | null): void {
  if (judgeModelId === null) throw withoutJudge('this installation has no judge model');
}
