/** The quotes of each policy, compared with values of the specification. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { QuotePolicyName } from '../../../../src/exchange/index.ts';
import { idOf } from './commands.ts';
import { openVenueWithMakers } from './venue.ts';

const SHARE = 1_000_000;

describe('quotes', () => {
  interface Vector {
    readonly policy: QuotePolicyName;
    readonly bestBidBps: number | null;
    readonly bestAskBps: number | null;
    readonly lastTradePriceBps: number | null;
    readonly tickSizeBps: number;
    readonly configSpreadBps: number;
    readonly yesPriceBps: number;
    readonly noPriceBps: number;
    readonly spreadBps: number;
  }
  const { quotes }: { readonly quotes: readonly Vector[] } = JSON.parse(
    readFileSync(new URL('../../../fixtures/spec/quotes.json', import.meta.url), 'utf8'),
  );

  it.each(['additive', 'multiplicative', 'variance', 'book'] as const)(
    'over the API are those of the specification: %s',
    async (policy) => {
      const { venue, makers } = await openVenueWithMakers({ quotePolicy: policy });
      const own = quotes.filter((vector) => vector.policy === policy);
      expect(own).toHaveLength(9);
      for (const [at, vector] of own.entries()) {
        const { bestBidBps, bestAskBps, lastTradePriceBps, tickSizeBps, configSpreadBps } = vector;
        await venue.execute({ type: 'configure', time: venue.clock.now(), config: { spreadBps: configSpreadBps } });
        const no = await venue.open(makers[0], { tickBps: tickSizeBps });
        if (lastTradePriceBps !== null) await venue.trade(no, makers, lastTradePriceBps, SHARE);
        if (bestBidBps !== null) await venue.place(makers[0], no, 'BUY', 'YES', bestBidBps, SHARE);
        if (bestAskBps !== null) await venue.place(makers[1], no, 'BUY', 'NO', 10_000 - bestAskBps, SHARE);
        const market = await venue.read(
          `query ($id: ID) { market(id: $id) {
            bestBidBps bestAskBps lastTradePriceBps tickSizeBps yesPriceBps noPriceBps spreadBps } }`,
          { id: idOf(at) },
        );
        const { yesPriceBps, noPriceBps, spreadBps } = vector;
        expect(market).toEqual({
          bestBidBps,
          bestAskBps,
          lastTradePriceBps,
          tickSizeBps,
          yesPriceBps,
          noPriceBps,
          spreadBps,
        });
      }
    },
  );
});
