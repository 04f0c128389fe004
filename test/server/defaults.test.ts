/** A new venue has the default limits and settings of the API (docs/spec/venue.md#limits). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServer } from '../../src/app/serve/open-server.ts';
import { venueSchema } from '../../src/config/venue-schema.ts';
import { startVenue, type VenueServer } from '../../src/embed.ts';
import { queryVenue } from './trader.ts';

const HOUR = 3_600_000;
const BETTING = {
  minBetCents: 10,
  maxInitialBetCents: 100_000,
  betPresets: [100, 500, 1_000, 5_000],
  spreadBps: 2_000,
  maxBatchOrders: 20,
  maxBatchCancels: 200,
  minHeartbeatMs: 1_000,
  maxHeartbeatMs: 300_000,
  maxClockSkewMs: 30_000,
  feeRateBps: 0,
};
const MARKET = {
  maxQuestionLength: 300,
  maxBetPerMarketCents: 10_000_000,
  maxExposurePerMarketCents: 100_000_000,
  tickSizeBps: 10,
  minOrderShares: 1,
  lotShares: 0.01,
  disputeWindowSeconds: 7_200,
};
/** Settings that only operators can read. */
const RESOLUTION = { panel_size: 3, quorum: 2, quorum_timeout: 24 * HOUR, safety_period: 24 * HOUR };
const QUERY = `{ bettingConfig { ${Object.keys(BETTING).join(' ')} } marketConfig { ${Object.keys(MARKET).join(' ')} } }`;

async function expectDefaults(venue: VenueServer): Promise<void> {
  try {
    expect(await queryVenue(venue.url, undefined, QUERY, {})).toEqual({ bettingConfig: BETTING, marketConfig: MARKET });
    expect(await venue.operate('status')).toMatchObject({ config: RESOLUTION });
  } finally {
    await venue.close(0);
  }
}

test('a venue embedded in another program has the default limits', async () => {
  await expectDefaults(await startVenue());
});

test('`halfspread serve` without a configuration has the default limits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-defaults-'));
  const ignore = (): void => undefined;
  try {
    const venue = await openServer({
      overrides: {
        db: join(folder, 'venue.db'),
        host: '127.0.0.1',
        port: 0,
        creditCents: undefined,
        seed: false,
        acceptLoss: false,
        dialects: undefined,
        renewOperatorToken: false,
        replays: [],
      },
      file: venueSchema.parse({}),
      folder,
      chaos: undefined,
      log: { info: ignore, warn: ignore, error: ignore },
      onStop: ignore,
    });
    await expectDefaults(venue);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
