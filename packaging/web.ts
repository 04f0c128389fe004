/** The page of the dashboard. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const SOURCE = fileURLToPath(new URL('../src/dashboard/web', import.meta.url));
export const BUILT_PAGE = `${SOURCE}/dist`;

export async function buildWeb(): Promise<void> {
  // Tests start it with another value, which would build React for development.
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: false,
    root: SOURCE,
    logLevel: 'warn',
    // The page's policy allows no inline scripts, and no data as a module.
    build: { outDir: 'dist', emptyOutDir: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  });
}
