import { expect, it } from 'vitest';
import { wallClock } from '../../../../src/clock/index.ts';
import { AccountClient, VenueHttp } from '../../../../src/ops/index.ts';
import { keepEpoch, parseEpoch } from '../../../../src/venues/service/account/keep-epoch.ts';
import { SILENT } from '../harness.ts';
import { MemoryRecords } from '../memory-records.ts';

/** A line on which the venue answers a cancel of everything with this epoch. */
function lineOf(newEpoch: unknown): VenueHttp {
  const line = new VenueHttp({ url: 'http://venue.example', clock: wallClock() });
  line.request = async () => ({ cancelledIds: ['a', 'b'], newEpoch });
  return line;
}

it('an epoch that was raised outside the run applies to the next orders and never goes back', async () => {
  const records = new MemoryRecords();
  const received = (epoch: unknown): void => keepEpoch(records, epoch, SILENT);
  expect(await new AccountClient(lineOf('7'), received).cancelAll()).toBe(2);
  expect(records.epoch).toBe(7);
  await new AccountClient(lineOf('6'), received).cancelAll();
  expect(records.epoch).toBe(7);
});

it('a cancel succeeds although the epoch cannot be stored, and the failure is logged', async () => {
  const said: string[] = [];
  const records = new MemoryRecords();
  records.reachedEpoch = () => {
    throw new Error('the disk is full');
  };
  const log = { ...SILENT, error: (_: object, text: string) => void said.push(text) };
  expect(await new AccountClient(lineOf('7'), (epoch) => keepEpoch(records, epoch, log)).cancelAll()).toBe(2);
  expect(said).toEqual(["the account's new epoch could not be stored"]);
});

it.each(['4294967296', '9007199254740991', '-1', '1.5', '1e3', '', 7, null, undefined, {}])(
  'an epoch of %j is not stored, and the cancel that reported it succeeds',
  async (named) => {
    const records = new MemoryRecords();
    const said: string[] = [];
    const log = { ...SILENT, error: (_: object, text: string) => void said.push(text) };
    expect(await new AccountClient(lineOf(named), (epoch) => keepEpoch(records, epoch, log)).cancelAll()).toBe(2);
    expect([records.epoch, said]).toEqual([0, ["the account's new epoch could not be stored"]]);
    expect(() => parseEpoch(named)).toThrow(expect.objectContaining({ code: 'VENUE' }));
  },
);
