import type { Command } from 'commander';
import { assignPlan, ensureTeam, ensureUser, grantCredits, issueKey } from '#shared/access/issue-key.ts';
import { DEFAULT_PLAN, type Plan } from '#shared/platform/schema/plan.ts';
import type { AdminContext } from './context.ts';
import { positive } from './values.ts';

/** Of the team, its plan, and the owner of its key. */
const NAME = 'probe';

/** What a probe needs, and no more: also a key that was taken gives little. */
const PLAN: Plan = {
  ...DEFAULT_PLAN,
  name: NAME,
  requests_per_second: 5,
  runs_at_once: 2,
  rows_per_launch: 10,
  response_tokens_per_minute: 1,
  responses_at_once: 1,
  creations_per_hour: 10,
  readings_per_hour: 10,
  builds_per_hour: 10,
  scans_per_hour: 10,
  // The first run of a model calibrates it as a judge, by some hundred calls.
  tokens_per_run: 500_000,
  minutes_per_run: 15,
};

/** Credits of a year and more: a probe costs one. */
const CREDITS = 10_000;

/** The commands `probe …`. */
export function addProbeCommands(program: Command, { ports, print }: AdminContext): void {
  const probe = program
    .command('probe')
    .description('The probe that does the main job once an hour (PROBE=true)');
  probe
    .command('start')
    .description('make its plan, team and key, fill up its credits, and store the key where it finds it')
    .option('--url <url>', 'base URL of the API (default: that of the last deployment)')
    .option('--credits <number>', 'credits that it has then', positive, CREDITS)
    .action(async ({ url, credits }: { url?: string; credits: number }) => {
      const { access, ledger, probeAccess, now } = ports();
      const { apiUrl, store } = probeAccess();
      const api_url = url ?? apiUrl;
      if (api_url === undefined) {
        throw new Error('It is not known where the API is: --url, with the output ApiUrl of the stack api.');
      }
      await access.savePlan(PLAN);
      const known = await access.findTeamByName(NAME);
      if (known !== null && known.plan !== NAME) {
        throw new Error(
          `There is a team "${NAME}" with another plan: the probe would revoke its keys and delete its datasets. Rename that team.`,
        );
      }
      const team = await ensureTeam(ports(), NAME, undefined);
      await assignPlan(ports(), team, NAME);
      const holder = await ensureUser(ports(), NAME);
      const earlier = (await access.listKeys(team.team_id)).filter(({ revoked_at }) => revoked_at === null);
      const { key } = await issueKey(ports(), team, holder, ['datasets:read', 'datasets:write']);
      await store({ api_url, api_key: key });
      for (const { key_id } of earlier) await access.revokeKey(team.team_id, key_id, now());
      const available = (await ledger.findBalance(team.team_id))?.available ?? 0;
      const lacking = credits - available;
      if (lacking > 0) await grantCredits(ports(), team, lacking, 'for the probe');
      print(
        `The team "${NAME}" has a key and ${Math.max(credits, available)} credits. It asks ${api_url} once an hour.`,
      );
    });
  probe
    .command('stop')
    .description('revoke its key; deploy without PROBE to remove it')
    .action(async () => {
      const { access, now } = ports();
      const team = await access.findTeamByName(NAME);
      if (team === null) throw new Error('The probe was never started: probe start');
      for (const { key_id, revoked_at } of await access.listKeys(team.team_id)) {
        if (revoked_at === null) await access.revokeKey(team.team_id, key_id, now());
      }
      print('The key of the probe is revoked.');
    });
}
