/** What the playground sends of the fields that `POST /api/v1/responses` takes. */
export interface ResponseRequest {
  readonly model: string;
  readonly input: string | ApprovalResponse[];
  readonly instructions?: string;
  readonly temperature?: number;
  readonly max_output_tokens?: number;
  readonly tools?: Tool[];
  readonly include?: 'file_search_call.results'[];
  readonly tool_choice?: { type: 'file_search' };
  readonly previous_response_id?: string;
  readonly store?: true;
  readonly stream: true;
}

/** A type, not an interface: it is assigned to types with other fields. */
type ApprovalResponse = {
  type: 'mcp_approval_response';
  approval_request_id: string;
  approve: boolean;
};

type Tool =
  | { type: 'file_search'; vector_store_ids: string[] }
  | {
      type: 'mcp';
      server_label: string;
      server_url?: string;
      authorization?: string;
      require_approval?: 'always' | 'never';
    };

export type Approval = 'server' | 'always' | 'never';

/** What a person has typed and chosen; an empty field leaves the choice to the model's provider. */
export interface PromptForm {
  readonly instructions: string;
  readonly input: string;
  readonly temperature: string;
  readonly maxOutputTokens: string;
  /** Labels of the tool servers of the installation. */
  readonly servers: readonly string[];
  readonly approval: Approval;
  readonly ownServer: { readonly label: string; readonly url: string; readonly authorization: string };
  /** Ids of the datasets that are searched. */
  readonly datasets: readonly string[];
  readonly hasToSearch: boolean;
}

export const EMPTY_PROMPT: PromptForm = {
  instructions: '',
  input: '',
  temperature: '',
  maxOutputTokens: '1000',
  servers: [],
  approval: 'server',
  ownServer: { label: 'own', url: '', authorization: '' },
  datasets: [],
  hasToSearch: false,
};

/** The request that asks a model. It is stored if tools may ask for an approval, since the answer then goes on from it. */
export function requestOf(form: PromptForm, model: string): ResponseRequest {
  const tools = toolsOf(form);
  const hasServers = form.servers.length > 0 || form.ownServer.url.trim() !== '';
  const isSearching = form.datasets.length > 0;
  return {
    model,
    input: form.input,
    ...(form.instructions.trim() === '' ? {} : { instructions: form.instructions }),
    ...(form.temperature.trim() === '' ? {} : { temperature: Number(form.temperature) }),
    ...(form.maxOutputTokens.trim() === '' ? {} : { max_output_tokens: Number(form.maxOutputTokens) }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(isSearching ? { include: ['file_search_call.results' as const] } : {}),
    ...(isSearching && form.hasToSearch ? { tool_choice: { type: 'file_search' as const } } : {}),
    ...(hasServers ? { store: true } : {}),
    stream: true,
  };
}

function toolsOf({ servers, approval, ownServer, datasets }: PromptForm): Tool[] {
  const asks = approval === 'server' ? {} : { require_approval: approval };
  const url = ownServer.url.trim();
  const authorization = ownServer.authorization.trim();
  return [
    ...(datasets.length === 0 ? [] : [{ type: 'file_search' as const, vector_store_ids: [...datasets] }]),
    ...servers.map((label) => ({ type: 'mcp' as const, server_label: label, ...asks })),
    ...(url === ''
      ? []
      : [
          {
            type: 'mcp' as const,
            server_label: ownServer.label.trim() || 'own',
            server_url: url,
            ...(authorization === '' ? {} : { authorization }),
            ...asks,
          },
        ]),
  ];
}

/** A decision about a call of a tool. */
export interface Decision {
  readonly requestId: string;
  readonly isApproved: boolean;
}

/** The request that goes on after decisions. Credentials are not stored, so that all tools are sent again. */
export function requestAfter(
  { tool_choice: _, ...request }: ResponseRequest,
  responseId: string,
  decisions: readonly Decision[],
): ResponseRequest {
  return {
    ...request,
    previous_response_id: responseId,
    input: decisions.map(({ requestId, isApproved }) => ({
      type: 'mcp_approval_response' as const,
      approval_request_id: requestId,
      approve: isApproved,
    })),
  };
}
