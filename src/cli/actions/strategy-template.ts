/** The files of a new strategy, by name. @param name kebab-case */
export function strategyFiles(name: string): Readonly<Record<string, string>> {
  return { 'strategy.ts': strategy(name), [`${name}.test.ts`]: test(name), 'README.md': readme(name) };
}

function strategy(name: string): string {
  return `import { defineStrategy, makerHandlers, type QuoteSpec, shares, z } from 'halfspread';

const params = z.strictObject({
  half_spread: z
    .number()
    .min(1)
    .max(5_000)
    .default(100)
    .describe('Distance of bid and ask from the mid, bps of the $1 payout. Default 100.'),
  order_amount: z.number().positive().multipleOf(0.01).default(10).describe('Size of each quote, shares. Default 10.'),
});

export type Params = z.output<typeof params>;

/** One bid and one ask around a mid in bps. Change this. */
export function quotesAround(mid: number, { half_spread, order_amount }: Params): readonly QuoteSpec[] {
  const size = shares(order_amount);
  return [
    { side: 'bid', price: mid - half_spread, shares: size },
    { side: 'ask', price: mid + half_spread, shares: size },
  ];
}

export default defineStrategy({
  name: '${name}',
  summary: 'Quotes one bid and one ask around the mid.',
  params,
  create: (params, context) =>
    makerHandlers(context, ({ book }) => {
      const mid = book.mid();
      return mid === undefined ? [] : quotesAround(mid, params);
    }),
});
`;
}

function test(name: string): string {
  return `import { cents, shares } from 'halfspread';
import { describe, expect, it } from 'vitest';
import strategy, { quotesAround } from './strategy.ts';

describe('${name}', () => {
  const params = strategy.params.parse({});

  it('quotes both sides at the same distance from the mid', () => {
    expect(quotesAround(cents(60), params)).toEqual([
      { side: 'bid', price: cents(59), shares: shares(10) },
      { side: 'ask', price: cents(61), shares: shares(10) },
    ]);
  });

  it('refuses a parameter it does not know', () => {
    expect(() => strategy.params.parse({ halfspread: 100 })).toThrow();
  });
});
`;
}

function readme(name: string): string {
  return `# ${name}

Quotes one bid and one ask around the mid.

## When it loses money

Describe here when this strategy loses: others trade on better information, the price moves through the quotes, or the
market resolves against the position.

## Parameters

| Name | Unit | Default | Meaning |
|---|---|---|---|
| \`half_spread\` | bps of the $1 payout | 100 | Distance of bid and ask from the mid |
| \`order_amount\` | shares | 10 | Size of each quote |
`;
}
