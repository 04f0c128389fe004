/** Debian's Chromium for browser tests. `.ci/run` installs it. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';

/** The error message when Chromium is missing; undefined when it is installed. */
export const NO_CHROMIUM = existsSync(EXECUTABLE)
  ? undefined
  : `This test needs Chromium at ${EXECUTABLE}. Run .ci/install-debian-packages.sh`;

export async function openChromium(): Promise<Browser> {
  if (NO_CHROMIUM !== undefined) throw new Error(NO_CHROMIUM);
  return await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
}
