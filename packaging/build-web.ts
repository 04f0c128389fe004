/** `npm run build:web` builds the dashboard's page. In a checkout, a dashboard runs this file for an outdated page. */
import { buildWeb } from './web.ts';

await buildWeb();
