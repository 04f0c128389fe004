import { InputFault } from '../../domain/index.ts';
import { getMember } from '../../network/index.ts';
import { type KalshiMessage, readKalshiMessage } from '../../protocol/kalshi/index.ts';
import { type CaptureDecoder, type InvalidMessage, toInvalidMessage } from '../captures/capture-file.ts';

const MAX_MESSAGES = 10_000;

/**
 * Returns a decoder of one file with stream messages, client commands and public trades of the REST API.
 * @param usesYesPrices whether NO levels have YES prices. Default: as the last recorded command says, else false
 */
export function makeKalshiDecoder(usesYesPrices: boolean | undefined): CaptureDecoder<KalshiMessage | InvalidMessage> {
  let lastCommandUsesYesPrices = false;
  const read = (json: unknown): KalshiMessage | InvalidMessage => {
    try {
      const message = readKalshiMessage(json, { usesYesPrices: usesYesPrices ?? lastCommandUsesYesPrices });
      if (message.type === 'command') lastCommandUsesYesPrices = message.usesYesPrices ?? lastCommandUsesYesPrices;
      return message;
    } catch (cause) {
      return toInvalidMessage(cause, getMember(getMember(json, 'msg'), 'market_ticker'));
    }
  };
  return {
    isMessage: (value) =>
      'cmd' in value || 'trade_id' in value || ('type' in value && ('msg' in value || 'sid' in value)),
    decode(message) {
      if (isTradeList(message))
        return message.trades.map(read).toSorted((a, b) => (getTime(a) ?? 0) - (getTime(b) ?? 0));
      if (!Array.isArray(message)) return [read(message)];
      if (message.length <= MAX_MESSAGES) return message.map(read);
      throw new InputFault('', message.length, `at most ${MAX_MESSAGES} messages in a line`);
    },
    getTime,
  };
}

function getTime(message: KalshiMessage | InvalidMessage): number | undefined {
  return 'at' in message ? message.at : undefined;
}

/** Whether the value is a response of `GET /markets/trades`, whose trades are newest first. */
function isTradeList(value: unknown): value is { trades: unknown[] } {
  const trades = getMember(value, 'trades');
  return Array.isArray(trades) && trades.length <= MAX_MESSAGES;
}
