/** Tests the checker of the kill tests: each test plants a fault that the checker has to report. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../src/clock/index.ts';
import type { BotStatus } from '../../src/ops/index.ts';
import type { OrderRow } from '../../src/store/bot/reader-rows.ts';
import { type LiveVenue, openLiveVenue, type TestTrader } from '../server/live-venue.ts';
import { keyOf } from '../server/trader.ts';
import { BotHarness, placedOrders, signedRecord } from '../store/bot/bot-harness.ts';
import { databaseFiles } from '../store/sqlite/files.ts';
import { KillCheck } from './kill-check.ts';
import { missingAtVenue } from './missing-at-venue.ts';

const SHARE = 1_000_000;
/** Starting cash of each account at the venue, micro-USD. */
const START_CASH = 10_000_000_000;
/** Shares of the bot's order on each side. */
const SIZE = 5;
const SLUG = 'the-market';
const file = databaseFiles();

type Losses = ReturnType<BotHarness['risk']>['losses'];

/** The state that the bot reports. */
interface ReportedState {
  cash: number;
  mode: BotStatus['mode'];
  yes: number;
  yesCost: number;
  realized: number;
  fees: number;
}

/** A bot with its own account at the venue, a database, and a reported state that a test can falsify. */
class Fixture {
  readonly venue: LiveVenue;
  readonly bot: TestTrader;
  readonly check: KillCheck;
  readonly reported: ReportedState = { cash: START_CASH, mode: 'ACTIVE', yes: 0, yesCost: 0, realized: 0, fees: 0 };
  readonly #marketId: string;
  readonly #harness: BotHarness;
  readonly #db = file();

  private constructor(venue: LiveVenue, bot: TestTrader, marketId: string) {
    this.venue = venue;
    this.bot = bot;
    this.#marketId = marketId;
    this.#harness = BotHarness.open({ file: this.#db });
    this.check = new KillCheck({
      url: venue.url,
      tools: venue.tools,
      key: keyOf(venue.tools, bot.no),
      db: this.#db,
      maxOpenShares: SIZE,
      maxHeldShares: 20,
      status: async () => this.#status(),
      request: async () => [this.#position()],
    });
  }

  static async open(venue: LiveVenue, no: number): Promise<Fixture> {
    return new Fixture(venue, await venue.openTrader(no), await venue.market(`Number ${no}?`));
  }

  /** Places an order at the venue. @returns its id */
  async placeAtVenue(size = SIZE, priceBps = 4_000): Promise<string> {
    const { order } = await this.bot.place({ priceBps, size }, this.#marketId);
    return order?.id ?? 'refused';
  }

  /** Stores an order in the bot's database. */
  async storeInDatabase(hash: string): Promise<void> {
    const step = this.#harness.apply({ kind: 'place', order: 0, amount: 4, market: 0 });
    const places = (step?.commands ?? []).flatMap((command) => placedOrders(command));
    this.#harness.store.addSigned(places.map((place) => ({ ...signedRecord(place), hash })));
    await nextEventLoopTurn();
  }

  /** Places an order at the venue and stores it in the bot's database. */
  async quote(size = SIZE, priceBps = 4_000): Promise<string> {
    const id = await this.placeAtVenue(size, priceBps);
    await this.storeInDatabase(id);
    return id;
  }

  /** Another account sells shares to the bot at 40 cents. */
  async fill(size: number): Promise<void> {
    const taker = await this.venue.openTrader(1);
    const { order } = await taker.place({ outcome: 'NO', priceBps: 6_000, size }, this.#marketId);
    if (order?.filledShares !== size) throw new Error(`${order?.filledShares} of ${size} shares filled`);
  }

  /** Adds that fill to the state that the bot reports. */
  reportFill(size: number): void {
    this.reported.cash -= size * 400_000;
    this.reported.yes += size * SHARE;
    this.reported.yesCost += size * 400_000;
  }

  /** Adds an event of the last order to the bot's database. */
  async addOrderEvent(kind: 'accepted' | 'uncertain' | 'closed'): Promise<void> {
    this.#harness.apply({ kind, order: this.#harness.lastOrder, amount: 0, market: 0 });
    await nextEventLoopTurn();
  }

  /** Stores losses in the bot's database. */
  storeLosses(losses: Losses): void {
    const { store, account } = this.#harness;
    const risk = () => ({ ...this.#harness.risk(), losses });
    store.setSource({ account, risk, snapshot: () => ({ ...this.#harness.snapshot(), risk: risk() }) }, 1);
  }

  differences(isKilled = false): Promise<readonly string[]> {
    return this.check.differencesOf(isKilled);
  }

  #status(): BotStatus {
    const { cash, mode } = this.reported;
    const line = { id: this.#marketId, slug: SLUG } as BotStatus['markets'][number];
    return { cash, mode, markets: [line] } as unknown as BotStatus;
  }

  #position() {
    const { yes, yesCost, realized, fees } = this.reported;
    return { market: SLUG, yes, no: 0, yesCost, noCost: 0, realized, fees };
  }
}

describe('KillCheck', () => {
  let venue: LiveVenue;
  let fixture: Fixture;
  let no = 10;
  beforeAll(async () => {
    venue = await openLiveVenue();
  });
  afterAll(() => venue.close());
  beforeEach(async () => {
    no += 1;
    fixture = await Fixture.open(venue, no);
  });

  it('finds no difference after a fill and with an open quote', async () => {
    await fixture.quote();
    await fixture.fill(2);
    fixture.reportFill(2);
    expect(await fixture.differences()).toEqual([]);
    expect([fixture.check.fills, fixture.check.orders, await fixture.check.openOrderCount()]).toEqual([1, 1, 1]);
    await expect(fixture.check.waitForAgreement('kill 1', { timeoutMs: 0 })).resolves.toBeUndefined();
  });

  it('finds an order that is open at the venue and missing in the bot’s database', async () => {
    await fixture.quote(2);
    const orphan = await fixture.placeAtVenue(2);
    const found = [`order ${orphan} is unknown to the bot`, `order ${orphan} was never signed by the bot`];
    expect(await fixture.differences()).toEqual(found);
    await expect(fixture.check.waitForAgreement('kill 7', { timeoutMs: 0 })).rejects.toThrow(
      `after kill 7: ${found.join('; ')}`,
    );
  });

  it('finds a closed order that the bot did not sign', async () => {
    const stranger = await fixture.placeAtVenue();
    await fixture.fill(SIZE);
    fixture.reportFill(SIZE);
    expect(await fixture.differences()).toEqual([`order ${stranger} was never signed by the bot`]);
    // The next check finds it again.
    expect(await fixture.differences()).toEqual([`order ${stranger} was never signed by the bot`]);
  });

  it('finds an order that was sent twice after a timeout, although both are in the bot’s database', async () => {
    await fixture.quote();
    expect(await fixture.differences()).toEqual([]);
    await fixture.quote();
    expect(await fixture.differences()).toEqual([expect.stringMatching(/^10 shares are open on \S+ bid$/)]);
  });

  it('finds an order that is open in the database and not at the venue', async () => {
    await fixture.quote();
    await fixture.storeInDatabase('0xnever');
    const received = (status: string) => [`order 2 is ${status} in the bot's database and not open at the venue`];
    expect(await fixture.differences()).toEqual(received('NEW'));
    await fixture.addOrderEvent('uncertain');
    // The order was sent long ago by the clock of the bot.
    expect(await fixture.differences()).toEqual(received('UNKNOWN'));
    await fixture.addOrderEvent('accepted');
    expect(await fixture.differences()).toEqual(received('LIVE'));
    await expect(fixture.check.waitForAgreement('kill 2', { timeoutMs: 0 })).rejects.toThrow(
      `after kill 2: ${received('LIVE')[0]}`,
    );
    await fixture.addOrderEvent('closed');
    expect(await fixture.differences()).toEqual([]);
  });

  it('finds an order that ended at the venue and is open in the bot’s database', async () => {
    await fixture.quote();
    await fixture.fill(SIZE);
    fixture.reportFill(SIZE);
    expect(await fixture.differences()).toEqual(["order 1 is NEW in the bot's database and not open at the venue"]);
  });

  it('ignores an order that opened or closed during the check, and one whose state the bot still queries', () => {
    const row = (order: number, status: OrderRow['status'], sentAt: number) =>
      ({ order, status, sentAt, hash: `0x${order}` }) as OrderRow;
    const before = [row(1, 'LIVE', 0), row(2, 'NEW', 0), row(3, 'UNKNOWN', 1_000), row(4, 'LIVE', 0)];
    const after = [row(1, 'LIVE', 0), row(3, 'UNKNOWN', 1_000), row(4, 'LIVE', 0), row(5, 'NEW', 41_000)];
    expect(missingAtVenue(before, after, [{ id: '0x1' }, { id: '0x4' }], 41_000)).toEqual([]);
    expect(missingAtVenue(before, after, [{ id: '0x1' }], 41_001).map((received) => received.slice(0, 7))).toEqual([
      'order 3',
      'order 4',
    ]);
  });

  it('finds a fill that the bot has lost', async () => {
    await fixture.quote();
    await fixture.fill(2);
    expect(await fixture.differences()).toEqual([
      'cash: the bot has 10000000000, the venue 9999200000',
      `YES of ${SLUG}: the bot has 0, the venue 2000000`,
      `YES of ${SLUG} by its fills: the bot has 0, the venue 2000000`,
      `cost of YES of ${SLUG}: the bot has 0, the venue 800000`,
    ]);
  });

  it('finds a fill that the bot has counted twice', async () => {
    await fixture.quote();
    await fixture.fill(2);
    for (let times = 0; times < 2; times += 1) fixture.reportFill(2);
    expect(await fixture.differences()).toEqual([
      'cash: the bot has 9998400000, the venue 9999200000',
      `YES of ${SLUG}: the bot has 4000000, the venue 2000000`,
      `YES of ${SLUG} by its fills: the bot has 4000000, the venue 2000000`,
      `cost of YES of ${SLUG}: the bot has 1600000, the venue 800000`,
    ]);
  });

  it.each<[keyof ReportedState, string]>([
    ['cash', 'cash: the bot has 9999200001, the venue 9999200000'],
    ['yesCost', `cost of YES of ${SLUG}: the bot has 800001, the venue 800000`],
    ['realized', `realized in ${SLUG}: the bot has 1, the venue 0`],
    ['fees', `fees of ${SLUG}: the bot has 1, the venue 0`],
  ])('finds one micro-dollar too much in %s', async (member, expected) => {
    await fixture.quote();
    await fixture.fill(2);
    fixture.reportFill(2);
    if (member !== 'mode') fixture.reported[member] += 1;
    expect(await fixture.differences()).toEqual([expected]);
  });

  it('finds a bot that should be killed but is not, and a killed one with an open order', async () => {
    await fixture.quote();
    expect(await fixture.differences(true)).toEqual([
      'mode: the bot has ACTIVE, the venue KILLED',
      'killed, and 1 orders stand',
    ]);
    fixture.reported.mode = 'KILLED';
    expect(await fixture.differences(true)).toEqual(['killed, and 1 orders stand']);
    expect(await fixture.differences(false)).toEqual(['mode: the bot has KILLED, the venue ACTIVE']);
  });

  it('finds a position above the bot’s limit', async () => {
    for (let round = 0; round < 5; round += 1) {
      await fixture.quote();
      await fixture.fill(SIZE);
      fixture.reportFill(SIZE);
      await fixture.addOrderEvent('closed');
      expect(await fixture.differences()).toEqual(round < 4 ? [] : [`25 shares are held of ${SLUG}`]);
    }
  });

  it.each([
    ['the day began with 100, now 90', { dayStart: 90 }],
    ['the peak was 120, now 119', { peak: 119 }],
  ])('finds a loss limit that a restart has reset: %s', async (expected, change) => {
    const losses = { day: 3, dayStart: 100, peak: 120, last: 110 };
    fixture.storeLosses(losses);
    await fixture.check.waitForAgreement('kill 1', { timeoutMs: 0 });
    expect(await fixture.differences()).toEqual([]);
    fixture.storeLosses({ ...losses, ...change });
    expect(await fixture.differences()).toEqual([expected]);
    fixture.check.resetLosses();
    expect(await fixture.differences()).toEqual([]);
  });

  it('accepts a new day with its own start values', async () => {
    fixture.storeLosses({ day: 3, dayStart: 100, peak: 120, last: 110 });
    await fixture.check.waitForAgreement('kill 1', { timeoutMs: 0 });
    fixture.storeLosses({ day: 4, dayStart: 110, peak: 110, last: 110 });
    expect(await fixture.differences()).toEqual([]);
  });

  it('finds orders that are open at the venue or in the database after a normal end', async () => {
    await expect(fixture.check.verifyNoOpenOrders()).resolves.toBeUndefined();
    await fixture.storeInDatabase('0xnever');
    await expect(fixture.check.verifyNoOpenOrders()).rejects.toThrow('1 orders are open in the bot');
    await fixture.quote();
    await expect(fixture.check.verifyNoOpenOrders()).rejects.toThrow('1 orders stand at the venue');
  });
});
