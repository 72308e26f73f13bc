/** The arguments of `npm run rehearse`. */
export interface RehearsalArguments {
  readonly stage: string;
  readonly profile: string | undefined;
  /** Keeps the stage at the end. */
  readonly keep: boolean;
  /** May use an existing stage, with all of its data. */
  readonly take: boolean;
  /** The caller's own machine takes the jobs of the GPU trainer. */
  readonly ownGpu: boolean;
}

const USAGE = 'npm run rehearse -- --stage NAME [--profile NAME] [--keep] [--take] [--own-gpu]';

/**
 * Takes the settings that belong to one stage out of an environment: a rehearsal makes stages beside it, which could not have
 * its address.
 */
export function forgetAddress(environment: NodeJS.ProcessEnv): void {
  delete environment.API_DOMAIN;
  delete environment.API_CERTIFICATE_ARN;
}

/** @throws {Error} without a stage, or for an unknown argument. */
export function readRehearsalArguments(given: readonly string[]): RehearsalArguments {
  const named = new Map<string, string>();
  const flags = new Set<string>();
  for (let index = 0; index < given.length; index += 1) {
    const [name = '', inline] = (given[index] ?? '').split('=', 2);
    if (['--keep', '--take', '--own-gpu'].includes(name) && inline === undefined) {
      flags.add(name);
    } else if (['--stage', '--profile'].includes(name)) {
      const value = inline ?? given[++index];
      if (!value) throw new Error(`${name} needs a value. ${USAGE}`);
      named.set(name, value);
    } else {
      throw new Error(`"${given[index]}" is not known here. ${USAGE}`);
    }
  }
  const stage = named.get('--stage');
  if (stage === undefined) throw new Error(`Name the stage: ${USAGE}`);
  return {
    stage,
    profile: named.get('--profile'),
    keep: flags.has('--keep'),
    take: flags.has('--take'),
    ownGpu: flags.has('--own-gpu'),
  };
}

/** Why a stage may not be rehearsed; null if it may. A rehearsal deletes the stage with everything in it, twice. */
export function refuseRehearsal(
  stage: {
    readonly name: string;
    readonly isRetained: boolean;
    readonly isDeployed: boolean;
    readonly isEmulated: boolean;
    readonly endpoint: string | undefined;
  },
  { take }: Pick<RehearsalArguments, 'take'>,
): string | null {
  if (stage.isRetained) {
    return `The stage "${stage.name}" keeps its data for good, and a rehearsal deletes the stage: name another one, and unset RETAIN if it is set.`;
  }
  if (!stage.isEmulated && stage.endpoint) {
    return `AWS_ENDPOINT_URL is ${stage.endpoint}, where only stages live whose names begin with "local": unset it, or name such a stage.`;
  }
  if (stage.isDeployed && !take) {
    return `The stage "${stage.name}" is deployed already, and a rehearsal deletes it with all datasets, models and keys in it. Name a stage that does not exist, or say --take.`;
  }
  return null;
}
