import type { Schemas } from 'tunesmith';
import type { ColumnMapping } from '../adapt/mapping.ts';
import type { Length, Problems } from '../adapt/settings.ts';

export type PilotArm = Schemas['PilotArm'];
export type PilotRequest = Schemas['PilotRequest'];

/** The range that the service takes. */
export const ARMS_MAX = 8;
export const SAMPLE_ROWS = { min: 2, default: 30, max: 200 } as const;
export const NAME_CHARACTERS_MAX = 60;

/** An arm as it is typed. */
export interface ArmDraft {
  /** Tells drafts apart while they are added and removed. */
  readonly id: number;
  readonly name: string;
  readonly length: Length | '';
  /** Empty leaves it to the service: prompts are rephrased where a prompt column is mapped. */
  readonly rephrase: 'yes' | 'no' | '';
  readonly reasoningTraces: boolean;
  readonly preferencePairs: boolean;
  readonly blueprint: string;
}

/** What a pilot compares, as it is typed. */
export interface PilotForm {
  readonly isAuto: boolean;
  readonly arms: readonly ArmDraft[];
  readonly sampleRows: string;
}

const PLAIN = {
  length: '',
  rephrase: '',
  reasoningTraces: false,
  preferencePairs: false,
  blueprint: '',
} as const;

/** Two arms to begin with: as a run is by default, and with shorter answers. */
export const NEW_FORM: PilotForm = {
  isAuto: true,
  arms: [
    { id: 1, name: 'Default', ...PLAIN },
    { id: 2, name: 'Concise', ...PLAIN, length: 'concise' },
  ],
  sampleRows: '',
};

const nextId = (arms: readonly ArmDraft[]): number => Math.max(0, ...arms.map(({ id }) => id)) + 1;

/** One more arm at the end; none beyond what a pilot takes. */
export function withArm(arms: readonly ArmDraft[]): readonly ArmDraft[] {
  return arms.length >= ARMS_MAX ? arms : [...arms, { id: nextId(arms), name: '', ...PLAIN }];
}

/** Without one of the arms; the last one stays. */
export function withoutArm(arms: readonly ArmDraft[], id: number): readonly ArmDraft[] {
  return arms.length <= 1 ? arms : arms.filter((arm) => arm.id !== id);
}

/** Proposed arms to go on from. Their ids are new, so that the fields are made anew. */
export function draftsOf(proposed: readonly PilotArm[], earlier: readonly ArmDraft[]): ArmDraft[] {
  const first = nextId(earlier);
  return proposed.slice(0, ARMS_MAX).map((arm, index) => {
    const { prompt_rephrase: rephrase, reasoning_traces: traces } = arm.recipe_specification?.recipes ?? {};
    return {
      id: first + index,
      name: arm.name ?? '',
      length: arm.brand_controls?.length ?? '',
      rephrase: rephrase === undefined ? '' : rephrase ? 'yes' : 'no',
      reasoningTraces: traces === true,
      preferencePairs: arm.training_type === 'preference_pairs',
      blueprint: arm.brand_controls?.blueprint ?? '',
    };
  });
}

/** An arm as the service takes it. What is as the service has it by default is left out. */
export function armOf(draft: ArmDraft): PilotArm {
  const { length, rephrase, blueprint } = draft;
  const name = draft.name.trim();
  const recipes = {
    ...(rephrase === '' ? {} : { prompt_rephrase: rephrase === 'yes' }),
    ...(draft.reasoningTraces ? { reasoning_traces: true } : {}),
  };
  const controls = {
    ...(length === '' ? {} : { length }),
    ...(blueprint.trim() === '' ? {} : { blueprint }),
  };
  return {
    ...(name === '' ? {} : { name }),
    ...(Object.keys(recipes).length === 0 ? {} : { recipe_specification: { recipes } }),
    ...(Object.keys(controls).length === 0 ? {} : { brand_controls: controls }),
    ...(draft.preferencePairs ? { training_type: 'preference_pairs' as const } : {}),
  };
}

/** The request of a form, without a key. */
export function pilotRequestOf(mapping: ColumnMapping, form: PilotForm): PilotRequest {
  const rows = form.sampleRows.trim();
  return {
    column_mapping: mapping,
    arms: form.isAuto ? 'auto' : form.arms.map(armOf),
    ...(rows === '' ? {} : { sample_rows: Number(rows) }),
  };
}

/** The same request as the launch of a pilot. */
export const launchOf = (request: PilotRequest, key: string): PilotRequest => ({
  ...request,
  job_specification: { idempotency_key: key },
});

/** The most rows that a sample of a dataset can have. */
export const sampleRowsMax = (rowCount: number): number => Math.min(SAMPLE_ROWS.max, rowCount);

/** What is wrong with the number of rows before the service is asked. */
export function problemOfRows(typed: string, rowCount: number): string | undefined {
  const text = typed.trim();
  const most = sampleRowsMax(rowCount);
  if (text === '') return undefined;
  const isWhole = /^\d{1,9}$/.test(text);
  return isWhole && Number(text) >= SAMPLE_ROWS.min && Number(text) <= most
    ? undefined
    : `Type a whole number from ${SAMPLE_ROWS.min} to ${most}, or nothing.`;
}

/** Arms that do the same, by the number of the arm; a pilot would be refused. Names make no difference. */
export function problemsOfArms(arms: readonly ArmDraft[]): ReadonlyMap<number, string> {
  const problems = new Map<number, string>();
  const seen = new Map<string, number>();
  for (const [index, arm] of arms.entries()) {
    const { name: _, ...settings } = armOf(arm);
    const same = JSON.stringify(settings);
    const twin = seen.get(same);
    if (twin === undefined) seen.set(same, index + 1);
    else problems.set(index + 1, `This arm does the same as arm ${twin}: change or remove it.`);
  }
  return problems;
}

/** What the service says of a field of an arm, by the number of the arm. */
export function refusedArms(problems: Problems): ReadonlyMap<number, string> {
  const refused = new Map<number, string>();
  for (const [path, message] of problems) {
    const place = /^arms(?:\.|\[)(\d+)/.exec(path)?.[1];
    if (place === undefined) continue;
    const arm = Number(place) + 1;
    refused.set(arm, refused.has(arm) ? `${refused.get(arm)} ${message}` : message);
  }
  return refused;
}
