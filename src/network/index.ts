export {
  type HttpAnswer,
  HttpClient,
  type HttpClientOptions,
  type HttpFailure,
  type HttpRequest,
  isRedirect,
  redirectText,
} from './http-client.ts';
export { boundedWait, NETWORK_LIMITS } from './limits.ts';
export { parseJson } from './parse-json.ts';
export { type Page, type PageInput, readPages } from './read-pages.ts';
export { ReportLimiter, shownText } from './report.ts';
