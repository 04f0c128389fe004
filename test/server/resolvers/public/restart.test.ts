/** Queries, cursors and the catalogue after a restart. */
import { describe, expect, it } from 'vitest';
import { wrapRaw } from '../../../../src/protocol/index.ts';
import { Cursors, loadCursorKey } from '../../../../src/server/paging/cursors.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { databaseFiles } from '../../../store/sqlite/files.ts';
import { ONE, openVenue, TWO, type Venue } from './venue.ts';

const file = databaseFiles();
const SHARE = 1_000_000;

const queryAll = async (venue: Venue) => [
  await venue.read(ALL_OPERATIONS.categories.text),
  await venue.read(ALL_OPERATIONS.topics.text),
  await venue.read(ALL_OPERATIONS.markets.text, { input: { sort: 'VOLUME_DESC' } }),
];

describe('a restart', () => {
  it('does not change the replies to queries', async () => {
    const name = file();
    const venue = await openVenue({ file: name });
    await venue.catalogue.putCategory({ slug: 'weather', name: 'Weather', isActive: true });
    await venue.catalogue.putTopic({ id: '1', slug: 'rain', name: 'Rain', categorySlug: 'weather' });
    const makers = [await venue.account(ONE), await venue.account(TWO)] as const;
    for (let at = 0; at < 5; at += 1) {
      const no = await venue.open(makers[0]);
      await venue.trade(no, makers, 4_000, (1 + (at % 3)) * SHARE);
      await venue.place(makers[0], no, 'BUY', 'YES', 3_000, SHARE);
    }
    const before = await queryAll(venue);
    const key = await loadCursorKey(venue.registry);
    const cursor = new Cursors(key).seal({ list: 'x', sort: 'y' }, { value: 1, id: 'z' });
    await venue.close();
    expect(venue.faults).toEqual([]);

    const reopened = await openVenue({ file: name });
    expect(await queryAll(reopened)).toEqual(before);
    expect(reopened.catalogue.topic('rain')).toEqual({ id: '1', slug: 'rain', name: 'Rain', categorySlug: 'weather' });
    const opened = new Cursors(await loadCursorKey(reopened.registry)).open({ list: 'x', sort: 'y' }, wrapRaw(cursor));
    expect(opened).toEqual({ value: 1, id: 'z' });
    await reopened.close();
    expect(reopened.faults).toEqual([]);
  });
});
