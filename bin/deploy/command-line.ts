/** The arguments of `npm run deploy`. */
export interface DeployArguments {
  /** Settings from `-c NAME=VALUE`. */
  readonly context: ReadonlyMap<string, string>;
  /** The AWS profile from `--profile`. */
  readonly profile: string | undefined;
  /** Whether to only check, and change nothing. */
  readonly checksOnly: boolean;
  /** Whether to deploy the release before the present one. */
  readonly rollsBack: boolean;
  /** Minutes for which running work is waited for, while nothing new starts; null deploys over it. */
  readonly drainMinutes: number | null;
  /** Minutes for which alarms are watched after the change, which they take back; null watches none. */
  readonly guardMinutes: number | null;
  /** The stack of the CDK's bootstrap, which `--toolkit-stack-name` names. */
  readonly toolkitStack: string;
  /** Whether an approval option is given. */
  readonly saysApproval: boolean;
  /** Arguments that are forwarded to the CDK command unchanged. */
  readonly forwarded: readonly string[];
}

/** A day: trainings wait for longer, and are cancelled or left to the new release. */
const DRAIN_MINUTES_MAX = 1440;
const DRAIN_MINUTES = 60;
/** The most that CloudFormation takes. */
const GUARD_MINUTES_MAX = 180;
const GUARD_MINUTES = 10;

/**
 * Parses the arguments of `npm run deploy`, in all forms that the CDK command accepts for the shared ones.
 * @throws {Error} that names the argument
 */
export function readArguments(given: readonly string[]): DeployArguments {
  const isOwn = (argument: string): boolean =>
    ['--check', '--rollback'].includes(argument) || /^--(drain|guard)(=|$)/.test(argument);
  const forwarded = given.filter((argument) => !isOwn(argument));
  const valuesOf = (...names: readonly string[]): string[] =>
    forwarded.flatMap((argument, index) => {
      if (names.includes(argument)) return forwarded.slice(index + 1, index + 2);
      const name = names.find((each) => argument.startsWith(`${each}=`));
      return name === undefined ? [] : [argument.slice(name.length + 1)];
    });
  const drainMinutes = minutesOf(given, '--drain', DRAIN_MINUTES, DRAIN_MINUTES_MAX);
  const guardMinutes = minutesOf(given, '--guard', GUARD_MINUTES, GUARD_MINUTES_MAX);
  if (drainMinutes !== null && guardMinutes !== null) {
    throw new Error(
      'Give --drain or --guard, not both: while nothing new starts callers get 503, for which the alarm api-errors would take ' +
        'a healthy change back. Wait until nothing runs (npm run admin -- run list) and deploy with --guard, or deploy with --drain.',
    );
  }
  return {
    context: new Map(
      valuesOf('-c', '--context').map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [name, value.join('=')] as const;
      }),
    ),
    profile: valuesOf('--profile').at(-1),
    checksOnly: given.includes('--check'),
    rollsBack: given.includes('--rollback'),
    drainMinutes,
    guardMinutes,
    toolkitStack: valuesOf('--toolkit-stack-name').at(-1) ?? 'CDKToolkit',
    saysApproval: valuesOf('--require-approval').length > 0,
    forwarded,
  };
}

/** Parses `--NAME` or `--NAME=MINUTES`; null without it. */
function minutesOf(given: readonly string[], name: string, fallback: number, most: number): number | null {
  const found = given.findLast((argument) => argument === name || argument.startsWith(`${name}=`));
  if (found === undefined) return null;
  if (found === name) return fallback;
  const text = found.slice(name.length + 1);
  const minutes = Number(text);
  if (text === '' || !Number.isInteger(minutes) || minutes < 1 || minutes > most) {
    throw new Error(`${name} takes whole minutes from 1 to ${most} (${name}=${fallback}), not "${text}".`);
  }
  return minutes;
}
