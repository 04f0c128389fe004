/** Renders the risk view in a simulated browser. */
import { createRequire } from 'node:module';
import { act, createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { expect, it } from 'vitest';
import { marketLine, report } from '../reports.ts';

/** The part of jsdom that this file uses, as in src/backtest/report/drawing.ts. */
const { JSDOM }: { readonly JSDOM: new () => { readonly window: typeof globalThis } } = createRequire(import.meta.url)(
  'jsdom',
);
const { window } = new JSDOM();
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });

/** The page has its own configuration of TypeScript, which does not include tests. */
const page = (file: string): string => `../../../src/dashboard/web/${file}`;
const { RiskView } = await import(page('risk/risk.tsx'));
const { AgesPanel } = await import(page('risk/operations.tsx'));
const { client } = await import(page('client.ts'));

it('the risk view renders when the bots have changed, but not with each tick of the clock', async () => {
  let reads = 0;
  const countedList = () =>
    new Proxy<readonly object[]>([], {
      get(list, key) {
        reads += 1;
        return Reflect.get(list, key);
      },
    });
  const onOpen = (): void => {};
  let update = (_: readonly object[]): void => {};
  function Clock() {
    const [{ bots }, setState] = useState({ bots: countedList() });
    update = (next) => setState({ bots: next });
    return createElement(Provider, { value: client }, createElement(RiskView, { bots, onOpen }));
  }
  const root = createRoot(window.document.body);
  await act(async () => root.render(createElement(Clock)));
  const bots = countedList();
  await act(async () => update(bots));
  const before = reads;
  expect(before).toBeGreaterThan(0);
  await act(async () => update(bots));
  expect(reads).toBe(before);
  await act(async () => update(countedList()));
  expect(reads).toBeGreaterThan(before);
  await act(async () => root.unmount());
});

it.each([
  [30_000, 2],
  [null, 0],
])('with the age limit %s, two books have %i bars beside the age of the oldest', async (maxBookAgeMs, count) => {
  const markets = [marketLine({ bookAgeMs: 1_500 }), marketLine({ slug: 'snow', bookAgeMs: 500 })];
  const bots = [{ id: 'bot-0', state: report({ maxBookAgeMs, markets }), health: 'QUOTING' }];
  const root = createRoot(window.document.body);
  await act(async () => root.render(createElement(AgesPanel, { bots })));
  const { document } = window;
  expect(document.querySelectorAll('.age i')).toHaveLength(count);
  expect(document.querySelector('.age-table')?.textContent).toContain('1.5');
  expect(document.querySelector('.age-table .warn')).toBeNull();
  await act(async () => root.unmount());
});
