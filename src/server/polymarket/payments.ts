/**
 * Daily payments to makers (docs/spec/polymarket.md#fees). Rebates are computed from fills. Operators can set other
 * amounts, which are stored.
 */
import { z } from 'zod';
import { nextEventLoopTurn } from '../../clock/index.ts';
import {
  DAY_MS,
  type EpochMs,
  FULL_BPS,
  formatMicros,
  type MakerPaid,
  mulDivFloor,
  parseTime,
  unchecked,
} from '../../domain/index.ts';
import { type Archive, type FillRow, RegistryTable } from '../../exchange/index.ts';
import { getTakerFill } from '../presenters/order-presenter.ts';
import { registryCodec } from '../registry-rows.ts';
import { badRequest } from './request.ts';
import type { PolymarketShared } from './shared.ts';

/** Fills that are read at once. Other requests are answered before the next fills are read. */
const FILLS_AT_ONCE = 1_000;
const MIN_DAILY_REBATE_MICRO_USD = 1_000_000;

export type MakerPayments = ReturnType<typeof createMakerPayments>;

export function createMakerPayments({ accounts, archive, contracts, markets, queue, registry }: PolymarketShared) {
  const codec = registryCodec(z.int().min(0), 'a payment of Polymarket');
  /** Micro-USD by the key `<cause> <address> <date> <market>`. */
  const operatorPayments = new RegistryTable(registry, 'polymarketPayment', codec);

  /** Returns market and micro-USD of each payment that an operator set for a day. */
  const listStoredPayments = (cause: MakerPaid['cause'], address: string, date: string) => {
    const prefix = `${cause} ${address} ${date} `;
    return [...operatorPayments.entries()].flatMap(([key, microUsd]) =>
      key.startsWith(prefix) ? [[Number(key.slice(prefix.length)), microUsd] as const] : [],
    );
  };

  /** Computes a day's rebates by market. The rebate is a share of the taker fees on the account's maker fills. */
  const computeRebates = async (address: string, begin: EpochMs): Promise<ReadonlyMap<number, number>> => {
    const account = queue.view.accountOf(address);
    if (account === 0 || markets.rebateBps === 0) return new Map();
    const fees = new Map<number, number>();
    /** Adds the fees of the next fills. @returns the last id; undefined at the end of the day */
    const addFees = (from: number | undefined): number | undefined => {
      const page = { maxRows: FILLS_AT_ONCE, direction: 'forward', from } as const;
      const { rows, hasNext } = archive.fills(unchecked.account(account), { since: begin }, 'oldest', page);
      for (const fill of rows) {
        if (fill.at >= begin + DAY_MS) return undefined;
        const fee = getTakerFee(fill, archive);
        if (fee > 0) fees.set(fill.market, (fees.get(fill.market) ?? 0) + fee);
      }
      return hasNext ? rows.at(-1)?.id : undefined;
    };
    for (let last = addFees(undefined); last !== undefined; ) {
      const from = last;
      await nextEventLoopTurn();
      last = await queue.read(() => addFees(from));
    }
    const rebates = [...fees].map(([market, fee]) => [market, mulDivFloor(fee, markets.rebateBps, FULL_BPS)] as const);
    const total = rebates.reduce((sum, [, rebate]) => sum + rebate, 0);
    return new Map(total < MIN_DAILY_REBATE_MICRO_USD ? [] : rebates);
  };

  /** Rebates that are being computed, by account and day. Equal requests share them: reading a day takes long. */
  const running = new Map<string, ReturnType<typeof computeRebates>>();
  const shareRebates = (address: string, begin: EpochMs): ReturnType<typeof computeRebates> => {
    const key = `${address} ${begin}`;
    const rebates = running.get(key) ?? computeRebates(address, begin).finally(() => running.delete(key));
    running.set(key, rebates);
    return rebates;
  };

  return {
    /** Stores an operator's payment with the next transaction. @param date a UTC day such as 2026-11-27 */
    put(payment: { address: string; market: number; cause: MakerPaid['cause']; date: string; microUsd: number }): void {
      const { address, market, cause, date, microUsd } = payment;
      operatorPayments.put(`${cause} ${address} ${date} ${market}`, microUsd);
    },

    /** Answers `GET /rebates/current`. @throws PolymarketRefusal for an invalid date */
    async rebates({
      date = '',
      maker_address: maker = '',
    }: Readonly<Record<string, string | undefined>>): Promise<readonly object[]> {
      const begin = parseDayBegin(date);
      const address = accounts.ownerAddress(maker.toLowerCase());
      const stored = listStoredPayments('rebate', address, date);
      const rebates = new Map([...(await shareRebates(address, begin)), ...stored]);
      return [...rebates].map(([market, microUsd]) => ({
        date,
        condition_id: markets.getMarket(market).condition,
        asset_address: contracts.collateral,
        maker_address: maker,
        rebated_fees_usdc: formatMicros(unchecked.usd(microUsd)),
      }));
    },

    /** Answers `GET /rewards/user`. @throws PolymarketRefusal for an invalid date */
    rewards(address: string, date = ''): readonly object[] {
      parseDayBegin(date);
      return listStoredPayments('reward', address, date).map(([market, microUsd]) => ({
        date,
        condition_id: markets.getMarket(market).condition,
        asset_address: contracts.collateral,
        maker_address: accounts.shownMaker(address),
        earnings: Number(formatMicros(unchecked.usd(microUsd))),
        asset_rate: 1,
      }));
    },
  };
}

/** Returns the taker's fee on a maker fill; 0 for other fills and reversed trades. */
function getTakerFee({ role, seq }: FillRow, archive: Archive): number {
  if (role !== 'MAKER' || archive.reversalSeqOf(seq) !== undefined) return 0;
  return getTakerFill(seq, archive)?.fee ?? 0;
}

/** @throws PolymarketRefusal for an invalid date */
function parseDayBegin(date: string): EpochMs {
  try {
    return parseTime('date', `${date}T00:00:00Z`);
  } catch {
    throw badRequest('invalid date');
  }
}
