/** State of one Polymarket market of an import: its tokens, ticks, metadata and recent messages. */

import { z } from 'zod';
import type { Outcome } from '../../domain/index.ts';
import type { PolymarketMarketRecord } from '../../protocol/polymarket/index.ts';
import { RepeatDetector, SAVED_KEYS } from '../captures/repeat-detector.ts';
import { SAVED_TICKS, TickInference } from '../captures/tick-inference.ts';

/** Number of recent messages that a new message is compared with, and thus the maximum lag of a second capture. */
const RECENT_MESSAGES = 512;

export const SAVED_MARKET = z.object({ assets: z.array(z.string()), steps: SAVED_TICKS, recent: SAVED_KEYS });
type SavedMarket = z.output<typeof SAVED_MARKET>;

export class PolymarketMarket {
  readonly id: string;
  record: PolymarketMarketRecord | undefined;
  /** YES token, then NO token. Without metadata, the first token to arrive is YES. */
  readonly assets: string[] = [];
  readonly ticks: TickInference = new TickInference();
  readonly recent: RepeatDetector = new RepeatDetector(RECENT_MESSAGES);

  constructor(id: string, record: PolymarketMarketRecord | undefined) {
    this.id = id;
    this.setRecord(record);
  }

  /** Sets metadata and tokens. If messages came first, their first token stays YES and gets its own name. */
  setRecord(record: PolymarketMarketRecord | undefined): void {
    if (record === undefined) return;
    if (record.tickBps !== undefined) this.ticks.addTick(record.tickBps);
    const [first = record.assets[0]] = this.assets;
    if (!record.assets.includes(first)) return;
    this.record ??= first === record.assets[0] ? record : swapOutcomes(record);
    this.assets.splice(0, 2, ...this.record.assets);
  }

  /** Returns the outcome of a token; undefined for a third token. Adds an unknown token. */
  getOutcome(asset: string): Outcome | undefined {
    let index = this.assets.indexOf(asset);
    if (index < 0 && this.assets.length < 2) index = this.assets.push(asset) - 1;
    return (['YES', 'NO'] as const)[index];
  }

  save(): SavedMarket & { id: string } {
    return { id: this.id, assets: [...this.assets], steps: this.ticks.save(), recent: this.recent.save() };
  }

  restore({ assets, steps, recent }: SavedMarket, record: PolymarketMarketRecord | undefined): void {
    this.assets.splice(0, 2, ...assets);
    this.setRecord(record);
    this.ticks.restore(steps);
    this.recent.restore(recent);
  }
}

function swapOutcomes(record: PolymarketMarketRecord): PolymarketMarketRecord {
  const [yes, no] = record.assets;
  const [yesName, noName] = record.outcomes;
  return { ...record, assets: [no, yes], outcomes: [noName, yesName] };
}

const PAIR = z.tuple([z.string(), z.string()]).readonly();
/** Schema of the metadata of an announced market. Removes the other fields of the announcement. */
export const ANNOUNCED = z.object({
  market: z.string(),
  assets: PAIR,
  outcomes: PAIR,
  question: z.string().optional(),
  slug: z.string().optional(),
  tickBps: z.number().optional(),
});
