/** `npm run build:web` builds the page of the dashboard. A dashboard in a checkout runs it when the page's sources are newer. */
import { buildWeb } from './web.ts';

await buildWeb();
