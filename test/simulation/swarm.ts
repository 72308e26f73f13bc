import { FAULT_KINDS, type FaultKind, PER_THOUSAND } from './faults.ts';
import type { SeededRandom } from './random.ts';

/** What people of a team may do. */
export const PEOPLE_KINDS = [
  'adapts',
  'grows',
  'asks',
  'invents',
  'chats',
  'evaluates',
  'trains',
  'listens',
] as const;
export type PeopleKind = (typeof PEOPLE_KINDS)[number];

/**
 * How many of all kinds of people, or of faults, one simulation has, and how much more often than in ordinary weather those faults
 * strike: few of them much more often, so that one meets the other.
 */
const SHARES = [
  { share: 0.15, intensities: [3, 10, 30] },
  { share: 0.4, intensities: [1, 3, 10] },
  { share: 1, intensities: [1, 1, 3] },
] as const;
const RATE_MAX = 0.5;

/** What else one simulation draws, each value as likely as the others of its line. */
const DRAWN = {
  teams: [1, 1, 2],
  /** People of each kind in a team, each with things of its own. */
  people: [1, 1, 2],
  /** Colleagues who want something of the same dataset, eval or model at the same moment. */
  company: [1, 2, 4],
  /** The pauses between what people do, as a part of ordinary ones. */
  pace: [1, 0.1, 0.01],
  /** How often a request with a key is sent twice at once. */
  echoes: [0, 0.3, 1],
  /** How often a caller whose request has failed comes back minutes later, and not at once. */
  absences: [0.1, 0.1, 0.6],
  /** Milliseconds of a call of a model, on average. */
  modelMilliseconds: [500, 500, 8000],
  /** Milliseconds for which a process stands still that nobody meets, on average. */
  standingMilliseconds: [5_000, 15_000, 60_000],
  trainer: ['embedded', 'gpu'],
  /** What answers with trained models. */
  platform: ['amazon_sagemaker', 'amazon_sagemaker', 'amazon_bedrock'],
  /** Instances that AWS has for trained models at once. */
  instances: [1, 2],
} as const satisfies Readonly<Record<string, readonly (number | string)[]>>;

/** What one simulation has of all that there may be. */
export type Swarm = { readonly [Name in keyof typeof DRAWN]: (typeof DRAWN)[Name][number] } & {
  readonly kinds: ReadonlySet<PeopleKind>;
  /** Of each occasion. */
  readonly rates: ReadonlyMap<FaultKind, number>;
};

/**
 * Draws what a simulation has: each leaves most of it out, so that what is left meets often (Groce, Zhang, Eide, Chen and Regehr,
 * "Swarm Testing", ISSTA 2012).
 */
export function drawSwarm(random: SeededRandom): Swarm {
  const ofPeople = random.fork('people');
  const { share } = ofPeople.pick(SHARES);
  const kinds = new Set(PEOPLE_KINDS.filter(() => ofPeople.chance(share)));
  const first = ofPeople.pick(PEOPLE_KINDS.filter((kind) => kind !== 'listens'));
  // Who listens alone hears nothing.
  if ([...kinds].every((kind) => kind === 'listens')) kinds.add(first);

  const weather = random.fork('weather');
  const { share: faultShare, intensities } = weather.pick(SHARES);
  const rates = new Map<FaultKind, number>();
  for (const kind of FAULT_KINDS) {
    const isThere = weather.chance(faultShare);
    const rate = (PER_THOUSAND[kind] / 1000) * weather.pick(intensities);
    rates.set(kind, isThere ? Math.min(RATE_MAX, rate) : 0);
  }
  const others = Object.entries(DRAWN).map(([name, values]) => [
    name,
    random.fork(name).pick<number | string>(values),
  ]);
  return { ...(Object.fromEntries(others) as Omit<Swarm, 'kinds' | 'rates'>), kinds, rates };
}

/** What was drawn, for the story. */
export function describeSwarm({ kinds, rates, ...others }: Swarm): string {
  const drawn = Object.entries(others).map(([name, value]) => `${name} ${value}`);
  const often = [...rates].filter(([, rate]) => rate > 0).sort(([, a], [, b]) => b - a);
  const faults = often.map(([kind, rate]) => `${kind} ${(rate * 1000).toFixed(1)}`);
  return `this seed has people who ${[...kinds].join(', ')}; ${drawn.join(', ')}; of a thousand occasions: ${faults.join(', ')}`;
}
