import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The page is at `<stage>/console` and its files at `<stage>/console/<name>`: links are relative, since the stage is only
 * known where it is deployed. Names carry a hash of the content, so that browsers may keep the files.
 */
export default defineConfig({
  plugins: [react()],
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
  },
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `./console/${file}` : { relative: true }),
  },
});
