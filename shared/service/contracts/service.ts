import * as z from 'zod';
import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { text } from '#shared/platform/schema/common.ts';

export const getOpenApi = endpoint({
  id: 'service.openapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  summary: 'Get this document',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Service',
  scope: null,
  status: 200,
  response: z.looseObject({ openapi: text('3.1.0').describe('Version of the OpenAPI specification.') }),
  errors: [],
});

export const getDocs = endpoint({
  id: 'service.docs',
  method: 'GET',
  path: '/docs',
  summary: 'Read the documentation in a browser',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Service',
  scope: null,
  status: 200,
  contentType: 'text/html',
  errors: [],
});

export const getConsole = endpoint({
  id: 'service.console',
  method: 'GET',
  path: '/console',
  summary: 'Open the console in a browser',
  description: 'A page that needs an API key for all that it shows: the reader enters it there.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Service',
  scope: null,
  status: 200,
  contentType: 'text/html',
  errors: [],
});

export const getConsoleAsset = endpoint({
  id: 'service.console-asset',
  method: 'GET',
  path: '/console/{asset}',
  summary: 'Get a file of the console',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Service',
  scope: null,
  params: z.strictObject({
    asset: z.string().max(100).meta({ description: 'Name of the file.', example: 'index-BX2v9yGq.js' }),
  }),
  status: 200,
  contentType: 'text/*',
  errors: ['route_not_found'],
});

export const getDocsAsset = endpoint({
  id: 'service.docs-asset',
  method: 'GET',
  path: '/docs/{asset}',
  summary: 'Get a file of the documentation page',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Service',
  scope: null,
  params: z.strictObject({
    asset: z.string().max(100).meta({ description: 'Name of the file.', example: 'swagger-ui.css' }),
  }),
  status: 200,
  contentType: 'text/*',
  errors: ['route_not_found'],
});
