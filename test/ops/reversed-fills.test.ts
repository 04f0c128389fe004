import { describe, expect, it } from 'vitest';
import { microUsd, priceBps, unchecked } from '../../src/domain/index.ts';
import { reportReversedFills } from '../../src/ops/live/bot-alerts.ts';
import type { Step } from '../../src/runtime/index.ts';
import { about, account, setup, shares } from '../state/world.ts';

const step = (event: Step['event']): Step => {
  return { seq: unchecked.seq(1), time: about(7).time, row: 0, event, refused: [], commands: [] };
};

describe('a fill that the venue reverses', () => {
  it('is logged as a warning and raises an alert, with its terms', () => {
    const logged: unknown[] = [];
    const alerts: unknown[] = [];
    const logAt = (level: string) => (fields: object, text: string) => void logged.push([level, text, fields]);
    const log = { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
    const parts = { state: account(), log, alert: (...args: unknown[]) => void alerts.push(args) };
    const terms = { outcome: 'NO', side: 'SELL', price: priceBps(5_550), shares: shares(2.5) } as const;
    const reversed = { ...about(7), trade: 't-1', ...terms, fee: microUsd(0), liquidity: 'taker' } as const;
    reportReversedFills([step({ type: 'fillSettled', ...about(6), trade: 't-0' }), step(undefined)], parts);
    expect(alerts).toEqual([]);
    reportReversedFills([step({ type: 'fillReversed', ...reversed })], parts);
    const { slug } = setup().info;
    const text = `fill reversed: the venue took back the sale of 2.5 NO at 55.5 cents in ${slug} (order 7, trade t-1)`;
    const fields = {
      market: slug,
      order: 7,
      trade: 't-1',
      outcome: 'NO',
      side: 'SELL',
      priceBps: 5_550,
      shares: 2.5e6,
    };
    expect(logged).toEqual([['warn', text, fields]]);
    expect(alerts).toEqual([['fill_reversed', expect.stringContaining(text), fields]]);
  });
});
