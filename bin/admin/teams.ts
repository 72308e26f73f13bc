import type { Command } from 'commander';
import { assignPlan, ensureTeam } from '#shared/access/issue-key.ts';
import { createArchiveReader, createArchiveWriter } from '#shared/transfer/adapters/archive-folder.ts';
import { exportTeam } from '#shared/transfer/export-team.ts';
import { importTeam } from '#shared/transfer/import-team.ts';
import type { AdminContext } from './context.ts';

/** The commands `team …`. */
export function addTeamCommands(program: Command, context: AdminContext): void {
  const { ports, print, printTable } = context;
  const team = program.command('team').description('Teams, which hold datasets and credits');
  team
    .command('create <name>')
    .description('create a team and print its id; an existing one is printed')
    .option('--org <name>', 'its organization, made where it is new (default: one of the name of the team)')
    .option('--plan <name>', 'its plan')
    .action(async (name: string, { org: organization, plan }: { org?: string; plan?: string }) => {
      const made = await ensureTeam(ports(), name, organization);
      if (plan !== undefined) await assignPlan(ports(), made, plan);
      print(made.team_id);
    });
  team.command('list').action(async () => {
    const { access, ledger } = ports();
    const organizations = new Map(
      (await access.listOrganizations()).map(({ organization_id, name }) => [organization_id, name]),
    );
    const rows = (await access.listTeams()).map(async (each) => {
      const balance = await ledger.findBalance(each.team_id);
      return [
        each.name,
        organizations.get(each.organization_id) ?? null,
        each.plan,
        balance?.available ?? null,
        balance?.held ?? null,
        balance?.metered ?? null,
        balance?.active_runs ?? null,
        each.team_id,
      ];
    });
    printTable([
      ['TEAM', 'ORGANIZATION', 'PLAN', 'AVAILABLE', 'HELD', 'FOR ANSWERS', 'RUNS', 'ID'],
      ...(await Promise.all(rows)),
    ]);
  });
  team
    .command('export <name>')
    .description('write all that belongs to a team into a new folder, with checksums')
    .requiredOption('--to <folder>', 'the folder, which is made')
    .action((name: string, { to }: { to: string }) => exportTo(context, name, to));
  team
    .command('import <folder>')
    .description('verify an exported team and make it here; a repetition completes an interrupted import')
    .option('--name <name>', 'what the team is called here (default: as it was)')
    .action((folder: string, { name }: { name?: string }) => importFrom(context, folder, name));
}

async function exportTo(
  { ports, print, requireTeam }: AdminContext,
  name: string,
  folder: string,
): Promise<void> {
  const { team_id } = await requireTeam(name);
  const { transfer, newId, now } = ports();
  const archive = await createArchiveWriter(folder);
  try {
    const { manifest, sha256 } = await exportTeam(transfer(), archive, team_id, {
      exportId: newId(),
      now: now(),
      onProgress: (objects) => print(`${objects} objects written`),
    });
    const { credits, objects, left_out } = manifest;
    print(`Export ${manifest.export_id}: ${objects.count} objects, ${objects.bytes} bytes.`);
    print(`The team begins elsewhere with ${credits.opening} credits.`);
    for (const { reason, count } of left_out) if (count) print(`Left out, ${count}: ${reason}`);
    print(`SHA-256 of SHA256SUMS: ${sha256}`);
  } finally {
    await archive.close();
  }
}

async function importFrom(
  { ports, print }: AdminContext,
  folder: string,
  name: string | undefined,
): Promise<void> {
  const { transfer, now } = ports();
  let shown = 0;
  const imported = await importTeam(transfer(), createArchiveReader(folder), {
    name,
    now: now(),
    onProgress: (done, objects) => {
      const percent = Math.floor((100 * done) / objects);
      if (percent > shown) print(`${done} of ${objects} objects are there`);
      shown = percent;
    },
  });
  for (const note of imported.notes) print(note);
  if (!imported.isNew) {
    print('This export has been imported before.');
    return;
  }
  print(`The team "${imported.name}" begins with ${imported.manifest.credits.opening} credits.`);
  print(`Make its keys: key create --team "${imported.name}"`);
}
