import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type EpochMs, unchecked } from '../../domain/index.ts';
import { getMember } from '../../network/index.ts';
import {
  computeBookHash,
  isPolymarketTradeRecord,
  type PolymarketEvent,
  type PolymarketTradeRecord,
  readPolymarketEvent,
  readPolymarketFrame,
  readPolymarketTradeRecord,
} from '../../protocol/polymarket/index.ts';
import { type CaptureDecoder, type InvalidMessage, toInvalidMessage } from '../captures/capture-file.ts';

/** A public trade of the Data API as an event. */
export type TradeRecordEvent = PolymarketTradeRecord & { readonly type: 'trade_record' };
/** A recorder's note that frames of this market are missing from here on. */
type RecordingGap = { readonly type: 'recording_gap'; readonly market: string; readonly at: EpochMs };
export interface CapturedEvent {
  readonly event: PolymarketEvent | TradeRecordEvent | RecordingGap | InvalidMessage;
  /** Hash computed from a book; undefined for other events and incomplete books. */
  readonly hash?: string | undefined;
}

/** Decodes frames of the market channel, books of the REST API, and public trades of the Data API. */
export const POLYMARKET_DECODER: CaptureDecoder<CapturedEvent> = {
  isMessage: (value) => 'event_type' in value || ('bids' in value && 'asks' in value) || isPolymarketTradeRecord(value),
  decode(message) {
    const events = readPolymarketFrame(message).map(decodeEvent);
    // The Data API sends trades newest first.
    const isTradeList = events.length > 1 && events.every(({ event }) => event.type === 'trade_record');
    return isTradeList ? events.toSorted((a, b) => (getTime(a) ?? 0) - (getTime(b) ?? 0)) : events;
  },
  getTime,
};

const recordingGap = z.object({
  event_type: z.literal('recording_gap'),
  market: z.string().max(100),
  timestamp: z.stringFormat('time', /^\d{1,15}$/).transform((text) => unchecked.time(Number(text))),
});

function decodeEvent(json: unknown): CapturedEvent {
  try {
    if (isPolymarketTradeRecord(json)) return { event: { type: 'trade_record', ...readPolymarketTradeRecord(json) } };
    const gap = recordingGap.safeParse(json);
    if (gap.success) return { event: { type: 'recording_gap', market: gap.data.market, at: gap.data.timestamp } };
    const event = readPolymarketEvent(json);
    return event.type === 'book' ? { event, hash: computeBookHash(json, sha1) } : { event };
  } catch (cause) {
    const invalid = toInvalidMessage(cause, getMember(json, 'market'));
    return { event: { ...invalid, market: invalid.market?.toLowerCase() } };
  }
}

function getTime({ event }: CapturedEvent): number | undefined {
  return 'at' in event ? event.at : undefined;
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
