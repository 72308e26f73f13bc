/** The arguments of `npm run restore`. */
export interface RestoreArguments {
  readonly from: string;
  readonly into: string;
  /** The moment whose state is wanted, in milliseconds since the epoch. */
  readonly to: number;
  /** A table that holds the items of that moment already; null restores one. */
  readonly table: string | null;
  readonly profile: string | undefined;
}

const USAGE =
  'npm run restore -- --from STAGE --into NEW_STAGE --to 2026-11-29T05:00:00Z [--table RESTORED_TABLE] [--profile NAME]';
const NAMES = ['--from', '--into', '--to', '--table', '--profile'];
const STAGE = /^[a-z][a-z0-9]{0,11}$/;

/**
 * @param now milliseconds since the epoch
 * @throws {Error} that names the argument
 */
export function readRestoreArguments(given: readonly string[], now: number): RestoreArguments {
  const values = new Map<string, string>();
  for (let index = 0; index < given.length; index += 1) {
    const [name = '', ...inline] = (given[index] ?? '').split('=');
    if (!NAMES.includes(name)) throw new Error(`"${given[index]}" is not known here. ${USAGE}`);
    const value = inline.length > 0 ? inline.join('=') : given[++index];
    if (!value) throw new Error(`${name} needs a value. ${USAGE}`);
    values.set(name, value);
  }
  const required = (name: string): string => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${name} is missing. ${USAGE}`);
    return value;
  };
  const [from, into] = [required('--from'), required('--into')];
  for (const stage of [from, into]) {
    if (!STAGE.test(stage)) throw new Error(`"${stage}" is no name of a stage. ${USAGE}`);
  }
  if (from === into) {
    throw new Error(
      `--into must be another stage than --from: a restoration never changes the stage that it reads (${from}).`,
    );
  }
  return {
    from,
    into,
    to: readTime(required('--to'), now),
    table: values.get('--table') ?? null,
    profile: values.get('--profile'),
  };
}

/** A time with its zone; one without would mean another moment on another machine. */
function readTime(text: string, now: number): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(time)) {
    throw new Error(`--to must be a time with its zone, such as 2026-11-29T05:00:00Z, not "${text}".`);
  }
  if (time > now) throw new Error(`--to is in the future: ${text}.`);
  return time;
}
