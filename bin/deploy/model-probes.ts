import { rewritePrompt } from '#shared/adaptation/decide/prompts/rewrite-prompt.v1.ts';
import { translateText } from '#shared/adaptation/decide/prompts/translate-text.v1.ts';
import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import { describePrompt } from '#shared/datasets/decide/describe.ts';
import { chooseSubdomains } from '#shared/growth/decide/invent/prompts/choose-subdomains.v1.ts';
import { DOMAINS } from '#shared/growth/decide/invent/taxonomy.ts';
import { writeSimilar } from '#shared/growth/decide/pool/prompts/write-similar.v3.ts';
import { customRubricPrompt } from '#shared/judging/decide/prompts/custom-rubric.v1.ts';
import { pairPrompt } from '#shared/judging/decide/prompts/pair.v1.ts';
import { rubricPrompt } from '#shared/judging/decide/prompts/rubric.v1.ts';
import { safetyPrompt } from '#shared/judging/decide/prompts/safety.v1.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import { answerInForm } from '#shared/witnesses/decide/prompts/answer-in-form.v1.ts';
import { findError } from '#shared/witnesses/decide/prompts/find-error.v1.ts';
import { sameClaims } from '#shared/witnesses/decide/prompts/same-claims.v1.ts';

/** A request that a model must accept to serve its role. */
export interface ModelProbe {
  readonly role: Exclude<ModelRole, 'embed' | 'respond'>;
  readonly request: GenerateRequest;
}

const request = 'Is a carrot a fruit? Answer yes or no.';
const answer = 'no';

/**
 * Requests exactly as the service sends them, one for each request shape and role: every prompt with a schema, and one
 * in plain text for each role that generates text.
 */
export const MODEL_PROBES: readonly ModelProbe[] = [
  { role: 'rewrite', request: rewritePrompt(request) },
  {
    role: 'rewrite',
    request: chooseSubdomains(
      'Questions about fruit.',
      DOMAINS.flatMap(({ subdomains }) => subdomains).slice(0, 8),
    ),
  },
  {
    role: 'answer',
    request: answerInForm({
      request,
      form: readForm({ request, answer, profile: NO_PROFILE }),
      draft: null,
      fault: null,
      variation: 0,
      image: null,
      blueprint: null,
    }),
  },
  {
    role: 'answer',
    request: writeSimilar(
      [
        {
          system: 'Be brief.',
          earlier: [{ user: 'Hello', assistant: 'Hello' }],
          prompt: request,
          context: 'place: Lima',
          completion: answer,
          holds_request: false,
        },
      ],
      { withPair: true, withContext: true, withSystem: true, withEarlier: true },
      1,
    ),
  },
  { role: 'judge', request: pairPrompt({ request, a: answer, b: 'yes' }) },
  { role: 'judge', request: rubricPrompt({ request, answer }) },
  { role: 'judge', request: customRubricPrompt('Is the answer one word?', { request, answer }) },
  { role: 'judge', request: safetyPrompt({ prompt: request, response: answer }) },
  { role: 'judge', request: sameClaims({ request, first: answer, second: 'yes' }) },
  { role: 'judge', request: findError(request, answer) },
  { role: 'translate', request: translateText(request, 'German', 100) },
  { role: 'describe', request: describePrompt(['prompt', 'completion'], [`${request} ${answer}`]) },
];
