import * as adaptation from './adaptation.ts';
import * as augment from './augment.ts';
import * as combine from './combine.ts';
import * as customEvals from './custom-evals.ts';
import * as datasets from './datasets.ts';
import type { EndpointContract } from './endpoint.ts';
import * as grow from './grow.ts';
import * as invent from './invent.ts';
import * as lint from './lint.ts';
import * as models from './models.ts';
import * as reports from './reports.ts';
import * as responses from './responses.ts';
import * as service from './service.ts';
import * as tools from './tools.ts';
import * as training from './training.ts';
import * as uploads from './uploads.ts';

/** Every endpoint of the service, in the order of the documentation. Only synth, OpenAPI and tests need them all. */
export const contracts: readonly EndpointContract[] = [
  ...Object.values(datasets),
  ...Object.values(reports),
  ...Object.values(uploads),
  ...Object.values(combine),
  ...Object.values(adaptation),
  ...Object.values(customEvals),
  ...Object.values(grow),
  ...Object.values(training),
  ...Object.values(augment),
  ...Object.values(invent),
  ...Object.values(lint),
  ...Object.values(responses),
  ...Object.values(tools),
  ...Object.values(models),
  ...Object.values(service),
];

const of = (...modules: readonly object[]): readonly EndpointContract[] =>
  modules.flatMap((module) => Object.values(module));

/** The same endpoints by capability: the functions of each are deployed as a stack. */
export const capabilities: Readonly<Record<string, readonly EndpointContract[]>> = {
  datasets: of(datasets, reports, uploads, lint),
  adaptation: of(adaptation, customEvals),
  growth: of(combine, grow, augment, invent),
  training: of(training),
  responses: of(responses, tools, models),
  service: of(service),
};

/** `datasets.uploads.complete-by-id` → `functions/api/datasets/uploads/complete-by-id.ts`. */
export function handlerPath(contract: Pick<EndpointContract, 'id'>): string {
  return `functions/api/${contract.id.replaceAll('.', '/')}.ts`;
}
