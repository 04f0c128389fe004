export { type Answer, expectData, isUnauthorized, problemOf } from './answer.ts';
export type { Piece } from './client-frame.ts';
export { OperationTexts, readOperationTexts } from './operation-texts.ts';
export { createTransport, measureClock, type Transport } from './transport.ts';
export {
  endpointOf,
  type LinkState,
  type StreamHandle,
  type StreamSink,
  type TransportOptions,
} from './transport-options.ts';
