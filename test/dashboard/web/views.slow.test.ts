/** Renders parts of the page in a simulated browser. */
import { createRequire } from 'node:module';
import { act, createElement, type FunctionComponent } from 'react';
import { Provider } from 'urql';
import { expect, it, vi } from 'vitest';
import { afterThisTest } from '../../cleanup.ts';
import { marketLine, report } from '../reports.ts';

/** The part of jsdom that this file uses, as in src/backtest/report/drawing.ts. */
const { JSDOM }: { readonly JSDOM: new () => { readonly window: typeof globalThis } } = createRequire(import.meta.url)(
  'jsdom',
);
const { window } = new JSDOM();
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
const { document } = window;
// React reads at its import which events the browser has.
const { createRoot } = await import('react-dom/client');

/** The page has its own configuration of TypeScript, which does not include tests. */
const page = (file: string): string => `../../../src/dashboard/web/${file}`;
const { ParametersPanel } = await import(page('market/parameters.tsx'));
const { OrdersView } = await import(page('orders.tsx'));
const { SearchBox } = await import(page('search.tsx'));
const { client } = await import(page('client.ts'));

interface ApiRequest {
  readonly query: string;
  // biome-ignore lint/suspicious/noExplicitAny: variables of any operation
  readonly variables: any;
}

/** Answers the requests of the page. */
function answerRequests(answer: (request: ApiRequest) => object | Promise<object>): void {
  const fetchStub = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, options) => {
    const data = await answer(JSON.parse(String(options?.body)));
    return new Response(JSON.stringify({ data }), { headers: { 'content-type': 'application/json' } });
  });
  afterThisTest.add(() => fetchStub.mockRestore());
}

async function render<Props extends object>(view: FunctionComponent<Props>, props: Props): Promise<void> {
  const root = createRoot(document.body);
  afterThisTest.add(() => act(async () => root.unmount()));
  await act(async () => root.render(createElement(Provider, { value: client }, createElement(view, props))));
}

/** Types a text as a user does: React ignores a value that a program sets through the element. */
async function type(label: string, text: string): Promise<void> {
  const input = document.querySelector(`[aria-label="${label}"]`);
  const prototype = Reflect.get(window, 'HTMLInputElement').prototype;
  await act(async () => {
    Reflect.set(prototype, 'value', text, input);
    input?.dispatchEvent(new window.Event('input', { bubbles: true }));
  });
}

const shownValue = (label: string): unknown =>
  Reflect.get(document.querySelector(`[aria-label="${label}"]`) ?? {}, 'value');

it('a parameter that is edited while others are applied stays edited', async () => {
  const answers: (() => void)[] = [];
  answerRequests(async ({ variables: { bot, name } }) => {
    await new Promise<void>((resolve) => void answers.push(resolve));
    return { setParameter: { bot, done: true, text: `${name} is set`, mode: 'ACTIVE' } };
  });
  const parameters = ['levels', 'spread', 'size'].map((name) => ({
    strategy: 'ladder',
    name,
    value: 1,
    help: null,
    minimum: null,
    maximum: null,
  }));
  await render(ParametersPanel, { bot: 'bot-0', market: 'rain', parameters });
  await type('levels', '2');
  await type('spread', '2');
  await act(async () => document.querySelector<HTMLElement>('.act')?.click());
  await type('spread', '3');
  await type('size', '4');
  for (const count of [1, 2]) {
    await vi.waitFor(() => expect(answers).toHaveLength(count));
    await act(async () => answers.at(-1)?.());
  }
  await vi.waitFor(() => expect(document.querySelector('[role=status]')?.textContent).toContain('spread is set'));
  expect(['levels', 'spread', 'size'].map(shownValue)).toEqual(['1', '3', '4']);
});

it('the fills of a named market, or of markets with a text in their slug, include those that are older than the newest of all markets', async () => {
  const filters: unknown[] = [];
  answerRequests(({ variables: { filter } }) => {
    if (filter === undefined) return { orders: [] };
    filters.push([filter.market, filter.marketContains]);
    return { fills: [] };
  });
  const markets = [marketLine(), marketLine({ slug: 'rain-tomorrow' })];
  const bots = [{ id: 'bot-0', state: report({ markets }), health: 'QUOTING' }];
  await render(OrdersView, { bots, now: 0, onOpen: () => {} });
  for (const text of ['rai', ' rain ']) await type('Market', text);
  await vi.waitFor(() =>
    expect(filters).toEqual([
      [null, null],
      [null, 'rai'],
      ['rain', null],
    ]),
  );
});

it('two markets with the same question are two entries of the search', async () => {
  Reflect.get(window, 'HTMLDialogElement').prototype.showModal ??= () => {};
  Reflect.get(window, 'HTMLDialogElement').prototype.close ??= () => {};
  Reflect.get(window, 'HTMLElement').prototype.scrollIntoView ??= () => {};
  const problems = vi.spyOn(console, 'error').mockImplementation(() => {});
  afterThisTest.add(() => problems.mockRestore());
  const markets = [marketLine(), marketLine({ slug: 'rain-2' })];
  await render(SearchBox, { bots: [{ id: 'bot-0', state: report({ markets }) }], onClose() {}, onOpen() {} });
  await type('Market, bot or command', 'will it');
  expect(document.querySelectorAll('[role=option]')).toHaveLength(2);
  expect(problems).not.toHaveBeenCalled();
});
