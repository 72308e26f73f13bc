import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_PLAN, Plan } from '#shared/domain/access/plan.ts';
import type { Team } from '#shared/domain/access/records.ts';
import type { DatasetRepository } from '#shared/domain/datasets/repository.ts';
import { type PoolLoad, readLoads, rowCountOf } from '#shared/domain/pool/pool.ts';
import { MICROCREDITS } from '#shared/domain/responses/meter.ts';
import type { MeterRepository } from '#shared/domain/responses/meter-repository.ts';
import { Stack, type StackRepository } from '#shared/domain/responses/stack.ts';
import { serverHostOf, stackModel, stackSlugOf } from '#shared/domain/responses/stack-rules.ts';
import type { RunRecord } from '#shared/domain/runs/record.ts';
import type { RunRepository } from '#shared/domain/runs/repository.ts';
import { objectKeys } from '#shared/domain/storage/object-keys.ts';
import type { ObjectStore } from '#shared/domain/storage/object-store.ts';
import { FinetuneJobFile, type FinetuneJobRepository } from '#shared/domain/training/job.ts';
import { Voucher } from '#shared/domain/vouchers/record.ts';
import type { VoucherRepository } from '#shared/domain/vouchers/repository.ts';
import { parseInput } from '#shared/errors/from-zod.ts';
import { checkTeamLedger } from '#shared/operations/check-ledger.ts';
import {
  type AdministrationPorts,
  assignPlan,
  ensureOrganization,
  ensureTeam,
  ensureUser,
  grantCredits,
  issueKey,
} from '#shared/operations/issue-key.ts';
import { type LoadPoolPorts, loadPool, type PoolColumns } from '#shared/operations/load-pool.ts';
import { readUsage } from '#shared/operations/read-usage.ts';
import { SCOPES, type Scope } from '#shared/schema/scope.ts';
import { loadIdOf, readPoolFile } from './pool-file.ts';
import { STARTER_POOL } from './starter-pool.ts';

export interface AdminPorts extends AdministrationPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly vouchers: VoucherRepository;
  readonly stacks: StackRepository;
  readonly meter: Pick<MeterRepository, 'read' | 'listAdmissions' | 'listDays'>;
  readonly finetuneJobs: Pick<FinetuneJobRepository, 'save'>;
  readonly runs: Pick<RunRepository, 'listActive' | 'listOfDataset'>;
  /** Cancels a run through the deployed installation; returns the run's status. */
  readonly cancel: (run: { readonly dataset_id: string; readonly run_id: string }) => Promise<unknown>;
  /** Runs the deployed sweeper once; returns its result. */
  readonly sweep: () => Promise<unknown>;
  /** The curated pool's objects, and the function that embeds its rows. */
  readonly pool: () => LoadPoolPorts & { readonly objects: Pick<ObjectStore, 'read' | 'list' | 'remove'> };
}

export interface AdminOptions {
  /** Connects to the installation of `--stage`, on first use. */
  readonly connect: (stage: string | undefined) => AdminPorts;
  readonly print: (line: string) => void;
  /** Called if a check found a fault. */
  readonly fail: () => void;
}

/** Default owner of a key. */
const USER_DEFAULT = 'operator';

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

function natural(text: string): number {
  return text === '0' ? 0 : positive(text);
}

/** Parses a time in ISO 8601; a date means its end, in UTC. */
function time(text: string): string {
  const value = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text);
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a date, such as 2026-12-31.');
  return new Date(value).toISOString();
}

/** Collects a repeatable option. */
function append(text: string, earlier: readonly string[]): string[] {
  return [...earlier, text];
}

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

function percent(text: string): number {
  const value = positive(text);
  if (value > 100) throw new InvalidArgumentError('It must be at most 100.');
  return value;
}

function scopes(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim());
  const unknown = given.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `There is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}.`,
    );
  }
  return given as Scope[];
}

/** Microcredits as credits. */
function credits(microcredits: number): string {
  return (microcredits / MICROCREDITS).toFixed(3);
}

/** Aligned columns; the first line is the heading. */
function columns(rows: readonly (readonly (string | number | null)[])[]): string[] {
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

/** Options of `pool load` besides its columns. */
interface LoadOptions {
  readonly name?: string;
  readonly ifEmpty?: boolean;
}

/** The commands of `npm run admin`. */
export function createAdminProgram(options: AdminOptions): Command {
  const program = new Command('admin')
    .description('Keys, teams, plans and credits of a Tunesmith installation.')
    .option('--stage <name>', 'the deployed stage; without it TABLE_NAME, or else the local cloud');

  let connected: AdminPorts | undefined;
  const ports = (): AdminPorts => {
    connected ??= options.connect(program.opts<{ stage?: string }>().stage);
    return connected;
  };
  const print = (rows: readonly (readonly (string | number | null)[])[]): void => {
    for (const line of columns(rows)) options.print(line);
  };
  const requireTeam = async (name: string): Promise<Team> => {
    const team = await ports().access.findTeamByName(name);
    if (team === null) throw new Error(`There is no team "${name}". List them: team list`);
    return team;
  };
  const teamOption = ['--team <name>', 'name of the team'] as const;

  const org = program.command('org').description('Organizations, which own teams');
  org
    .command('create <name>')
    .description('create an organization and print its id; an existing one is printed')
    .action(async (name: string) => options.print((await ensureOrganization(ports(), name)).organization_id));
  org
    .command('list')
    .action(async () =>
      print([
        ['ORGANIZATION', 'ID', 'CREATED'],
        ...(await ports().access.listOrganizations()).map((each) => [
          each.name,
          each.organization_id,
          each.created_at,
        ]),
      ]),
    );

  const team = program.command('team').description('Teams, which hold datasets and credits');
  team
    .command('create <name>')
    .description('create a team and print its id; an existing one is printed')
    .option('--org <name>', 'its organization, made where it is new (default: one of the name of the team)')
    .option('--plan <name>', 'its plan')
    .action(async (name: string, { org: organization, plan }: { org?: string; plan?: string }) => {
      const made = await ensureTeam(ports(), name, organization);
      if (plan !== undefined) await assignPlan(ports(), made, plan);
      options.print(made.team_id);
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
    print([
      ['TEAM', 'ORGANIZATION', 'PLAN', 'AVAILABLE', 'HELD', 'FOR ANSWERS', 'RUNS', 'ID'],
      ...(await Promise.all(rows)),
    ]);
  });

  const user = program.command('user').description('Users, who hold keys and can be in several teams');
  user
    .command('create <name>')
    .description('create a user and print the id; an existing one is printed')
    .option(...teamOption)
    .action(async (name: string, { team: teamName }: { team?: string }) => {
      const made = await ensureUser(ports(), name);
      if (teamName !== undefined) {
        const { team_id } = await requireTeam(teamName);
        await ports().access.addMember(team_id, made.user_id, ports().now());
      }
      options.print(made.user_id);
    });
  user
    .command('list')
    .option(...teamOption)
    .action(async ({ team: teamName }: { team?: string }) => {
      const { access } = ports();
      const members =
        teamName === undefined ? null : await access.listMembers((await requireTeam(teamName)).team_id);
      const shown = (await access.listUsers()).filter(({ user_id }) => members?.includes(user_id) ?? true);
      print([['USER', 'ID', 'CREATED'], ...shown.map((each) => [each.name, each.user_id, each.created_at])]);
    });

  const key = program.command('key').description('API keys');
  key
    .command('create')
    .description(
      'make a key and print it, this once; team, organization and user are made where they are new',
    )
    .requiredOption(...teamOption)
    .option('--credits <number>', 'credits to grant to the team', natural, 0)
    .option('--scopes <list>', `what the key may do, of ${SCOPES.join(', ')} (default: all)`, scopes)
    .option('--plan <name>', 'plan of the team')
    .option('--user <name>', 'whose key it is', USER_DEFAULT)
    .option('--org <name>', 'organization of the team')
    .action(
      async (given: {
        team: string;
        credits: number;
        scopes?: Scope[];
        plan?: string;
        user: string;
        org?: string;
      }) => {
        const owner = await ensureTeam(ports(), given.team, given.org);
        if (given.plan !== undefined) await assignPlan(ports(), owner, given.plan);
        const holder = await ensureUser(ports(), given.user);
        const { key: made } = await issueKey(ports(), owner, holder, given.scopes ?? SCOPES);
        if (given.credits > 0) await grantCredits(ports(), owner, given.credits, 'granted with a key');
        options.print(made);
      },
    );
  key
    .command('list')
    .requiredOption(...teamOption)
    .action(async ({ team: teamName }: { team: string }) => {
      const { access } = ports();
      const users = new Map((await access.listUsers()).map(({ user_id, name }) => [user_id, name]));
      const listed = await access.listKeys((await requireTeam(teamName)).team_id);
      print([
        ['KEY', 'ENDS IN', 'USER', 'SCOPES', 'CREATED', 'REVOKED'],
        ...listed.map((each) => [
          each.key_id,
          each.ending,
          users.get(each.user_id) ?? each.user_id,
          each.scopes.join(','),
          each.created_at,
          each.revoked_at,
        ]),
      ]);
    });
  key
    .command('revoke <key-id>')
    .description('revoke a key; it is refused within a minute')
    .requiredOption(...teamOption)
    .action(async (keyId: string, { team: teamName }: { team: string }) => {
      const { access, now } = ports();
      if (!(await access.revokeKey((await requireTeam(teamName)).team_id, keyId, now()))) {
        throw new Error(
          `The team "${teamName}" has no key ${keyId}. List them: key list --team "${teamName}"`,
        );
      }
    });

  const plan = program.command('plan').description('Plans, which limit what a team does at once');
  plan
    .command('set <name>')
    .description(
      'create or change a plan; limits that are not given keep their value, or have that of the default plan',
    )
    .option('--requests-per-second <number>', 'requests that the team may send in a second', positive)
    .option('--runs-at-once <number>', 'runs that may be active', positive)
    .option('--rows-per-launch <number>', 'rows that one run may process', positive)
    .option('--response-tokens-per-minute <number>', 'tokens that responses may take in a minute', positive)
    .option('--responses-at-once <number>', 'answers that may be under way', positive)
    .option('--custom-evals-per-hour <number>', 'custom evaluations that may be started in an hour', positive)
    .option('--topic-inferences-per-hour <number>', 'requests to invent whose topics are inferred', positive)
    .option('--tokens-per-run <number>', 'tokens that one run may take; 0 for no limit', natural)
    .option('--minutes-per-run <number>', 'minutes that one run may take; 0 for no limit', natural)
    .action(async (name: string, limits: Record<string, number>) => {
      const orNone = (given: number | undefined, earlier: number | null): number | null =>
        given === undefined ? earlier : given === 0 ? null : given;
      const { access } = ports();
      const earlier = (await access.findPlan(name)) ?? DEFAULT_PLAN;
      await access.savePlan(
        Plan.parse({
          name,
          requests_per_second: limits.requestsPerSecond ?? earlier.requests_per_second,
          runs_at_once: limits.runsAtOnce ?? earlier.runs_at_once,
          rows_per_launch: limits.rowsPerLaunch ?? earlier.rows_per_launch,
          response_tokens_per_minute: limits.responseTokensPerMinute ?? earlier.response_tokens_per_minute,
          responses_at_once: limits.responsesAtOnce ?? earlier.responses_at_once,
          custom_evals_per_hour: limits.customEvalsPerHour ?? earlier.custom_evals_per_hour,
          topic_inferences_per_hour: limits.topicInferencesPerHour ?? earlier.topic_inferences_per_hour,
          tokens_per_run: orNone(limits.tokensPerRun, earlier.tokens_per_run),
          minutes_per_run: orNone(limits.minutesPerRun, earlier.minutes_per_run),
        }),
      );
    });
  plan
    .command('assign <name>')
    .requiredOption(...teamOption)
    .action(async (name: string, { team: teamName }: { team: string }) =>
      assignPlan(ports(), await requireTeam(teamName), name),
    );
  plan
    .command('list')
    .action(async () =>
      print([
        [
          'PLAN',
          'REQUESTS/S',
          'RUNS AT ONCE',
          'ROWS/LAUNCH',
          'TOKENS/MIN',
          'ANSWERS AT ONCE',
          'EVALS/HOUR',
          'TOPICS/HOUR',
          'TOKENS/RUN',
          'MINUTES/RUN',
        ],
        ...(await ports().access.listPlans()).map((each) => [
          each.name,
          each.requests_per_second,
          each.runs_at_once,
          each.rows_per_launch,
          each.response_tokens_per_minute,
          each.responses_at_once,
          each.custom_evals_per_hour,
          each.topic_inferences_per_hour,
          each.tokens_per_run,
          each.minutes_per_run,
        ]),
      ]),
    );

  program
    .command('credits')
    .description('Credits of a team')
    .command('grant')
    .description('add credits and print what is available then')
    .requiredOption(...teamOption)
    .requiredOption('--credits <number>', 'how many', positive)
    .requiredOption('--reason <text>', 'why; it stays in the ledger')
    .action(async (given: { team: string; credits: number; reason: string }) => {
      const available = await grantCredits(
        ports(),
        await requireTeam(given.team),
        given.credits,
        given.reason,
      );
      options.print(String(available));
    });

  const ledger = program.command('ledger').description('The ledger of credits');
  ledger
    .command('show')
    .description('all entries of a team, oldest first')
    .requiredOption(...teamOption)
    .action(async ({ team: teamName }: { team: string }) => {
      const entries = await ports().ledger.listEntries((await requireTeam(teamName)).team_id);
      print([
        ['TIME', 'TYPE', 'CREDITS', 'RUN', 'REASON'],
        ...entries.map((each) => [
          each.created_at,
          each.type,
          each.credits,
          each.block === null ? each.run_id : `answers ${each.block}`,
          each.reason,
        ]),
      ]);
    });
  ledger
    .command('check')
    .description('recompute every balance; exits with 1 and names the team if one is wrong')
    .option(...teamOption)
    .action(async ({ team: teamName }: { team?: string }) => {
      const { access } = ports();
      const teams = teamName === undefined ? await access.listTeams() : [await requireTeam(teamName)];
      const rows: (string | number)[][] = [];
      const total = { granted: 0, settled: 0, held: 0, available: 0 };
      const found: string[] = [];
      for (const each of teams) {
        const { balance, faults } = await checkTeamLedger(ports(), each.team_id);
        const { granted, settled, held, available } = balance;
        rows.push([each.name, granted, settled, held, available, faults.length === 0 ? 'holds' : 'BROKEN']);
        found.push(...faults.map((fault) => `Team "${each.name}" (${each.team_id}): ${fault}.`));
        total.granted += granted;
        total.settled += settled;
        total.held += held;
        total.available += available;
      }
      print([
        ['TEAM', 'GRANTED', 'SETTLED', 'HELD', 'AVAILABLE', 'INVARIANT'],
        ...rows,
        [
          `${teams.length} in all`,
          total.granted,
          total.settled,
          total.held,
          total.available,
          found.length === 0 ? 'holds' : 'BROKEN',
        ],
      ]);
      for (const fault of found) options.print(fault);
      if (found.length > 0) options.fail();
    });

  program
    .command('usage')
    .description('usage and cost of answers, by day (UTC) and model')
    .requiredOption(...teamOption)
    .option('--days <number>', 'how many days back, today included', positive, 30)
    .action(async ({ team: teamName, days }: { team: string; days: number }) => {
      const { team_id } = await requireTeam(teamName);
      const used = await readUsage(ports().meter, team_id, days, ports().now());
      print([
        ['DAY', 'MODEL', 'ANSWERS', 'INPUT TOKENS', 'OUTPUT TOKENS', 'COST', 'BILLED'],
        ...[...used.days, used.total].map((each) => [
          each.day,
          each.model,
          each.answers,
          each.input_tokens,
          each.output_tokens,
          credits(each.cost_microcredits),
          credits(each.billed_microcredits),
        ]),
      ]);
    });

  program
    .command('holds')
    .description('Credits reserved for runs; team list shows those reserved for answers')
    .command('list')
    .option(...teamOption)
    .option('--all', 'holds that have ended too')
    .action(async ({ team: teamName, all }: { team?: string; all?: boolean }) => {
      const { access } = ports();
      const teams = teamName === undefined ? await access.listTeams() : [await requireTeam(teamName)];
      const rows: (string | number | null)[][] = [];
      for (const each of teams) {
        for (const hold of await ports().ledger.listHolds(each.team_id)) {
          if (all !== true && hold.state !== 'held') continue;
          rows.push([
            each.name,
            hold.run_id,
            hold.credits,
            hold.state,
            hold.settled_credits,
            hold.created_at,
          ]);
        }
      }
      print([['TEAM', 'RUN', 'CREDITS', 'STATE', 'SETTLED', 'SINCE'], ...rows]);
    });

  const activeRuns = async (): Promise<RunRecord[]> => {
    const found: RunRecord[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<AdminPorts['runs']['listActive']>> = await ports().runs.listActive({
        limit: 100,
        after,
      });
      found.push(...page.runs);
      after = page.next;
    } while (after !== null);
    return found;
  };
  const run = program.command('runs').alias('run').description('Runs');
  run
    .command('list')
    .description('active runs of the installation, or every run of a dataset')
    .option('--dataset <id>', 'id of the dataset')
    .action(async ({ dataset }: { dataset?: string }) => {
      const listed = dataset === undefined ? await activeRuns() : await ports().runs.listOfDataset(dataset);
      print([
        ['RUN', 'PIPELINE', 'STATUS', 'RESERVED', 'SETTLED', 'STARTED', 'ENDED', 'DATASET', 'TEAM'],
        ...listed.map((each) => [
          each.run_id,
          each.pipeline,
          each.error_data === null ? each.status : `${each.status} (${each.error_data.code})`,
          each.reserved_credits,
          each.settled_credits,
          each.started_at,
          each.ended_at,
          each.dataset_id,
          each.team_id,
        ]),
      ]);
    });
  run
    .command('cancel <id>')
    .description('cancel the active run of a run id or dataset id; finished rows stay')
    .action(async (id: string) => {
      const found = (await activeRuns()).find(({ run_id, dataset_id }) => run_id === id || dataset_id === id);
      if (found === undefined) throw new Error(`There is no active run ${id}. List them: runs list`);
      const { dataset_id, run_id } = found;
      options.print(JSON.stringify(await ports().cancel({ dataset_id, run_id })));
    });

  const voucher = program
    .command('voucher')
    .description('Discount codes, which launches of trainings redeem');
  voucher
    .command('create <code>')
    .description('create a voucher with a discount in percent')
    .requiredOption('--percent <number>', 'how much it takes off, 1 to 100', percent)
    .option('--uses <number>', 'how often it can be redeemed (default: any number of times)', positive)
    .option('--expires <date>', 'until when it can be redeemed; a day counts to its end, in UTC', time)
    .option('--team <name>', 'the one team that can redeem it')
    .action(
      async (code: string, given: { percent: number; uses?: number; expires?: string; team?: string }) => {
        const made = Voucher.safeParse({
          code,
          percent: given.percent,
          uses: 0,
          uses_max: given.uses ?? null,
          valid_until: given.expires ?? null,
          team_id: given.team === undefined ? null : (await requireTeam(given.team)).team_id,
          created_at: new Date(ports().now()).toISOString(),
          revoked_at: null,
        });
        if (!made.success) {
          throw new Error('A code has up to 64 letters, digits, hyphens and underscores.');
        }
        if (!(await ports().vouchers.create(made.data))) {
          throw new Error(`There is a voucher ${code} already. List them: voucher list`);
        }
      },
    );
  voucher.command('list').action(async () => {
    const { access, vouchers } = ports();
    const teams = new Map((await access.listTeams()).map(({ team_id, name }) => [team_id, name]));
    print([
      ['CODE', 'PERCENT', 'USED', 'OF', 'TEAM', 'EXPIRES', 'REVOKED'],
      ...(await vouchers.list()).map((each) => [
        each.code,
        each.percent,
        each.uses,
        each.uses_max,
        each.team_id === null ? null : (teams.get(each.team_id) ?? each.team_id),
        each.valid_until,
        each.revoked_at,
      ]),
    ]);
  });
  voucher
    .command('revoke <code>')
    .description('revoke a voucher; trainings that redeemed it keep their discount')
    .action(async (code: string) => {
      if (!(await ports().vouchers.revoke(code, new Date(ports().now()).toISOString()))) {
        throw new Error(`There is no voucher ${code}. List them: voucher list`);
      }
    });

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
    .action(
      async (
        slug: string,
        given: {
          team: string;
          model: string;
          instructions?: string;
          instructionsFile?: string;
          tool: string[];
          server: string[];
          dataset: string[];
        },
      ) => {
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
        options.print(stackModel(made));
      },
    );
  stack
    .command('list')
    .requiredOption(...teamOption)
    .action(async ({ team: teamName }: { team: string }) =>
      print([
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
      options.print(JSON.stringify(await requireStackOf(teamName, slug), null, 2)),
    );
  stack
    .command('remove <slug>')
    .description('remove a stack; requests that name it are a 404')
    .requiredOption(...teamOption)
    .action(async (slug: string, { team: teamName }: { team: string }) => {
      const { team_id } = await requireStackOf(teamName, slug);
      await ports().stacks.remove(team_id, slug);
    });

  program
    .command('job')
    .description('Training jobs of other platforms')
    .command('import')
    .description('import the jobs of a JSON file for a dataset; a job with the same id is replaced')
    .requiredOption(...teamOption)
    .requiredOption('--dataset <id>', 'id of the dataset')
    .requiredOption('--file <path>', 'a JSON file with a job, or a list of jobs')
    .action(async (given: { team: string; dataset: string; file: string }) => {
      const { team_id } = await requireTeam(given.team);
      const dataset = await ports().datasets.find(given.dataset);
      if (dataset?.team_id !== team_id) {
        throw new Error(`The team "${given.team}" has no dataset ${given.dataset}.`);
      }
      const content: unknown = JSON.parse(readFileSync(given.file, 'utf8'));
      const jobs = (Array.isArray(content) ? content : [content]).map((each) =>
        parseInput('', FinetuneJobFile, each),
      );
      for (const job of jobs) {
        await ports().finetuneJobs.save({ ...job, team_id, dataset_id: dataset.dataset_id });
        options.print(job.finetune_job_id);
      }
    });

  const pool = program.command('pool').description('The curated pool for augmenting datasets');
  pool
    .command('load')
    .argument('[file]', 'a JSONL, Parquet, JSON or CSV file', fileURLToPath(STARTER_POOL))
    .description('embed and add the rows of a file; without a file, those of the project')
    .option('--name <name>', 'what the load is called (default: the name of the file)')
    .option('--prompt <column>', 'column of the questions', 'prompt')
    .option('--completion <column>', 'column of the answers', 'completion')
    .option('--rejected <column>', 'column of worse answers, which make preference pairs', 'rejected')
    .option('--source <column>', 'column that says where a row comes from', 'source')
    .option('--if-empty', 'only into a pool that holds no rows')
    .action(async (file: string, { name, ifEmpty, ...columns }: PoolColumns & LoadOptions) => {
      if (ifEmpty === true && (await readLoads(ports().pool().objects)).length > 0) {
        options.print('The pool holds rows already.');
        return;
      }
      const loaded = await loadPool(ports().pool(), readPoolFile(file), {
        loadId: await loadIdOf(file, columns),
        name: name ?? basename(file),
        columns,
        now: ports().now(),
        onProgress: (rows) => options.print(`${rows} rows embedded`),
      });
      if (loaded.first_left_out !== null) {
        options.print(
          `${loaded.left_out} rows have no text in ${columns.prompt} or ${columns.completion} and were left out; the first is row ${loaded.first_left_out}.`,
        );
      }
      options.print(`${loaded.rows} rows are in the pool.`);
    });
  pool.command('list').action(async () => {
    const loads = await readLoads(ports().pool().objects);
    print([
      ['LOAD', 'NAME', 'ROWS', 'PAIRS', 'EMBEDDED BY', 'LOADED'],
      ...loads.map((each: PoolLoad) => [
        each.load_id,
        each.name,
        rowCountOf(each.shards),
        rowCountOf(each.shards.filter(({ has_pairs }) => has_pairs)),
        each.embedding.model,
        each.loaded_at,
      ]),
    ]);
  });
  pool
    .command('remove <load>')
    .description('remove a load from the pool; datasets keep its rows')
    .action(async (loadId: string) => {
      const { objects } = ports().pool();
      const loads = await readLoads(objects);
      if (!loads.some((each) => each.load_id === loadId)) {
        throw new Error(`There is no load ${loadId}. List them: pool list`);
      }
      // Deleting its first object removes the load from the pool; a run that is searching it fails, and can be started
      // again.
      await objects.remove([objectKeys.poolLoad(loadId)]);
      const keys: string[] = [];
      for await (const key of objects.list(objectKeys.poolShards(loadId))) keys.push(key);
      await objects.remove(keys);
    });

  program
    .command('sweep')
    .description('end active runs whose execution is missing or has ended, now')
    .action(async () => options.print(JSON.stringify(await ports().sweep())));

  return program;
}
