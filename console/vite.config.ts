import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Lets the page load its script and its style sheet by `boot.mjs`, which asks again for what does not come. */
const boot: Plugin = {
  name: 'boot',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [scriptTag, script = ''] = /<script type="module"[^>]* src="([^"]+)"><\/script>/.exec(html) ?? [
        '',
      ];
      const [styleTag, style = ''] = /<link rel="stylesheet"[^>]* href="([^"]+)">/.exec(html) ?? [''];
      if (script === '' || style === '')
        throw new Error('The page has to name one script and one style sheet.');
      const code = readFileSync(new URL('boot.mjs', import.meta.url), 'utf8');
      return html
        .replace(styleTag, '')
        .replace(scriptTag, '')
        .replace(
          '</body>',
          () =>
            `<script type="module">${code.replace('__SCRIPT__', script).replace('__STYLE__', style)}</script>\n</body>`,
        );
    },
  },
};

/**
 * The page is at `<stage>/console` and its files at `<stage>/console/<name>`: links are relative, since the stage is only
 * known where it is deployed. Names carry a hash of the content, so that browsers may keep the files.
 */
export default defineConfig({
  plugins: [react(), boot],
  // The sources of the client, which the console uses without a build of it.
  resolve: {
    alias: { tunesmith: fileURLToPath(new URL('../clients/typescript/src/index.ts', import.meta.url)) },
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsDir: '',
    // Small files would become data: URLs, which the page's policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    // One file for all pages, so that none waits for a function's answer.
    chunkSizeWarningLimit: 1000,
  },
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `./console/${file}` : { relative: true }),
  },
});
