/** Files that the documentation page loads, with their media types; all come from this installation. */
export const docsAssets: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]);

/**
 * The documentation page. Links are relative, because the API may be served below a stage; it needs nothing from
 * another host, so that it works offline.
 */
export function docsPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tunesmith API</title>
    <link rel="icon" href="data:,">
    <script>
      const base = location.pathname.replace(/\\/docs\\/?$/, '');
      document.write('<link rel="stylesheet" href="' + base + '/docs/swagger-ui.css">');
      document.write('<script src="' + base + '/docs/swagger-ui-bundle.js"><\\/script>');
    </script>
  </head>
  <body>
    <div id="docs"></div>
    <script>
      window.addEventListener('load', () => {
        fetch(base + '/api/v1/openapi.json')
          .then((response) => response.json())
          .then((spec) => {
            spec.servers = [{ url: base === '' ? '/' : base }];
            SwaggerUIBundle({ spec, dom_id: '#docs', deepLinking: true, validatorUrl: null });
          });
      });
    </script>
  </body>
</html>
`;
}
