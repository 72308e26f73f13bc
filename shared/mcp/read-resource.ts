import type { Caller } from '#shared/platform/access/caller.ts';
import { endpointRequest } from './decide/endpoint-request.ts';
import type { CallEndpoint, ListedResource } from './decide/ports.ts';
import { GUIDE_URI } from './decide/tools.ts';
import type { Catalog } from './schema/catalog.ts';

/** Datasets whose resources are listed. */
export const LISTED_DATASETS = 20;

const FIND = 'find_datasets';

/**
 * Lists the guide, and the resources of the newest datasets of the team; the guide alone if the key may not read datasets.
 */
export async function listResources(
  callEndpoint: CallEndpoint,
  { tools, resources }: Catalog,
  caller: Caller,
  signal: AbortSignal,
): Promise<ListedResource[]> {
  const guide = {
    uri: GUIDE_URI,
    name: 'guide',
    title: 'How to work with this service',
    mimeType: 'text/markdown',
  };
  const endpoint = tools.find(({ name }) => name === FIND)?.endpoint;
  if (endpoint === undefined || !caller.scopes.includes('datasets:read')) return [guide];
  const request = endpointRequest(endpoint, { limit: LISTED_DATASETS });
  const { status, text } = await callEndpoint(endpoint, caller, request, signal);
  if (status >= 400) return [guide];
  const { datasets } = JSON.parse(text) as { datasets: { dataset_id: string; name: string }[] };
  return [
    guide,
    ...datasets.flatMap(({ dataset_id, name }) =>
      resources.map(({ template, title, ...resource }) => ({
        uri: template.replace('{dataset_id}', dataset_id),
        name: `${name} (${resource.name})`,
        title: `${title}: ${name}`,
        mimeType: 'application/json',
      })),
    ),
  ];
}

/** The id in an address that a template matches; null if it does not. */
function idIn(uri: string, template: string): string | null {
  const [before = '', after = ''] = template.split('{dataset_id}');
  if (!uri.startsWith(before) || !uri.endsWith(after)) return null;
  const id = uri.slice(before.length, uri.length - after.length);
  return /^[\w-]+$/.test(id) ? id : null;
}

/** Reads a resource. @returns its text and media type; null if there is none at the address */
export async function readResource(
  callEndpoint: CallEndpoint,
  { guide, resources }: Catalog,
  { uri, caller, signal }: { readonly uri: string; readonly caller: Caller; readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly mimeType: string } | null> {
  if (uri === GUIDE_URI) return { text: guide, mimeType: 'text/markdown' };
  for (const { template, endpoint } of resources) {
    const dataset_id = idIn(uri, template);
    if (dataset_id === null) continue;
    const request = endpointRequest(endpoint, { dataset_id });
    const { status, text } = await callEndpoint(endpoint, caller, request, signal);
    return status === 404 ? null : { text, mimeType: 'application/json' };
  }
  return null;
}
