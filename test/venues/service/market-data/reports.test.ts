/** Warnings about malformed frames: a frequent kind of fault does not suppress another. */
import { expect, it } from 'vitest';
import { SimClock } from '../../../../src/clock/index.ts';
import { epochMs } from '../../../../src/domain/index.ts';
import type { BookFeedHandler } from '../../../../src/venues/service/market-data/book-feed-handler.ts';
import { BookSubscription } from '../../../../src/venues/service/market-data/book-subscription.ts';
import { VenueWatch } from '../../../../src/venues/service/market-data/venue-watch.ts';
import type { Transport } from '../../../../src/venues/service/transport/index.ts';

/** A transport that never answers. `sendMalformed` delivers a malformed frame to a subscription. */
function fixture() {
  const clock = new SimClock(epochMs(0));
  const warnings: (readonly [text: string, suppressed: number])[] = [];
  const malformed = new Map<string, (problem: string) => void>();
  const transport: unknown = {
    clock,
    log: {
      warn: ({ suppressed }: { suppressed: number }, text: string) => void warnings.push([text, suppressed]),
      error: () => {},
    },
    query: () => new Promise(() => {}),
    subscribe: (
      { name }: { name: string },
      _variables: unknown,
      handlers: { onMalformed: (problem: string) => void },
    ) => {
      malformed.set(name, (problem) => handlers.onMalformed(problem));
      return { end: () => {}, resubscribe: () => {} };
    },
  };
  const sendMalformed = (name: string): void => malformed.get(name)?.('a field is missing');
  const advance = (ms: number): void => clock.advanceTo(epochMs(clock.now() + ms));
  return { transport: transport as Transport, warnings, sendMalformed, advance };
}

it('an unreadable mode is reported even when market states are unreadable', () => {
  const { transport, warnings, sendMalformed, advance } = fixture();
  const deps = { ids: () => [], onState() {}, onTerms() {}, onMarket() {}, onModeUnknown() {}, onStatesUnknown() {} };
  new VenueWatch(transport, deps);
  for (let count = 0; count < 3; count += 1) sendMalformed('MarketStatusChanged');
  sendMalformed('VenueStatusChanged');
  expect(warnings).toEqual([
    ['venue: the state of a market is invalid; reading all states again', 0],
    ['venue: mode and limits cannot be read; quotes are withdrawn until a read succeeds', 0],
  ]);
  advance(1_000);
  sendMalformed('MarketStatusChanged');
  expect(warnings.at(-1)).toEqual(['venue: the state of a market is invalid; reading all states again', 2]);
});

it('unreadable retail prices are reported even when trades are unreadable', () => {
  const { transport, warnings, sendMalformed } = fixture();
  const handler: unknown = { info: { id: 'a', slug: 'rain', market: 0 } };
  const subscription = new BookSubscription(handler as BookFeedHandler, transport, 50);
  subscription.subscribeToPrices(() => {});
  sendMalformed('TradeExecuted');
  sendMalformed('TradeExecuted');
  sendMalformed('PriceUpdated');
  expect(warnings.map(([text]) => text)).toEqual([
    'venue: a trade cannot be read and is skipped',
    'venue: retail prices cannot be read and stay unchanged',
  ]);
});
