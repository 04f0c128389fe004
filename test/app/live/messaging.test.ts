import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAlerts, openSummary, openTargets } from '../../../src/app/live/messaging.ts';
import { SimClock } from '../../../src/clock/index.ts';
import { readLiveFile } from '../../../src/config/live-file.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { RunCounters } from '../../../src/ops/index.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { setSecret } from '../../cli/trading.ts';
import { logged, type Receiver, receiver } from '../../ops/alerts/receiver.ts';
import { account } from '../../state/world.ts';

/** Opens the alerts of a configuration, with a simulated clock at this time. */
async function fixture(now: string, alerts: string) {
  const [first, second] = [await receiver(), await receiver()];
  setSecret('MESSAGING_FIRST', first.url);
  setSecret('MESSAGING_SECOND', second.url);
  const folder = newFolder();
  const targets = `targets: [{ type: webhook, url: { env: MESSAGING_FIRST } }, { type: slack, url: { env: MESSAGING_SECOND }, level: warning }]`;
  const text = `venue: { url: "http://127.0.0.1:1" }\nmarkets: { slugs: [a] }\nstrategy: ladder\nalerts: { ${targets}, ${alerts} }\n`;
  writeFileSync(join(folder, 'bot.yaml'), text);
  const live = readLiveFile('bot.yaml', folder);
  const { log, redactor } = logged();
  const clock = new SimClock(epochMs(Date.parse(now)));
  const opened = openAlerts({ live, log, redactor }, openTargets(live, redactor), clock);
  const runTo = (time: string): void => {
    while (clock.nextTime() <= Date.parse(time)) clock.runNext();
    clock.advanceTo(Date.parse(time));
  };
  return { live, clock, alerts: opened, first, second, runTo };
}

const kinds = ({ got }: Receiver) => got.map(({ body }) => body['kind']);

describe('the alerts of a configuration', () => {
  it('use its levels, name, repeat interval, and quiet hours in its time zone', async () => {
    const settings = 'name: cup, repeat_ms: 60000, time_zone: Asia/Tokyo, quiet_hours: { from: "22:00", to: "07:00" }';
    // 21:58 in Tokyo.
    const { alerts, first, second, runTo } = await fixture('2026-11-26T12:58:00Z', settings);
    alerts.send('market', 'ended', {});
    alerts.send('fee', 'rose', {});
    alerts.send('fee', 'rose', {});
    await alerts.settled();
    expect([kinds(first), second.got.length]).toEqual([['market', 'fee'], 1]);
    expect(second.got[0]?.body).toEqual({ text: 'WARNING: [cup] rose' });
    runTo('2026-11-26T12:59:00Z');
    await alerts.settled();
    expect(first.got[2]?.body['text']).toBe('[cup] rose (and 1 more within a minute)');
    runTo('2026-11-26T13:00:00Z');
    alerts.send('strategy', 'failed', {});
    alerts.send('kill', 'killed', {});
    await alerts.settled();
    expect(kinds(first).slice(3)).toEqual(['kill']);
    runTo('2026-11-26T22:00:00Z');
    await alerts.settled();
    expect(kinds(first).slice(4)).toEqual(['quiet']);
    expect(first.got.at(-1)?.body['text']).toBe('halfspread: 1 alert during quiet hours\n- [cup] failed');
  });

  it('include a daily summary at the configured time, or none without that time', async () => {
    const { live, clock, alerts, first, runTo } = await fixture('2026-11-26T06:00:00Z', 'daily_summary: "08:30"');
    const status = () => ({ mode: 'ACTIVE', openOrders: 0, equity: 0 }) as const;
    const deps = { clock, alert: alerts.send.bind(alerts), state: account(), counters: new RunCounters(), status };
    const summary = openSummary({ live }, { ...deps, isTrading: () => true });
    summary?.begin();
    runTo('2026-11-26T08:29:59Z');
    expect(first.got).toEqual([]);
    runTo('2026-11-26T08:30:00Z');
    await alerts.settled();
    expect(kinds(first)).toEqual(['summary']);
    summary?.close();
    const { alerts: _, ...rest } = live.file;
    const none = { ...live, file: { ...rest, alerts: { ...live.file.alerts, daily_summary: undefined } } };
    expect(openSummary({ live: none }, { ...deps, isTrading: () => true })).toBeUndefined();
  });
});
