/**
 * Measures whole imports, from file to tape: CSV and JSON lines by a mapping file, and captures of Polymarket and
 * Kalshi. Rates are per second of processor time of all threads, so they are rates of one core.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { importFiles, importKalshi, importPolymarket, mappingSchema } from '../src/history/index.ts';
import { type Bench, row, sideBySide } from './harness.ts';

const ROUNDS = 5;
const ROWS = 1_000_000;
const CAPTURED = 150_000;
const FOLDER = resolve(import.meta.dirname, 'out', 'import');
const MAPPING = mappingSchema.parse({
  name: 'bench',
  time: { column: 'ts', format: 'epoch_ms' },
  rows: [{ means: 'level', side: { column: 'side' }, price: { column: 'price' }, size: { column: 'size' } }],
  market: { column: 'market' },
  grid: { tick_bps: 10 },
});

const bench: Bench = async () => {
  mkdirSync(FOLDER, { recursive: true });
  const files = { csv: join(FOLDER, 'levels.csv'), jsonl: join(FOLDER, 'levels.jsonl') };
  if (!existsSync(files.jsonl)) writeLevels(files);
  const captures = { polymarket: join(FOLDER, 'polymarket.jsonl'), kalshi: join(FOLDER, 'kalshi.jsonl') };
  if (!existsSync(captures.polymarket)) writePolymarket(captures.polymarket);
  if (!existsSync(captures.kalshi)) writeKalshi(captures.kalshi);
  const hashes = new Set<string>();
  const run = (format: 'csv' | 'jsonl') => async () => {
    const start = process.cpuUsage();
    const { tapes, counts } = await importFiles({
      format,
      files: [files[format]],
      mapping: MAPPING,
      mappingFile: join(FOLDER, 'mapping.yaml'),
      folder: FOLDER,
      force: true,
    });
    const { user, system } = process.cpuUsage(start);
    hashes.add(tapes[0]?.manifest.contentHash ?? '');
    return (counts.messages * 1e6) / (user + system);
  };
  const capture = (name: 'polymarket' | 'kalshi') => async () => {
    const start = process.cpuUsage();
    const options = { files: [captures[name]], folder: FOLDER, name, force: true };
    const { counts } = await (name === 'kalshi' ? importKalshi(options) : importPolymarket(options));
    const { user, system } = process.cpuUsage(start);
    if (counts.dropped.size > 0) throw new Error(`messages of ${name} were dropped: ${[...counts.dropped.keys()]}`);
    return (counts.records * 1e6) / (user + system);
  };
  const rates = await sideBySide(ROUNDS, {
    csv: run('csv'),
    jsonl: run('jsonl'),
    polymarket: capture('polymarket'),
    kalshi: capture('kalshi'),
  });
  const { csv, jsonl } = rates;
  if (hashes.size !== 1) throw new Error(`imports of one book differ: ${[...hashes].join(', ')}`);
  rmSync(join(FOLDER, 'bench.tape'));
  for (const name of ['polymarket', 'kalshi']) rmSync(join(FOLDER, `${name}.tape`));
  return {
    results: [
      row('CSV', csv, 'messages/core s'),
      row('JSON lines', jsonl, 'messages/core s'),
      row('captures of Polymarket', rates.polymarket, 'messages/core s'),
      row('captures of Kalshi', rates.kalshi, 'messages/core s'),
    ],
    ratios: {},
    values: {
      messagesPerSecond: Math.min(csv.median, jsonl.median),
      messagesPerSecondCsv: csv.median,
      messagesPerSecondJsonl: jsonl.median,
      messagesPerSecondPolymarket: rates.polymarket.median,
      messagesPerSecondKalshi: rates.kalshi.median,
    },
    notes: [
      `${ROWS / 1e6}M rows of 7 columns; each row is a message with one level; by processor time of all threads`,
      'a Polymarket message has 620 bytes and one level of both tokens; a Kalshi message has 220 bytes and one level',
    ],
  };
};
export default bench;

/** Writes messages with a level change of each token, and a trade after every tenth. */
function writePolymarket(path: string): void {
  const market = `0x${'ab'.repeat(32)}`;
  const [yes, no] = ['1'.repeat(77), '2'.repeat(77)];
  const start = 1_767_225_600_000;
  const line = (at: number, fields: object): string => {
    const message = { ...fields, market, timestamp: String(at) };
    return `${JSON.stringify({ received_at: at + 3, message })}\n`;
  };
  const bids = [{ price: '0.50', size: '120' }];
  const asks = [{ price: '0.55', size: '100' }];
  let text = line(start, { event_type: 'book', asset_id: yes, bids, asks, hash: 'book', tick_size: '0.01' });
  for (let at = 1; at <= CAPTURED; at += 1) {
    const ts = start + at * 10;
    const common = { size: String(1 + (at % 97)), hash: `${at}`.padStart(40, '0') };
    const changes = [
      { asset_id: yes, price: '0.40', side: 'BUY', ...common, best_bid: '0.50', best_ask: '0.55' },
      { asset_id: no, price: '0.60', side: 'SELL', ...common, best_bid: '0.45', best_ask: '0.50' },
    ];
    text += line(ts, { event_type: 'price_change', price_changes: changes });
    if (at % 10 === 0) {
      text += line(ts, { event_type: 'last_trade_price', asset_id: yes, price: '0.50', side: 'SELL', size: '1' });
    }
  }
  writeFileSync(path, text);
}

/** Writes level changes, and a trade after every tenth. Levels grow for 80 messages and shrink for 80. */
function writeKalshi(path: string): void {
  const start = 1_767_225_600_000;
  const market = { market_ticker: 'KXRAIN-26JAN01-LIS', market_id: '0d5c1a8e-0000-4000-8000-000000000000' };
  let text = '';
  const line = (at: number, message: object): void => {
    text += `${JSON.stringify({ received_at: at + 3, message })}\n`;
  };
  const levels = { yes_dollars_fp: [['0.5000', '120.00']], no_dollars_fp: [['0.4500', '100.00']] };
  line(start, { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { ...market, ...levels } });
  for (let at = 0; at < CAPTURED; at += 1) {
    const ts_ms = start + at * 10;
    const price_dollars = `0.${4_000 + (at % 40) * 10}`;
    const delta_fp = at % 160 < 80 ? '5.00' : '-5.00';
    const side = at % 2 === 0 ? 'no' : 'yes';
    const change = { ...market, price_dollars, delta_fp, side, ts_ms };
    line(ts_ms, { type: 'orderbook_delta', sid: 1, seq: at + 2, msg: change });
    if (at % 10 !== 0) continue;
    const prices = { yes_price_dollars: '0.5000', no_price_dollars: '0.5000' };
    const taker = { taker_outcome_side: 'no', taker_book_side: 'ask', is_block_trade: false };
    const trade = { trade_id: `t${at}`, ...market, ...prices, count_fp: '1.00', ...taker, ts_ms };
    line(ts_ms, { type: 'trade', sid: 2, seq: at / 10 + 1, msg: trade });
  }
  writeFileSync(path, text);
}

function writeLevels({ csv, jsonl }: Readonly<Record<'csv' | 'jsonl', string>>): void {
  let text = 'ts,market,kind,side,price,size,id\n';
  let json = '';
  for (let at = 0; at < ROWS; at += 1) {
    const side = at % 2 === 0 ? 'bid' : 'ask';
    const price = `0.${side === 'bid' ? 400 + (at % 97) : 500 + (at % 89)}`;
    const size = (at % 977) / 4 + 1;
    const ts = 1_700_000_000_000 + at;
    text += `${ts},will-it-rain,level,${side},${price},${size},level-${at}\n`;
    json += `{"ts":${ts},"market":"will-it-rain","kind":"level","side":"${side}","price":"${price}","size":${size},"id":"level-${at}"}\n`;
  }
  writeFileSync(csv, text);
  writeFileSync(jsonl, json);
}
