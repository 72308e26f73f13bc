/** The arguments of `npm run deploy`. */
export interface DeployArguments {
  /** Settings from `-c NAME=VALUE`. */
  readonly context: ReadonlyMap<string, string>;
  /** The AWS profile from `--profile`. */
  readonly profile: string | undefined;
  /** Whether to only check, and change nothing. */
  readonly checksOnly: boolean;
  /** Whether an approval option is given. */
  readonly saysApproval: boolean;
  /** Arguments that are forwarded to the CDK command unchanged. */
  readonly forwarded: readonly string[];
}

/** Parses the arguments of `npm run deploy`, in all forms that the CDK command accepts for the shared ones. */
export function readArguments(given: readonly string[]): DeployArguments {
  const forwarded = given.filter((argument) => argument !== '--check');
  const valuesOf = (...names: readonly string[]): string[] =>
    forwarded.flatMap((argument, index) => {
      if (names.includes(argument)) return forwarded.slice(index + 1, index + 2);
      const name = names.find((each) => argument.startsWith(`${each}=`));
      return name === undefined ? [] : [argument.slice(name.length + 1)];
    });
  return {
    context: new Map(
      valuesOf('-c', '--context').map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [name, value.join('=')] as const;
      }),
    ),
    profile: valuesOf('--profile').at(-1),
    checksOnly: forwarded.length < given.length,
    saysApproval: valuesOf('--require-approval').length > 0,
    forwarded,
  };
}
