import * as access from '#shared/access/contracts.ts';
import * as adaptation from '#shared/adaptation/contracts/adaptation.ts';
import * as lint from '#shared/answers/contracts.ts';
import * as datasets from '#shared/datasets/contracts.ts';
import * as deployments from '#shared/deployments/contracts.ts';
import * as evals from '#shared/evals/contracts.ts';
import * as events from '#shared/events/contracts.ts';
import * as exports from '#shared/exports/contracts.ts';
import * as augment from '#shared/growth/contracts/augment.ts';
import * as combine from '#shared/growth/contracts/combine.ts';
import * as grow from '#shared/growth/contracts/grow.ts';
import * as invent from '#shared/growth/contracts/invent.ts';
import * as uploads from '#shared/ingest/contracts.ts';
import * as customEvals from '#shared/judging/contracts.ts';
import * as lifecycle from '#shared/lifecycle/contracts.ts';
import * as mcp from '#shared/mcp/contracts.ts';
import * as batches from '#shared/openai/contracts/batches.ts';
import * as chat from '#shared/openai/contracts/chat.ts';
import * as files from '#shared/openai/contracts/files.ts';
import * as fineTuning from '#shared/openai/contracts/fine-tuning.ts';
import * as pilots from '#shared/pilots/contracts.ts';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import * as publishing from '#shared/publishing/contracts.ts';
import * as models from '#shared/responses/contracts/models.ts';
import * as responses from '#shared/responses/contracts/responses.ts';
import * as tools from '#shared/responses/contracts/tools.ts';
import * as applyVerdicts from '#shared/review/contracts/apply.ts';
import * as review from '#shared/review/contracts/review.ts';
import * as reports from '#shared/runs/contracts.ts';
import * as training from '#shared/training/contracts.ts';
import * as webhooks from '#shared/webhooks/contracts.ts';
import * as service from './service.ts';

const of = (...modules: readonly object[]): readonly EndpointContract[] =>
  modules.flatMap((module) => Object.values(module));

/** Every endpoint of the service by the stack that its function is deployed in. Only synth, OpenAPI and tests need them all. */
export const endpointsByStack: Readonly<Record<string, readonly EndpointContract[]>> = {
  datasets: of(datasets, reports, exports, review, applyVerdicts, publishing, lifecycle, uploads, lint),
  adaptation: of(adaptation, pilots, customEvals),
  growth: of(combine, grow, augment, invent),
  training: of(training, deployments),
  responses: of(responses, tools, models),
  openai: of(chat, files, batches, fineTuning, evals),
  service: of(access, events, webhooks, mcp, service),
};

/** Every endpoint, in the order of the documentation. */
export const contracts: readonly EndpointContract[] = Object.values(endpointsByStack).flat();

/** `datasets.uploads.complete-by-id` → `functions/api/datasets/uploads/complete-by-id.ts`. */
export function handlerPath(contract: Pick<EndpointContract, 'id'>): string {
  return `functions/api/${contract.id.replaceAll('.', '/')}.ts`;
}
