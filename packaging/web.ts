/** Builds the page of the dashboard. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const SOURCE = fileURLToPath(new URL('../src/dashboard/web', import.meta.url));
export const BUILT_PAGE = `${SOURCE}/dist`;

export async function buildWeb(): Promise<void> {
  // Tests set another value, with which Vite would build React for development.
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: false,
    root: SOURCE,
    logLevel: 'warn',
    // The page's security policy allows no inline scripts, and no `data:` URLs as modules.
    build: { outDir: 'dist', emptyOutDir: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  });
}
