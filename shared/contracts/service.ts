import * as z from 'zod';
import { endpoint } from './endpoint.ts';

export const getOpenApi = endpoint({
  id: 'service.openapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  summary: 'Get this document',
  tag: 'Service',
  scope: null,
  status: 200,
  response: z.looseObject({ openapi: z.string() }),
  errors: [],
  uses: {},
});

export const getDocs = endpoint({
  id: 'service.docs',
  method: 'GET',
  path: '/docs',
  summary: 'Read the documentation in a browser',
  tag: 'Service',
  scope: null,
  status: 200,
  contentType: 'text/html',
  errors: [],
  uses: {},
});

export const getDocsAsset = endpoint({
  id: 'service.docs-asset',
  method: 'GET',
  path: '/docs/{asset}',
  summary: 'Get a file of the documentation page',
  tag: 'Service',
  scope: null,
  params: z.strictObject({ asset: z.string().max(100) }),
  status: 200,
  contentType: 'application/octet-stream',
  errors: ['route_not_found'],
  uses: {},
});
