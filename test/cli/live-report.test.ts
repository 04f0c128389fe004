/** The report of a live bot for the dashboard. */
import { afterAll, expect, it } from 'vitest';
import { Harness } from '../venues/service/harness.ts';
import { LiveFixture, placeDistantOrders, stopAndClose } from './live-fixture.ts';

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

it.each([
  ['a limit', '{ max_book_age_ms: 60000 }', 60_000],
  ['no limit', '{ max_book_age_ms: none }', null],
])('has the age limit of books, also of a bot without orders: %s', async (_, risk, maxBookAgeMs) => {
  const id = await harness.market(maxBookAgeMs ?? 1);
  await placeDistantOrders(harness, id);
  const fixture = new LiveFixture(harness, `markets: { ids: ["${id}"] }\nrisk: ${risk}`);
  const opened = await fixture.run({ starts: false });
  expect(opened.bot.report()).toMatchObject({ openOrders: 0, maxBookAgeMs });
  expect(JSON.parse(opened.bot.reportJson())).toMatchObject({ maxBookAgeMs });
  await stopAndClose(opened);
});
