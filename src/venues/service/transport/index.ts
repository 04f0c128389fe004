export { type Answer, expectData, isUnauthorized, problemOf } from './answer.ts';
export type { Piece } from './client-frame.ts';
export { endpointOf } from './endpoint.ts';
export { OperationTexts, readOperationTexts } from './operation-texts.ts';
export { createTransport, measureClock, type Transport } from './transport.ts';
export type { LinkState, OwnDocument, StreamHandle, StreamSink, TransportOptions } from './transport-options.ts';
