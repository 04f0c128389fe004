export { type Answer, expectData, isUnauthorized, problemOf } from './answer.ts';
export type { Piece } from './client-frame.ts';
export { endpointOf } from './endpoint.ts';
export { OperationTexts, readOperationTexts } from './operation-texts.ts';
export { createTransport, measureClock } from './transport.ts';
export type {
  LinkState,
  OwnDocument,
  StreamHandle,
  StreamSink,
  Transport,
  TransportOptions,
} from './transport-port.ts';
