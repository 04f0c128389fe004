/** The arguments and filters of a list of markets. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type AccountNo, epochMs, type MarketNo } from '../../../../src/domain/index.ts';
import { DAY, idOf } from './commands.ts';
import { ids, LIST, type Page } from './list-query.ts';
import { openVenueWithMakers, START, type Venue } from './venue.ts';

const SHARE = 1_000_000;
let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
});

const list = (input?: object): Promise<Page> => venue.read<Page>(LIST, { input });

const idsFor = async (filter: object): Promise<readonly string[]> =>
  ids(await list({ filter, sort: 'CREATED_AT_ASC' }));

describe('the arguments of a list', () => {
  it.each([
    [{ first: 101 }, 'invalid argument: first: expected 0 to 100, got 101'],
    [{ first: -1 }, 'invalid argument: first: expected 0 to 100, got -1'],
    [{ last: 101 }, 'invalid argument: last: expected 0 to 100, got 101'],
    [{ first: 1, last: 1 }, 'invalid argument: expected first with after, or last with before, got a mix of both'],
    [{ first: 1, before: 'x' }, 'invalid argument: expected first with after, or last with before, got a mix of both'],
    [{ filter: { ids: ['x'] } }, 'invalid market ID: expected a UUID (8-4-4-4-12 hex digits), got "x"'],
    [{ filter: { createdAfter: 'today' } }, /^invalid argument: createdAfter: expected .*, got "today"/],
    [{ filter: { resolvesBefore: '' } }, /^invalid argument: resolvesBefore: expected /],
    [{ filter: { minVolumeCents: -1 } }, /^invalid argument: minVolumeCents: expected whole cents/],
  ])('are refused when invalid: %j', async (input, message) => {
    const refusal = await venue.refusal(LIST, { input });
    if (typeof message === 'string') expect(refusal).toBe(`${message} @ markets`);
    else expect(refusal).toMatch(message);
  });

  it('can contain at most a hundred ids', async () => {
    const many = (count: number) => ({
      input: { filter: { ids: Array.from({ length: count }, (_, no) => idOf(no)) } },
    });
    expect(await venue.read(LIST, many(100))).toMatchObject({ totalCount: 0 });
    expect(await venue.refusal(LIST, many(101))).toBe(
      'invalid argument: ids: expected at most 100 ids, got 101 @ markets',
    );
  });

  it('default to the twenty newest markets', async () => {
    for (let no = 0; no < 22; no += 1) await venue.create(makers[0]);
    const page = await list();
    expect(page.edges).toHaveLength(20);
    expect(page.totalCount).toBe(22);
    expect(ids(page)).toEqual(ids(await list({ first: 20, sort: 'CREATED_AT_DESC', filter: null })));
    expect(await list({ filter: {} })).toEqual(page);
  });
});

describe('a filter', () => {
  beforeEach(async () => {
    const resolvingAfter = (days: number) => ({ resolutionDate: epochMs(START + days * DAY) });
    await venue.create(makers[0], {
      ...resolvingAfter(1),
      question: 'Will Ärger rise?',
      categorySlug: 'mood',
      topicSlugs: [],
    });
    venue.pass(1_000);
    await venue.open(makers[0], { ...resolvingAfter(2), question: 'Will it RAIN?', topicSlugs: ['rain', 'wind'] });
    venue.pass(1_000);
    await venue.open(makers[0], { ...resolvingAfter(3), question: 'Will rainbows show?', topicSlugs: ['light'] });
    await venue.trade(2 as MarketNo, makers, 5_000, 3 * SHARE);
  });

  it.each([
    [{}, [0, 1, 2]],
    [{ status: 'OPEN' }, [1, 2]],
    [{ status: 'PENDING_BLOCKCHAIN' }, [0]],
    [{ status: 'CANCELLED' }, []],
    [{ categorySlug: 'weather' }, [1, 2]],
    [{ categorySlug: 'nowhere' }, []],
    [{ topicSlug: 'wind' }, [1]],
    [{ topicSlug: 'win' }, []],
    [{ search: 'rain' }, [1, 2]],
    [{ search: 'äRGER' }, [0]],
    [{ search: 'it rain?' }, [1]],
    [{ search: '' }, [0, 1, 2]],
    [{ createdAfter: '2026-11-20T12:00:00Z' }, [1, 2]],
    [{ createdAfter: '2026-11-20T12:00:00.999999999Z' }, [1, 2]],
    [{ createdAfter: '2026-11-20T12:00:01Z' }, [2]],
    [{ resolvesBefore: '2026-11-22T12:00:00Z' }, [0]],
    [{ resolvesBefore: '2026-11-22T12:00:00.001Z' }, [0, 1]],
    [{ minVolumeCents: 0 }, [0, 1, 2]],
    [{ minVolumeCents: 150 }, [2]],
    [{ minVolumeCents: 151 }, []],
    [{ ids: [] }, []],
    [{ ids: [idOf(2), idOf(0).toUpperCase(), idOf(9)] }, [0, 2]],
    [{ status: 'OPEN', search: 'rain', topicSlug: 'rain', minVolumeCents: null }, [1]],
    [{ status: 'OPEN', search: 'rain', topicSlug: 'rain', minVolumeCents: 1 }, []],
  ])('selects markets that match all its members: %j', async (filter, expected) => {
    expect(await idsFor(filter)).toEqual(expected.map(idOf));
    expect((await list({ filter, first: 0 })).totalCount).toBe(expected.length);
  });

  it('gives exact page flags and cursors', async () => {
    const filter = { status: 'OPEN' };
    const first = await list({ filter, first: 1 });
    expect(first).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    const second = await list({ filter, first: 1, after: first.pageInfo.endCursor });
    expect(second).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: false, hasPreviousPage: true } });
    expect(ids(second)).toEqual([idOf(1)]);
  });
});
