import type { Operation } from '../../../protocol/index.ts';
import type { Json } from '../transport/index.ts';
import type { OrdersOf } from './orders-of.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/**
 * Sends a change once and tells its outcome once: never during this call, nor after the end, whatever the network repeats.
 */
export function change<Data, Variables, Payload>(
  of: Pick<OrdersOf, 'transport' | 'timers' | 'trouble'>,
  operation: Operation<Data, Variables>,
  variables: Json,
  payloadOf: (data: Data) => Payload | null,
  take: (outcome: Outcome<Payload>) => void,
): void {
  let isAnswered = false;
  of.transport.send(operation, variables, (answer) => {
    if (isAnswered || of.timers.isClosed) return;
    isAnswered = true;
    take(outcomeOf(answer, payloadOf, of));
  });
}
