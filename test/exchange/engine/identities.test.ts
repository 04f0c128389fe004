import { describe, expect, it } from 'vitest';
import { MemoryIdentities } from '../../../src/exchange/engine/identities.ts';
import type { StateReader, StateWriter } from '../../../src/exchange/index.ts';
import { Harness } from './harness.ts';

class StateList implements StateWriter, StateReader {
  readonly list: (number | string)[] = [];
  #at = 0;

  number(): number;
  number(value: number): void;
  number(value?: number): number | undefined {
    return value === undefined ? Number(this.list[this.#at++]) : void this.list.push(value);
  }

  text(): string;
  text(value: string): void;
  text(value?: string): string | undefined {
    return value === undefined ? String(this.list[this.#at++]) : void this.list.push(value);
  }
}

/** More orders than three maps of four entries hold. */
const ORDERS = Array.from({ length: 15 }, (_, at) => at + 1);

function filled(identities: MemoryIdentities): MemoryIdentities {
  for (const order of ORDERS) identities.add(order, order % 3, `0x${order}`, `own-${order}`);
  return identities;
}

function lookUp(identities: MemoryIdentities): readonly (readonly [number, number])[] {
  return ORDERS.map(
    (order) => [identities.orderOfHash(`0x${order}`), identities.orderOfClientId(order % 3, `own-${order}`)] as const,
  );
}

describe('client order ids and digests in memory', () => {
  it('are all found when they fill more than one map', () => {
    const identities = filled(new MemoryIdentities(4));
    expect(lookUp(identities)).toEqual(ORDERS.map((order) => [order, order]));
    expect([identities.orderOfHash('0x16'), identities.orderOfClientId(1, 'own-2')]).toEqual([0, 0]);
  });

  it('are written the same from any number of maps and restored into maps of any size', () => {
    const severalMaps = new StateList();
    const oneMap = new StateList();
    filled(new MemoryIdentities(4)).writeState(severalMaps);
    filled(new MemoryIdentities()).writeState(oneMap);
    expect(severalMaps.list).toEqual(oneMap.list);
    expect(lookUp(MemoryIdentities.restore(severalMaps, 7))).toEqual(ORDERS.map((order) => [order, order]));
  });

  it('allow more signed orders than one map holds', () => {
    const harness = new Harness({ identities: new MemoryIdentities(4) });
    const account = harness.account();
    harness.market();
    for (const order of ORDERS) harness.order(account, { size: 1, hash: `0x${order}`, clientOrderId: `${order}` });
    expect(harness.view.openOrderCount).toBe(ORDERS.length);
    expect(harness.place(account, { size: 1, hash: '0x9' })).toEqual([{ type: 'duplicate', entry: 0, order: 9 }]);
  });
});
