import type { FreeUse, Plan } from '../schema/plan.ts';
import type { Caller } from './caller.ts';
import type { KeyRecord, Organization, Team, User } from './records.ts';

/** Queries for authentication and authorisation. */
export interface AccessRepository {
  findKey(keyHash: string): Promise<KeyRecord | null>;
  findTeam(teamId: string): Promise<Team | null>;
  findPlan(name: string): Promise<Plan | null>;
  isMember(teamId: string, userId: string): Promise<boolean>;
}

/** Operations of the administrator. Names of organizations, teams and users are unique in the installation. */
export interface AccessAdministration extends AccessRepository {
  findOrganizationByName(name: string): Promise<Organization | null>;
  findTeamByName(name: string): Promise<Team | null>;
  findUserByName(name: string): Promise<User | null>;
  /** Each of the three returns false, and changes nothing, if the name is taken. */
  createOrganization(organization: Organization): Promise<boolean>;
  /** Creates the team with an empty balance. */
  createTeam(team: Team): Promise<boolean>;
  createUser(user: User): Promise<boolean>;
  listOrganizations(): Promise<Organization[]>;
  listTeams(): Promise<Team[]>;
  listUsers(): Promise<User[]>;
  addMember(teamId: string, userId: string, now: number): Promise<void>;
  listMembers(teamId: string): Promise<string[]>;
  createKey(key: KeyRecord): Promise<void>;
  listKeys(teamId: string): Promise<KeyRecord[]>;
  /** Returns false if the team has no such key. A second call keeps the first time of revocation. */
  revokeKey(teamId: string, keyId: string, now: number): Promise<boolean>;
  /** Creates or replaces the plan. */
  savePlan(plan: Plan): Promise<void>;
  listPlans(): Promise<Plan[]>;
  /** Returns false if there is no such team. */
  assignPlan(teamId: string, planName: string): Promise<boolean>;
}

/** Counts requests in windows of one second, and those that take long in windows of one hour. */
export interface RateLimiter {
  /**
   * Counts one request of the caller's team; `now` is in milliseconds since the epoch.
   * @throws ServiceError `rate_limited`, naming the limit, if the second is full.
   */
  admit(caller: Pick<Caller, 'team_id' | 'plan'>, now: number): Promise<void>;
  /** Counts one of the requests that an endpoint counts by the hour. @throws ServiceError `rate_limited` */
  admitUse(caller: Pick<Caller, 'team_id' | 'plan'>, use: FreeUse, now: number): Promise<void>;
}

/**
 * The tokens that models use in an hour for a team's rows which are not billed: failed, dropped and rejected ones.
 * Whatever leaves work of a model unbilled adds it here.
 */
export interface UnbilledAllowance {
  /** Adds tokens to the hour of `now`, in milliseconds since the epoch. Returns the sum of that hour. */
  add(teamId: string, tokens: number, now: number): Promise<number>;
  /** The sum of the hour of `now`. */
  used(teamId: string, now: number): Promise<number>;
  /** @throws ServiceError `rate_limited`, naming the limit, if the tokens of the hour are used up. */
  requireLeft(
    caller: {
      readonly team_id: string;
      readonly plan: Pick<Plan, 'name' | 'unbilled_tokens_per_hour'>;
    },
    now: number,
  ): Promise<void>;
}

/** Counts a team's uses that cost no credits in windows of one hour. */
export interface FreeUseLimiter {
  /**
   * Counts one use; `now` is in milliseconds since the epoch.
   * @throws ServiceError `rate_limited`, naming the limit, if the hour is full.
   */
  admit(caller: Pick<Caller, 'team_id' | 'plan'>, use: FreeUse, now: number): Promise<void>;
}
