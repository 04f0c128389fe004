/** `npm run build:web` builds the dashboard's page. In a checkout, a dashboard runs it if the page is outdated. */
import { buildWeb } from './web.ts';

await buildWeb();
