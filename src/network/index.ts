export { readForwardedAddress, toPlainAddress } from './client-address.ts';
export { FailedAttempts } from './failed-attempts.ts';
export {
  type HttpAnswer,
  HttpClient,
  type HttpFailure,
  type HttpRequest,
  isRedirect,
  redirectText,
} from './http-client.ts';
export { boundedWait, NETWORK_LIMITS } from './limits.ts';
export { listenOn } from './listen.ts';
export { getMember, isTooDeep, NestingError, parseJson, tryParseJson, tryRead } from './parse-json.ts';
export { readPages } from './read-pages.ts';
export { escapeControls, escapeLine, ReportLimiter, shortLine } from './report.ts';
