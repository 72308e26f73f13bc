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

/** The arguments of a command. A voucher's code is worth its credits to whoever reads it, so that its beginning stands for it. */
function maskedArguments(command: Command): readonly string[] {
  return wordsOf(command).startsWith('voucher ')
    ? command.args.map((code) => `${code.slice(0, VOUCHER_CHARACTERS_SHOWN)}…`)
    : command.args;
}

const VOUCHER_CHARACTERS_SHOWN = 3;

/**
 * Records each command that changes something: before it runs, so that none changes what no entry tells of, and again when it
 * has ended.
 */
export function recordCommands(program: Command, { ports }: Pick<AdminContext, 'ports'>): void {
  let open: EndEntry | null = null;
  const end: EndEntry = async (outcome, error) => {
    const ending = open;
    open = null;
    await ending?.(outcome, error);
  };
  program.hook('preAction', async (_program, command) => {
    if (READS.includes(command.name())) return;
    const given = { arguments: maskedArguments(command), ...command.opts() };
    open = await beginEntry(ports(), wordsOf(command), given);
  });
  program.hook('postAction', () => end('done', null));
  const parse = program.parseAsync.bind(program);
  program.parseAsync = async (...line) => {
    try {
      return await parse(...line);
    } catch (error) {
      await end('failed', error instanceof Error ? error.message : String(error));
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
