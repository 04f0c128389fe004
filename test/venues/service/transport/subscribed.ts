import { OPERATIONS } from '../../../../src/protocol/index.ts';
import type { Log } from '../../../../src/venues/base/index.ts';
import type { LinkState, StreamSink } from '../../../../src/venues/service/transport/index.ts';
import { transportTo, until } from '../real-venue.ts';
import { type Connection, ScriptedVenue } from './scripted-venue.ts';

export const BOOK = 'orderBookUpdated';

/** Records the calls of a subscription, as text. */
export class RecordingSink implements StreamSink<object> {
  readonly calls: string[] = [];

  next(data: object | null): void {
    this.calls.push(JSON.stringify(data));
  }

  onMalformed(problem: string): void {
    this.calls.push(`malformed: ${problem}`);
  }

  onRefused(errors: readonly { readonly message: string }[]): void {
    this.calls.push(`refused: ${errors[0]?.message}`);
  }

  onEnded(): void {
    this.calls.push('ended');
  }

  onLost(): void {
    this.calls.push('lost');
  }
}

export async function subscribed(settings = {}, log?: Log) {
  const venue = await ScriptedVenue.open();
  const transport = transportTo(venue.url, settings, log);
  const sink = new RecordingSink();
  let subscriptions = 0;
  const variables = () => {
    subscriptions += 1;
    return { marketId: 'm', afterSeq: String(subscriptions) };
  };
  const links: LinkState[] = [];
  transport.onLink((state) => void links.push(state));
  const handle = transport.subscribe(OPERATIONS.orderBookUpdated, variables, sink, {
    startsWithEvent: true,
    isUnchecked: true,
  });
  await until(() => venue.connections[0]?.subscriptionIds(BOOK).length === 1);
  const connection = (number: number): Connection => {
    const found = venue.connections[number];
    if (found === undefined) throw new Error(`no connection ${number}`);
    return found;
  };
  const sendWord = (number: number, word: string): void => {
    connection(number).next(connection(number).subscriptionIds(BOOK).at(-1) ?? '', { word });
  };
  return { venue, transport, sink, handle, links, connection, sendWord };
}
