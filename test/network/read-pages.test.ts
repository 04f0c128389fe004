import { describe, expect, it } from 'vitest';
import { NETWORK_LIMITS, readPages } from '../../src/network/index.ts';

type PageInput = Parameters<Parameters<typeof readPages>[1]>[0];

function page(count: number, endCursor: string | null, hasNextPage = true) {
  return { edges: Array.from({ length: count }, (_, node) => ({ node })), pageInfo: { hasNextPage, endCursor } };
}

describe('a list in pages', () => {
  it('is read page by page, up to the requested number', async () => {
    const requests: PageInput[] = [];
    const read = async (input: PageInput) => {
      requests.push(input);
      return page(input.first, `c${requests.length}`, requests.length < 3);
    };
    expect(await readPages('orders', read)).toHaveLength(300);
    expect(requests).toEqual([
      { first: 100, after: null },
      { first: 100, after: 'c1' },
      { first: 100, after: 'c2' },
    ]);
    requests.length = 0;
    expect(await readPages('orders', read, 120)).toHaveLength(120);
    expect(requests.map(({ first }) => first)).toEqual([100, 20]);
  });

  it.each([
    ['has no end', (count: number) => page(0, `${count}`), NETWORK_LIMITS.pages, 'no end after 1000 pages'],
    ['repeats its cursor', () => page(100, 'same'), 2, 'a next page with the same cursor'],
    ['has a next page but no cursor', () => page(100, null), 1, 'a next page without a cursor'],
    ['returns more entries than requested', () => page(101, null), 1, 'a page of 101 entries instead of at most 100'],
  ])('that %s is not read further', async (_, answer, expected, problem) => {
    let requests = 0;
    const read = async () => {
      requests += 1;
      return answer(requests);
    };
    await expect(readPages('orders', read)).rejects.toMatchObject({
      code: 'VENUE',
      message: expect.stringContaining(problem),
    });
    expect(requests).toBe(expected);
  });
});
