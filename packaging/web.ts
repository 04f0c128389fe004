/** The page of the dashboard. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const SOURCE = fileURLToPath(new URL('../src/dashboard/web', import.meta.url));
export const BUILT_PAGE = `${SOURCE}/dist`;

export async function buildWeb(): Promise<void> {
  await build({
    configFile: false,
    root: SOURCE,
    logLevel: 'warn',
    // The page's policy allows no inline scripts, and no data as a module.
    build: { outDir: 'dist', emptyOutDir: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  });
}
