/** Lists of markets from a fake of Gamma that knows every market. */
import { expect, it } from 'vitest';
import { type ListedMarket, listMarkets } from '../../../src/venues/polymarket/index.ts';

const BASE = 'https://gamma.example';
const condition = (number: number): string => `0x${String(number).padStart(64, '0')}`;
const slug = (number: number): string => `market-${number}`;

function marketJson(number: number): object {
  return {
    conditionId: condition(number),
    slug: slug(number),
    question: `Question ${number}?`,
    clobTokenIds: JSON.stringify([`${number}1`, `${number}2`]),
    outcomes: '["Yes","No"]',
    orderPriceMinTickSize: 0.01,
  };
}

/** Lists these markets. Answers with the markets that each request names. */
async function list(names: readonly string[]) {
  const requests: { readonly conditions: number; readonly slugs: number }[] = [];
  const send = async ({ url }: { readonly url: URL }) => {
    const conditions = url.searchParams.getAll('condition_ids');
    const slugs = url.searchParams.getAll('slug');
    requests.push({ conditions: conditions.length, slugs: slugs.length });
    const named = [...conditions.map((id) => Number(id.slice(2))), ...slugs.map((name) => Number(name.slice(7)))];
    const text = JSON.stringify({ markets: named.map(marketJson) });
    const rest = { contentRange: undefined, retryAfterMs: undefined };
    return { type: 'answer', status: 200, text, body: Buffer.from(text), ...rest } as const;
  };
  const listed = await listMarkets({ send }, BASE, { names, tag: undefined, max: names.length });
  return { requests, markets: listed.map(({ record }: ListedMarket) => record.market) };
}

it('asks for at most 100 condition ids in one request', async () => {
  const names = Array.from({ length: 250 }, (_, at) => condition(at));
  const { requests, markets } = await list(names);
  expect(requests.map(({ conditions }) => conditions)).toEqual([100, 100, 50]);
  expect(markets).toEqual(names);
});

it('asks for condition ids and slugs in separate requests, and lists a market with two names once', async () => {
  const { requests, markets } = await list([slug(1), condition(1), condition(2), slug(1)]);
  expect(requests).toEqual([
    { conditions: 2, slugs: 0 },
    { conditions: 0, slugs: 1 },
  ]);
  expect(markets).toEqual([condition(1), condition(2)]);
});

it.each([429, 503])('status %i is a fault of the connection, which is worth a retry', async (status) => {
  const send = async () => {
    const rest = { contentRange: undefined, retryAfterMs: undefined };
    return { type: 'answer', status, text: '', body: Buffer.alloc(0), ...rest } as const;
  };
  const listed = listMarkets({ send }, BASE, { names: [slug(1)], tag: undefined, max: 1 });
  await expect(listed).rejects.toMatchObject({ code: 'LINK', retryable: true });
});
