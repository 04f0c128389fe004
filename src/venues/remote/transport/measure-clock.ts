import { parseTime } from '../../../domain/index.ts';
import type { DataOf } from '../../../protocol/index.ts';
import { OPERATIONS } from '../../../protocol/index.ts';
import type { Answer } from './answer.ts';
import type { Transport } from './transport-port.ts';

/** Asks the venue's health and takes a sample of its clock. The way may be long: the shortest one counts. */
export async function measureClock(transport: Transport): Promise<Answer<DataOf<typeof OPERATIONS.health>>> {
  const { clock, offset } = transport;
  const sent = clock.now();
  const answer = await transport.query(OPERATIONS.health, {}, { anonymous: true });
  // One that was tried again took longer and is the less exact for it, never wrong.
  if (answer.type === 'data') offset.sample(sent, clock.now(), parseTime('serverTime', answer.data.health.serverTime));
  return answer;
}
