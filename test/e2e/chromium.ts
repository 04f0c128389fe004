/** Debian's Chromium for browser tests; where it is missing a test fails and says what to run. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';

export async function openChromium(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(`This test needs Chromium at ${EXECUTABLE}. Run .ci/install-debian-packages.sh`);
  }
  return await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
}
