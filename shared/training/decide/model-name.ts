import type { TrainingRecord } from './record.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DIGITS = /^[0-9a-f]{32}$/;

/** The 32 hexadecimal digits of a UUID. */
export const digitsOf = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase();

/** The UUID of 32 hexadecimal digits; null for anything else. */
export function uuidOf(digits: string): string | null {
  if (!DIGITS.test(digits)) return null;
  const at = (from: number, to: number): string => digits.slice(from, to);
  return `${at(0, 8)}-${at(8, 12)}-${at(12, 16)}-${at(16, 20)}-${at(20, 32)}`;
}

/** Without the owner of the base model: a slash in a name would part the path of `/models/{model}`. */
const baseOf = (model: string): string => model.slice(model.lastIndexOf('/') + 1);

/** The name that OpenAI's API gives the model of a training: `ft:<base model>:<team>:<suffix>:<digits of the training>`. */
export function fineTunedModelOf({
  model,
  team_id,
  fine_tuning,
  experiment_id,
}: Pick<TrainingRecord, 'model' | 'team_id' | 'fine_tuning' | 'experiment_id'>): string {
  return `ft:${baseOf(model)}:${team_id}:${fine_tuning?.suffix ?? ''}:${digitsOf(experiment_id)}`;
}

/** The training whose model a name means: an `ft:` name, or the id of the training itself. Null for other names. */
export function trainingIdOfModel(name: string): string | null {
  if (UUID.test(name)) return name.toLowerCase();
  return name.startsWith('ft:') ? uuidOf(name.slice(name.lastIndexOf(':') + 1)) : null;
}
