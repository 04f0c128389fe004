/** The store files, market data and terms of a `FillBot`. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../../src/clock/index.ts';
import { durationMs, ZERO_USD } from '../../../../src/domain/index.ts';
import type { OrderRecords } from '../../../../src/runtime/index.ts';
import type { BotStore } from '../../../../src/store/index.ts';
import { type Log, RecentKeys } from '../../../../src/venues/base/index.ts';
import { PrintFlusher } from '../../../../src/venues/base/prints.ts';
import { RowWriter } from '../../../../src/venues/base/row-writer.ts';
import type { VenueOrders } from '../../../../src/venues/base/venue-orders.ts';
import type { BookFeedDeps } from '../../../../src/venues/service/market-data/book-feed-handler.ts';
import type { VenueTerms } from '../../../../src/venues/service/market-data/index.ts';
import { afterThisFile } from '../../../cleanup.ts';

let folder: string | undefined;
let files = 0;

export function bookDeps(
  clock: Clock,
  log: Log,
  orders: VenueOrders,
  sink: NonNullable<RowWriter['sink']>,
  onFailed: (error: unknown) => void,
): BookFeedDeps {
  return {
    rows: new RowWriter(sink),
    clock,
    log,
    offset: { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY },
    staleMs: 0,
    orders,
    trades: new RecentKeys(1_000),
    flusher: new PrintFlusher(orders),
    owner: {
      onBookLost: (_, problem) => {
        throw new Error(problem);
      },
      onFailed,
    },
  };
}

/** Wraps a store: calls `afterSigned` after signed orders become durable. */
export function recordsOf(store: BotStore, afterSigned: () => void): OrderRecords {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) => {
        const result: unknown = Reflect.apply(member, target, args);
        if (name === 'addSigned') afterSigned();
        return result;
      };
    },
  });
}

/** Returns a new path in a folder that is removed after the test file. */
export function newFile(): string {
  files += 1;
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'halfspread-own-fills-'));
    afterThisFile.add(removeFolder);
  }
  return join(folder, `${files}.sqlite`);
}

function removeFolder(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

export function copyOf(file: string): string {
  const copy = newFile();
  for (const part of ['', '-wal', '-intents']) {
    if (existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`);
  }
  return copy;
}

export const TERMS: VenueTerms = {
  mode: 'NORMAL',
  minBet: ZERO_USD,
  maxBet: ZERO_USD,
  maxExposure: ZERO_USD,
  spreadBps: 0,
  feeRateBps: 0,
  tickBps: 10,
  maxPlaces: 20,
  maxCancels: 200,
  minHeartbeat: durationMs(1_000),
  maxHeartbeat: durationMs(300_000),
  maxClockSkew: durationMs(30_000),
};
