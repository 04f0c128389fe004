/** `npm run build:web` builds the page of the dashboard into `src/dashboard/web/dist/`. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

await build({
  configFile: false,
  root: fileURLToPath(new URL('../src/dashboard/web', import.meta.url)),
  logLevel: 'warn',
  // The page's policy allows no inline scripts, and no data as a module.
  build: { outDir: 'dist', emptyOutDir: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});
