import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { findSubdomain } from './taxonomy.ts';

/** The brief of a candidate. */
export interface Brief {
  readonly subdomain: string;
  /** The topic in words. */
  readonly topic: string;
  readonly form: string;
  readonly person: string;
  readonly angle: string;
}

const FORMS = [
  'a direct question',
  'a request for step-by-step instructions',
  'a request for an explanation of how or why something works',
  'a request to compare two options and recommend one',
  'a problem that somebody is stuck with and wants solved',
  'a request to check or correct something, which the request quotes',
  'a request for a plan or a checklist',
  'a request to write or rewrite a short text for a given reader',
  'a request to sum up or sort information that the request itself gives',
  'a question about a concrete case with numbers',
  'a question about a common mistake or misunderstanding',
  'a request for examples or ideas under given limits',
] as const;

const PEOPLE = [
  'a beginner',
  'a professional of the field',
  'a student',
  'a parent',
  'somebody in a hurry',
  'the owner of a small business',
  'an enthusiast who knows the basics',
  'somebody who helps a friend',
  'a team lead',
  'somebody who is sceptical',
] as const;

const ANGLES = [
  'a situation of everyday life',
  'something that went wrong',
  'a decision that has to be made today',
  'costs and what can be saved',
  'safety and risks',
  'tools and what they are for',
  'first steps',
  'a rare or difficult case',
  'quality and how to tell it',
  'rules that apply',
  'how things were and how they have changed',
  'time and how to plan it',
  'misleading advice that is often heard',
  'how to explain it to others',
] as const;

/** A brief as prompts show it. */
export const describeBrief = ({ topic, form, person, angle }: Omit<Brief, 'subdomain'>): string =>
  `topic: ${topic}\nform: ${form}\nasked by: ${person}\nabout: ${angle}`;

/**
 * The brief of a candidate, the same whenever it is asked for: subdomains take turns, so that each gets its share,
 * and what else differs is drawn.
 */
export function briefOf(runId: string, candidate: number, subdomains: readonly string[]): Brief {
  const subdomain = subdomains[candidate % subdomains.length] as string;
  const found = findSubdomain(subdomain);
  const random = seededRandom(`brief ${runId} ${candidate}`);
  const pick = (choices: readonly string[]): string =>
    choices[Math.floor(random() * choices.length)] as string;
  return {
    subdomain,
    topic: found === null ? subdomain : `${found.domain.title}: ${found.subdomain.title}`,
    form: pick(FORMS),
    person: pick(PEOPLE),
    angle: pick(ANGLES),
  };
}
