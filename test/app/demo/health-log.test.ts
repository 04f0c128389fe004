import { expect, it } from 'vitest';
import { HealthLog } from '../../../src/app/demo/health-log.ts';
import type { MarketStatusLine } from '../../../src/ops/control/bot-port.ts';
import type { BotStatus } from '../../../src/ops/index.ts';

const MARKET = { acceptingOrders: true, strategy: 'ladder', bookAgeMs: 120, position: 0 } as MarketStatusLine;
const STATUS = { startedAt: 1_000, now: 1_500, equity: 0, link: 'UP', clockSkewMs: 0, openOrders: 0 } as BotStatus;

it('counts the age of a missing book from the start of the bot in open markets only', () => {
  const health = new HealthLog();
  health.record({ ...STATUS, markets: [MARKET, { ...MARKET, bookAgeMs: null, acceptingOrders: false }] }, undefined);
  expect(health.worst.oldestBookMs).toBe(120);
  health.record({ ...STATUS, markets: [MARKET, { ...MARKET, bookAgeMs: null }] }, undefined);
  expect(health.worst.oldestBookMs).toBe(500);
});
