import { createHash } from 'node:crypto';

/** Files beside the documentation page, with their media types: what it loads, and what it says to models. */
export const docsAssets: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['llms.txt', 'text/markdown; charset=utf-8'],
]);

/** Links are relative to the stage path, if the API has one. */
const LOAD = `
      const base = location.pathname.replace(/\\/docs\\/?$/, '');
      document.write('<link rel="stylesheet" href="' + base + '/docs/swagger-ui.css">');
      document.write('<link rel="alternate" type="text/markdown" title="For models" href="' + base + '/docs/llms.txt">');
      document.write('<script src="' + base + '/docs/swagger-ui-bundle.js"><\\/script>');
    `;

/** Swagger UI does not know `x-codeSamples`: a plugin shows them above the responses of each operation. */
const SHOW = `
      const codeSamples = ({ React }) => ({
        wrapComponents: {
          responses: (Responses, { specSelectors }) => (props) => {
            const found = specSelectors.specJson().getIn(['paths', props.path, props.method, 'x-codeSamples']);
            const samples = found === undefined ? [] : found.toJS();
            const shown = samples.map(({ label, source }) =>
              React.createElement('details', { key: label, className: 'opblock-description-wrapper' },
                React.createElement('summary', null, label),
                React.createElement('pre', { className: 'example' }, source)));
            return React.createElement('div', null, shown, React.createElement(Responses, props));
          },
        },
      });
      window.addEventListener('load', () => {
        fetch(base + '/api/v1/openapi.json')
          .then((response) => response.json())
          .then((spec) => {
            spec.servers = [{ url: base === '' ? '/' : base }];
            SwaggerUIBundle({
              spec,
              dom_id: '#docs',
              deepLinking: true,
              docExpansion: 'none',
              filter: true,
              plugins: [codeSamples],
              validatorUrl: null,
            });
          });
      });
    `;

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** Headers of the page: the browser loads from and connects to this installation only, and runs only these scripts. */
export const docsHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' ${hashOf(LOAD)} ${hashOf(SHOW)}`,
    // Swagger UI sets inline styles, and uses icons from data URLs.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The documentation page. It loads nothing from other hosts, so it works offline. */
export function docsPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tunesmith API</title>
    <link rel="icon" href="data:,">
    <script>${LOAD}</script>
  </head>
  <body>
    <div id="docs"></div>
    <script>${SHOW}</script>
  </body>
</html>
`;
}
