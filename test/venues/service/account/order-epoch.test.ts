import { expect, it } from 'vitest';
import { wallClock } from '../../../../src/clock/index.ts';
import { AccountClient, VenueHttp } from '../../../../src/ops/index.ts';
import { parseEpoch, storeEpoch } from '../../../../src/venues/service/account/order-epoch.ts';
import { SILENT } from '../harness.ts';
import { MemoryRecords } from '../memory-records.ts';

/** An HTTP client whose venue answers `cancelAllOrders` with this epoch. */
function httpWithEpoch(newEpoch: unknown): VenueHttp {
  const http = new VenueHttp({ url: 'http://venue.example', clock: wallClock() });
  http.request = async () => ({ cancelledIds: ['a', 'b'], newEpoch });
  return http;
}

it('an epoch that was raised outside the run is stored, and it never decreases', async () => {
  const records = new MemoryRecords();
  const onEpoch = (epoch: unknown): void => storeEpoch(records, epoch, SILENT);
  expect(await new AccountClient(httpWithEpoch('7'), onEpoch).cancelAll()).toBe(2);
  expect(records.epoch).toBe(7);
  await new AccountClient(httpWithEpoch('6'), onEpoch).cancelAll();
  expect(records.epoch).toBe(7);
});

it('a cancel succeeds when the epoch cannot be stored, and the failure is logged', async () => {
  const errors: string[] = [];
  const records = new MemoryRecords();
  records.setEpoch = () => {
    throw new Error('the disk is full');
  };
  const log = { ...SILENT, error: (_: object, text: string) => void errors.push(text) };
  expect(await new AccountClient(httpWithEpoch('7'), (epoch) => storeEpoch(records, epoch, log)).cancelAll()).toBe(2);
  expect(errors).toEqual(["the account's new epoch could not be stored"]);
});

it.each(['4294967296', '9007199254740991', '-1', '1.5', '1e3', '', 7, null, undefined, {}])(
  'an epoch of %j is not stored, and the cancel that reported it succeeds',
  async (newEpoch) => {
    const records = new MemoryRecords();
    const errors: string[] = [];
    const log = { ...SILENT, error: (_: object, text: string) => void errors.push(text) };
    expect(
      await new AccountClient(httpWithEpoch(newEpoch), (epoch) => storeEpoch(records, epoch, log)).cancelAll(),
    ).toBe(2);
    expect([records.epoch, errors]).toEqual([0, ["the account's new epoch could not be stored"]]);
    expect(() => parseEpoch(newEpoch)).toThrow(expect.objectContaining({ code: 'VENUE' }));
  },
);
