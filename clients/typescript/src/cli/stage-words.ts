/** What a run does before its first row, by the stages that the service names. */
const STAGES: Readonly<Record<string, string>> = {
  measuring_judge:
    'Measuring how far the judge model can be believed (once for each model, up to 15 minutes)',
  looking_at_rows: 'Running code of the rows, and comparing them',
};

/** What a run does before its first row; null where rows are worked on. */
export const stageWords = (stage: string | null | undefined): string | null =>
  stage == null
    ? null
    : Object.hasOwn(STAGES, stage)
      ? (STAGES[stage] as string)
      : stage.replaceAll('_', ' ');
