import type { Command } from 'commander';
import { beginEntry, type EndEntry } from '../audit-trail.ts';
import type { AdminContext } from './context.ts';
import { positive } from './values.ts';

/** What commands that change nothing are called. */
const READS = ['list', 'show', 'check', 'usage'];

/** The words of a command, without the program's: `key create`. */
function wordsOf(command: Command): string {
  const { parent } = command;
  return parent?.parent == null ? command.name() : `${wordsOf(parent)} ${command.name()}`;
}

const VOUCHER_CHARACTERS_SHOWN = 3;

/** A voucher's code is worth its credits to whoever reads it, so that its beginning stands for it. */
const maskedCode = (code: string): string => `${code.slice(0, VOUCHER_CHARACTERS_SHOWN)}…`;

/** The codes of vouchers that a command was given. */
const codesOf = (command: Command): readonly string[] =>
  wordsOf(command).startsWith('voucher ') ? command.args : [];

/** What the log keeps of what a command was given. Instructions are what a team tells its models: their length is kept. */
function keptOf(command: Command): object {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const { instructions } = options;
  return {
    arguments: codesOf(command).length > 0 ? codesOf(command).map(maskedCode) : command.args,
    ...options,
    ...(typeof instructions === 'string' ? { instructions: `(${instructions.length} characters)` } : {}),
  };
}

/** What the log keeps of why a command failed: the message without the codes that it names. */
const keptError = (error: unknown, codes: readonly string[]): string =>
  codes.reduce(
    (message, code) => message.replaceAll(code, () => maskedCode(code)),
    error instanceof Error ? error.message : String(error),
  );

/**
 * Records each command that changes something: before it runs, so that none changes what no entry tells of, and again when it
 * has ended.
 */
export function recordCommands(program: Command, { ports }: Pick<AdminContext, 'ports'>): void {
  let open: EndEntry | null = null;
  let codes: readonly string[] = [];
  const end: EndEntry = async (outcome, error) => {
    const ending = open;
    open = null;
    await ending?.(outcome, error);
  };
  program.hook('preAction', async (_program, command) => {
    if (READS.includes(command.name())) return;
    codes = codesOf(command);
    open = await beginEntry(ports(), wordsOf(command), keptOf(command));
  });
  program.hook('postAction', () => end('done', null));
  const parse = program.parseAsync.bind(program);
  program.parseAsync = async (...line) => {
    try {
      return await parse(...line);
    } catch (error) {
      await end('failed', keptError(error, codes));
      throw error;
    }
  };
}

/** The command `audit list`. */
export function addAuditCommands(program: Command, { ports, printTable }: AdminContext): void {
  program
    .command('audit')
    .description('What operators changed')
    .command('list')
    .description('commands that changed something, newest first, of two years')
    .option('--limit <number>', 'how many', positive, 50)
    .action(async ({ limit }: { limit: number }) => {
      const { audit, now } = ports();
      const entries = await audit.list(new Date(now()).toISOString(), limit);
      printTable([
        ['AT', 'BY', 'COMMAND', 'OUTCOME', 'GIVEN', 'ERROR'],
        ...entries.map(({ at, by, command, outcome, given, error }) => [
          at,
          by,
          command,
          outcome,
          given,
          error,
        ]),
      ]);
    });
}
