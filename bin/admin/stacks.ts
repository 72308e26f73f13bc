import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import { Stack } from '#shared/responses/decide/stack.ts';
import { serverHostOf, stackModel, stackSlugOf } from '#shared/responses/decide/stack-rules.ts';
import { type AdminContext, teamOption } from './context.ts';
import { append } from './values.ts';

/** Normalises a host as in URLs: `Tools.Example.org:443` is `tools.example.org`. */
function serverHost(text: string): string {
  const url = `https://${text}/`;
  const host = serverHostOf(url);
  if (host === null || text === '' || new URL(url).href !== `https://${host}/`) {
    throw new Error(
      `${JSON.stringify(text)} is no host, such as tools.example.org or tools.example.org:8443.`,
    );
  }
  return host;
}

/** Options of `stack put`. */
interface GivenStack {
  readonly team: string;
  readonly model: string;
  readonly instructions?: string;
  readonly instructionsFile?: string;
  readonly tool: readonly string[];
  readonly server: readonly string[];
  readonly dataset: readonly string[];
}

async function putStack(
  { ports, print, requireTeam }: AdminContext,
  slug: string,
  given: GivenStack,
): Promise<void> {
  const { team_id } = await requireTeam(given.team);
  if (given.instructions !== undefined && given.instructionsFile !== undefined) {
    throw new Error('Give --instructions or --instructions-file, not both.');
  }
  if (stackSlugOf(given.model) !== null) throw new Error('The model of a stack is no stack itself.');
  for (const id of given.dataset) {
    if ((await ports().datasets.find(id))?.team_id !== team_id) {
      throw new Error(`The team "${given.team}" has no dataset ${id}.`);
    }
  }
  const now = new Date(ports().now()).toISOString();
  const made = parseInput('', Stack, {
    team_id,
    slug,
    model: given.model,
    instructions:
      given.instructionsFile === undefined
        ? (given.instructions ?? null)
        : readFileSync(given.instructionsFile, 'utf8').trim(),
    tool_labels: [...new Set(given.tool)],
    server_hosts: [...new Set(given.server.map(serverHost))],
    dataset_ids: [...new Set(given.dataset)],
    created_at: (await ports().stacks.find(team_id, slug))?.created_at ?? now,
    updated_at: now,
  });
  await ports().stacks.put(made);
  print(stackModel(made));
}

/** The commands `stack …`. */
export function addStackCommands(program: Command, context: AdminContext): void {
  const { ports, print, printTable, requireTeam } = context;
  const stack = program
    .command('stack')
    .description('Inference stacks: a model, its instructions, and the tools and datasets that it may use');
  const requireStackOf = async (teamName: string, slug: string): Promise<Stack> => {
    const found = await ports().stacks.find((await requireTeam(teamName)).team_id, slug);
    if (found !== null) return found;
    throw new Error(
      `The team "${teamName}" has no stack ${slug}. List them: stack list --team "${teamName}"`,
    );
  };
  stack
    .command('put <slug>')
    .description(
      'create or replace the stack that callers name as stack:<slug>; options that are not given are empty',
    )
    .requiredOption(...teamOption)
    .requiredOption('--model <id>', 'id of a hosted model, or of a training of the team')
    .option('--instructions <text>', 'what every conversation with it begins with')
    .option('--instructions-file <path>', 'a file with the instructions')
    .option('--tool <label>', 'label of a tool server of the catalog; can be given again', append, [])
    .option('--server <host>', 'host of a server that requests may bring; can be given again', append, [])
    .option('--dataset <id>', 'id of a dataset that it may search; can be given again', append, [])
    .action((slug: string, given: GivenStack) => putStack(context, slug, given));
  stack
    .command('list')
    .requiredOption(...teamOption)
    .action(async ({ team: teamName }: { team: string }) =>
      printTable([
        ['STACK', 'MODEL', 'TOOLS', 'SERVERS', 'DATASETS', 'UPDATED'],
        ...(await ports().stacks.list((await requireTeam(teamName)).team_id)).map((listed) => [
          stackModel(listed),
          listed.model,
          listed.tool_labels.join(' ') || null,
          listed.server_hosts.join(' ') || null,
          listed.dataset_ids.length,
          listed.updated_at,
        ]),
      ]),
    );
  stack
    .command('show <slug>')
    .description('print a stack as JSON')
    .requiredOption(...teamOption)
    .action(async (slug: string, { team: teamName }: { team: string }) =>
      print(JSON.stringify(await requireStackOf(teamName, slug), null, 2)),
    );
  stack
    .command('remove <slug>')
    .description('remove a stack; requests that name it are a 404')
    .requiredOption(...teamOption)
    .action(async (slug: string, { team: teamName }: { team: string }) => {
      const { team_id } = await requireStackOf(teamName, slug);
      await ports().stacks.remove(team_id, slug);
    });
}
