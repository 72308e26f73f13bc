import * as z from 'zod';
import { TrainingType } from '#shared/adaptation/schema/adaptation.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { type ErrorDetail, ServiceError } from '#shared/platform/errors/service-error.ts';
import { RunBudget } from '#shared/runs/decide/budget.ts';
import { ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import type { InventRequest } from '../../schema/invent.ts';
import { DOMAINS, findDomain, findSubdomain } from './taxonomy.ts';

/** The stored request of an invention. */
export const InventRunRequest = z.object({
  rows: z.int().min(1),
  training_type: TrainingType,
  /** Codes of the subdomains to cover. */
  subdomains: z.array(z.string()).min(1),
  dataset_prompt: z.string().nullable(),
  expansion: ResolvedExpansion.nullable(),
  candidates_max: z.int().min(1),
  budget: RunBudget,
});
export type InventRunRequest = z.infer<typeof InventRunRequest>;

/** Maximum number of candidates: three for each requested row, and a few more for small datasets. */
export function candidatesMaxOf(rows: number): number {
  return 3 * rows + 30;
}

/** Minimum score of a row: grade C or better in the evaluation. */
export const SCORE_MIN = 6;

/** The topics of an invention: domains, and subdomains if the caller narrows them. */
export interface Topics {
  readonly domains: readonly string[];
  readonly subdomains: readonly string[];
}

/** The caller's description: `prompt` is its older name (spec §4.15). */
export function promptOf({ dataset_prompt: given, prompt: older }: InventRequest): string | null {
  if (given !== undefined && older !== undefined && given !== older) {
    throw invalidField('prompt', 'differs from dataset_prompt; omit it');
  }
  return given ?? older ?? null;
}

/**
 * The topics that the caller names; null if they must be inferred from the prompt.
 * @throws {ServiceError} `domain_unknown`, naming every unknown code; `invalid_request` for a subdomain of a domain
 * that is not listed, and if there is no prompt to infer from
 */
export function readTopics(request: InventRequest, prompt: string | null): Topics | null {
  const domains = [...new Set(request.domains ?? [])];
  const subdomains = [...new Set(request.subdomains ?? [])];
  if (domains.length === 0 && subdomains.length === 0) {
    if (prompt !== null) return null;
    throw invalidField('dataset_prompt', 'is required unless domains or subdomains are given');
  }
  const details: ErrorDetail[] = [
    ...(request.domains ?? []).flatMap((code, n) =>
      findDomain(code) === null ? [unknownDomain(code, n)] : [],
    ),
    ...(request.subdomains ?? []).flatMap((code, n) =>
      findSubdomain(code) === null ? [unknownSubdomain(code, n)] : [],
    ),
  ];
  if (details.length > 0) {
    const message = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ');
    throw new ServiceError(
      'domain_unknown',
      `${message}. GET /api/v1/datasets/invent/domains lists all codes.`,
      {
        details,
      },
    );
  }
  for (const [n, code] of (request.subdomains ?? []).entries()) {
    const parent = findSubdomain(code)?.domain.code ?? '';
    if (domains.length > 0 && !domains.includes(parent)) {
      throw invalidField(
        `subdomains[${n}]`,
        `belongs to the domain ${JSON.stringify(parent)}, which is not in domains; add it, or omit domains`,
      );
    }
  }
  return domains.length > 0
    ? { domains, subdomains }
    : { domains: [...new Set(subdomains.map((code) => findSubdomain(code)?.domain.code ?? ''))], subdomains };
}

/** A description for a dataset that its caller describes by topics only (spec §4.15): it replaces `dataset_prompt`. */
export function writtenPrompt({ domains, subdomains }: Topics): string {
  const told = domains.map((code) => {
    const own = subdomains.filter((subdomain) => subdomain.startsWith(`${code}.`));
    const title = findDomain(code)?.title ?? code;
    const titles = own.map((subdomain) => findSubdomain(subdomain)?.subdomain.title ?? subdomain);
    return titles.length === 0 ? title : `${title} (${titles.join(', ')})`;
  });
  return `Requests that people bring to an assistant, with helpful answers, in English. Topics: ${told.join('; ')}.`;
}

/** Maximum number of codes in an error. */
const SAMPLE = 8;

function unknownDomain(code: string, n: number): ErrorDetail {
  const sample = DOMAINS.slice(0, SAMPLE).map((domain) => domain.code);
  return {
    path: `domains[${n}]`,
    message: `${JSON.stringify(code)} is no domain of the catalog, which has ${sample.join(', ')} and others`,
    sample,
  };
}

function unknownSubdomain(code: string, n: number): ErrorDetail {
  const domain = findDomain(code.split('.')[0] ?? '') ?? DOMAINS[0];
  const sample = (domain?.subdomains ?? []).slice(0, SAMPLE).map((subdomain) => subdomain.code);
  return {
    path: `subdomains[${n}]`,
    message: `${JSON.stringify(code)} is no subdomain of the catalog; codes are domain.subdomain, such as ${sample.join(', ')}`,
    sample,
  };
}

/** The subdomains to cover: the named ones, and all subdomains of domains without a named one. */
export function subdomainsToCover({ domains, subdomains }: Topics): string[] {
  return domains.flatMap((code) => {
    const own = subdomains.filter((subdomain) => subdomain.startsWith(`${code}.`));
    return own.length > 0 ? own : (findDomain(code)?.subdomains ?? []).map((subdomain) => subdomain.code);
  });
}
