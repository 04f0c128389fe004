/** `npm run build:web` builds the dashboard's page. A dashboard in a checkout runs this program if the page is outdated. */
import { buildWeb } from './web.ts';

await buildWeb();
