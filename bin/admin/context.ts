import type { MeterRepository } from '#shared/access/decide/meter-repository.ts';
import type { VoucherRepository } from '#shared/access/decide/vouchers/repository.ts';
import type { AdministrationPorts } from '#shared/access/issue-key.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { DeploymentRepository } from '#shared/deployments/decide/record.ts';
import type { LoadPoolPorts } from '#shared/growth/load-pool.ts';
import type { Team } from '#shared/platform/access/records.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { ProbeAccess } from '#shared/probe/schema/probe-access.ts';
import type { StackRepository } from '#shared/responses/decide/stack.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { FinetuneJobRepository } from '#shared/training/decide/finetune-job.ts';
import type { ExportPorts, ImportPorts } from '#shared/transfer/decide/ports.ts';
import type { AuditPorts } from '../audit-trail.ts';

export interface AdminPorts extends AdministrationPorts, AuditPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly vouchers: VoucherRepository;
  readonly stacks: StackRepository;
  readonly meter: Pick<MeterRepository, 'read' | 'listAdmissions' | 'listDays'>;
  readonly deployments: Pick<DeploymentRepository, 'list' | 'find' | 'update'>;
  readonly finetuneJobs: Pick<FinetuneJobRepository, 'save'>;
  readonly runs: Pick<RunRepository, 'listActive' | 'listOfDataset'>;
  /** Cancels a run through the deployed installation; returns the run's status. */
  readonly cancel: (run: { readonly dataset_id: string; readonly run_id: string }) => Promise<unknown>;
  /** The address of the API, as the last deployment told it, and the secret from which the probe reads it. */
  readonly probeAccess: () => {
    readonly apiUrl: string | undefined;
    readonly store: (access: ProbeAccess) => Promise<void>;
  };
  /** Runs the deployed sweeper once; returns its result. */
  readonly sweep: () => Promise<unknown>;
  /** The curated pool's objects, and the function that embeds its rows. */
  readonly pool: () => LoadPoolPorts & { readonly objects: Pick<ObjectStore, 'read' | 'list' | 'remove'> };
  /** The items and objects of teams, as they are stored. */
  readonly transfer: () => ExportPorts & ImportPorts;
}

export interface AdminOptions {
  /** Connects to the installation of `--stage`, on first use. */
  readonly connect: (stage: string | undefined) => AdminPorts;
  readonly print: (line: string) => void;
  /** Called if a check found a fault. */
  readonly fail: () => void;
}

type Row = readonly (string | number | null)[];

/** What the commands share. */
export interface AdminContext {
  /** The installation of `--stage`. */
  readonly ports: () => AdminPorts;
  readonly print: AdminOptions['print'];
  /** Prints aligned columns; the first row is the heading. */
  readonly printTable: (rows: readonly Row[]) => void;
  readonly fail: AdminOptions['fail'];
  /** The team of a name, or an error. */
  readonly requireTeam: (name: string) => Promise<Team>;
}

export const teamOption = ['--team <name>', 'name of the team'] as const;

export function createAdminContext(options: AdminOptions, stage: () => string | undefined): AdminContext {
  let connected: AdminPorts | undefined;
  const ports = (): AdminPorts => {
    connected ??= options.connect(stage());
    return connected;
  };
  return {
    ports,
    print: options.print,
    printTable: (rows) => {
      for (const line of columns(rows)) options.print(line);
    },
    fail: options.fail,
    requireTeam: async (name) => {
      const team = await ports().access.findTeamByName(name);
      if (team === null) throw new Error(`There is no team "${name}". List them: team list`);
      return team;
    },
  };
}

function columns(rows: readonly Row[]): string[] {
  const texts = rows.map((row) => row.map((cell) => String(cell ?? '-')));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  return texts.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
