import type { Argument, Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Completed {
  readonly name: string;
  readonly description: string;
  /** What its first argument may be; empty if it is anything else. */
  readonly choices: readonly string[];
  readonly options: readonly {
    readonly long: string;
    readonly description: string;
    readonly takesValue: boolean;
  }[];
}

/** A script that completes the commands and options of `program` in a shell. */
export function completionScript(program: Command, shell: Shell): string {
  const shared = optionsOf(program);
  const commands = program.commands.map(
    (command): Completed => ({
      name: command.name(),
      description: command.description(),
      choices: command.registeredArguments.flatMap(({ argChoices }: Argument) => argChoices ?? []),
      options: [...optionsOf(command), ...shared],
    }),
  );
  return { bash, zsh, fish }[shell](program.name(), commands);
}

function optionsOf(command: Command): Completed['options'] {
  return command.options.flatMap(({ long, description, required, optional }) =>
    long == null ? [] : [{ long, description, takesValue: required || optional }],
  );
}

function bash(name: string, commands: readonly Completed[]): string {
  const cases = commands.map(({ name: command, options, choices }) => {
    const words = [...choices, ...options.map(({ long }) => long)].join(' ');
    return `    ${command}) words="${words}" ;;`;
  });
  return [
    `_${name}() {`,
    '  local word="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    `  [ "$COMP_CWORD" -eq 1 ] && words="${commands.map((each) => each.name).join(' ')}"`,
    // Without a reply, `-o default` completes the names of files.
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ] || [ "${COMP_WORDS[1]}" = completion ] || [ "${word#-}" != "$word" ]; then',
    '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '  fi',
    '}',
    `complete -o default -F _${name} ${name}`,
    '',
  ].join('\n');
}

const zshWord = (value: string, description: string): string =>
  `'${value}:${description.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`;

function zsh(name: string, commands: readonly Completed[]): string {
  const cases = commands.flatMap(({ name: command, options, choices }) => [
    `    ${command})`,
    `      words_of=(${choices.map((choice) => zshWord(choice, choice)).join(' ')})`,
    `      options_of=(${options.map(({ long, description }) => zshWord(long, description)).join(' ')}) ;;`,
  ]);
  return [
    `#compdef ${name}`,
    `_${name}() {`,
    '  local -a commands_of words_of options_of',
    `  commands_of=(${commands.map((each) => zshWord(each.name, each.description)).join(' ')})`,
    "  if (( CURRENT == 2 )); then _describe 'command' commands_of; return; fi",
    '  case "$words[2]" in',
    ...cases,
    '  esac',
    '  if [[ "$PREFIX" == -* ]]; then _describe \'option\' options_of',
    "  elif (( ${#words_of} )); then _describe 'argument' words_of",
    '  else _files',
    '  fi',
    '}',
    `compdef _${name} ${name}`,
    '',
  ].join('\n');
}

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fish(name: string, commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name: command, description, options, choices }) => {
    const isSeen = `-n '__fish_seen_subcommand_from ${command}'`;
    return [
      `complete -c ${name} -n __fish_use_subcommand -f -a ${command} -d ${fishText(description)}`,
      ...choices.map((choice) => `complete -c ${name} ${isSeen} -f -a ${choice}`),
      ...options.map(
        ({ long, description: text, takesValue }) =>
          `complete -c ${name} ${isSeen} -l ${long.slice(2)}${takesValue ? ' -r' : ''} -d ${fishText(text)}`,
      ),
    ];
  });
  return [...lines, ''].join('\n');
}
