import type { Schemas } from 'tunesmith';
import { words } from '../format.ts';

type Stage = NonNullable<Schemas['Progress']['stage']>;

const STAGES: Readonly<Record<Stage, string>> = {
  measuring_judge:
    'It is measured how far the judge model can be believed: once for each model, up to 15 minutes with a slow one.',
  looking_at_rows: 'Code of the rows is run, and the rows are compared.',
};

/** What is done before the first row; null where rows are worked on. */
export const stageWords = (stage: string | null | undefined): string | null =>
  stage == null ? null : Object.hasOwn(STAGES, stage) ? STAGES[stage as Stage] : words(stage);
