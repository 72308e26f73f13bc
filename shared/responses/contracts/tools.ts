import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { ToolList } from '../schema/tool.ts';

export const listTools = endpoint({
  id: 'tools.list',
  method: 'GET',
  path: '/api/v1/tools',
  summary: 'List the tool servers that this installation offers',
  description:
    'Name one by its `server_label` in a tool of the type `mcp`. Those that cannot be used with this key are listed too, ' +
    'with the reason.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Responses',
  scope: 'responses',
  readsOrganization: true,
  status: 200,
  response: ToolList,
  errors: [],
});
