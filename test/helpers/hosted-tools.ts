/** Tool servers that the operator of the tests' cloud offers: `tools.json`, as an operator writes it. */
export function hostedTools([first, second]: readonly [number, number]): Readonly<Record<string, unknown>>[] {
  const notes = { name: 'Notes', description: 'Keeps notes', url: `http://127.0.0.1:${first}/mcp` };
  return [
    { ...notes, server_label: 'open-notes' },
    { ...notes, server_label: 'shared-notes', auth: 'platform' },
    { ...notes, server_label: 'team-notes', auth: 'connection' },
    { ...notes, server_label: 'own-notes', auth: 'caller' },
    { ...notes, server_label: 'careful-notes', auth: 'platform', default_require_approval: 'always' },
    { ...notes, server_label: 'trainers-notes', required_scope: 'training' },
    { ...notes, server_label: 'old-notes', enabled: false },
    { ...notes, server_label: 'notes-to-come', url: null },
    {
      server_label: 'everything',
      name: 'Everything',
      description: 'The reference server',
      url: `http://127.0.0.1:${second}/mcp`,
      logo_url: 'https://modelcontextprotocol.io/favicon.svg',
    },
  ];
}
