import type { Caller } from '#shared/platform/access/caller.ts';
import { answersExceeded } from '#shared/platform/access/plan.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Balance } from './decide/ledger/record.ts';
import {
  answerUnaffordable,
  emptyShard,
  type FurtherStep,
  METER_SHARDS,
  type MeterShard,
  MICROCREDITS,
  nextFurtherStep,
  nextStep,
  type OpenAdmission,
  openAnswersMax,
} from './decide/meter.ts';
import type { MeterRepository } from './decide/meter-repository.ts';
import { releaseLostAnswers } from './release-lost-answers.ts';

export interface ReservationPorts {
  readonly meter: MeterRepository;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Maximum steps of a response in its search for credits while others take them. */
export const STEPS_MAX = 50;

const busy = (): ServiceError =>
  new ServiceError('service_unavailable', 'The service is busy. Try again in a moment.', {
    retryAfterSeconds: 1,
  });

/**
 * Reserves credits for a response, in the shard `first` if that one has room.
 * @throws if the team cannot pay, or has as many answers under way as its plan allows
 */
export async function reserveAnswer(
  { meter, newId }: ReservationPorts,
  { team_id: teamId, plan }: Caller,
  need: number,
  first: number,
  now: number,
): Promise<OpenAdmission> {
  const numbers = Array.from({ length: Math.min(METER_SHARDS, plan.responses_at_once) }, (_, n) => n);
  const own = first % numbers.length;
  const openMax = (shard: number): number => openAnswersMax(plan.responses_at_once, shard);
  const admits = ({ shard, open }: MeterShard): boolean => open < openMax(shard);
  const admissionId = newId();
  const admissionIn = (shard: number): OpenAdmission => ({
    admission_id: admissionId,
    team_id: teamId,
    shard,
    microcredits: need,
    admitted_at: timestamp(now),
  });
  let room: number | null = own;
  let wasFull = false;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if (room !== null && (await meter.admit(admissionIn(room), openMax(room)))) return admissionIn(room);
    room = null;

    const { balance, shards } = await meter.read(teamId);
    const admitting = numbers
      .map((n) => shards.find(({ shard }) => shard === n) ?? emptyShard(teamId, n))
      .filter(admits);
    const shard = admitting.find((each) => each.shard === own) ?? admitting[own % admitting.length];
    if (shard === undefined) {
      // Another process may just have returned lost credits.
      if ((await releaseLostAnswers(meter, shards, now)) === 0 && wasFull) throw answersExceeded(plan);
      wasFull = true;
      continue;
    }
    const next = nextStep(need, shard, shards, balance ?? { available: 0 }, admits);
    if (next.type === 'refuse') throw answerUnaffordable(need, next.available);
    if (next.type === 'admit') room = next.shard;
    else if (next.type === 'fold') await meter.fold(next.from, next.into);
    else {
      const { reserve, settle } = next;
      const { shard: n, block } = next.shard;
      const admission = admissionIn(n);
      const isAdmitted = await meter.exchange({
        team_id: teamId,
        shard: n,
        block,
        reserve,
        settle,
        release: 0,
        admission: { ...admission, open_max: openMax(n) },
        balance,
        at: timestamp(now),
      });
      if (isAdmitted) return admission;
      room = n;
    }
  }
  throw busy();
}

/** Opens another block for an open response, in its shard. */
export function openFurther(
  { meter, now }: ReservationPorts,
  { team_id, shard }: OpenAdmission,
  { reserve, settle, shard: { block } }: Extract<FurtherStep, { type: 'exchange' }>,
  balance: Balance | null,
): Promise<boolean> {
  return meter.exchange({
    team_id,
    shard,
    block,
    reserve,
    settle,
    release: 0,
    admission: null,
    balance,
    at: timestamp(now()),
  });
}

/** Raises the reservation of a response. @returns the changed admission */
export async function reserveMore(
  ports: ReservationPorts,
  admission: OpenAdmission,
  microcredits: number,
): Promise<OpenAdmission> {
  const { meter } = ports;
  const { team_id, shard: n } = admission;
  const grown = { ...admission, microcredits };
  const more = microcredits - admission.microcredits;
  if (more <= 0) return admission;
  if (await meter.grow(admission, microcredits, [])) return grown;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { balance, shards } = await meter.read(team_id);
    const available = balance?.available ?? 0;
    const free = shards.reduce((sum, shard) => sum + shard.free, 0);
    if (free + available * MICROCREDITS < more) {
      throw answerUnaffordable(more, available + Math.floor(free / MICROCREDITS));
    }
    const own = shards.find((each) => each.shard === n) ?? emptyShard(team_id, n);
    const next = nextFurtherStep(more, own, shards, { available });
    if (next.type === 'exchange') await openFurther(ports, admission, next, balance);
    else if (await meter.grow(admission, microcredits, next.collected)) return grown;
  }
  throw busy();
}
