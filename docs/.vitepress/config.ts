import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitepress';

const REPOSITORY = 'https://github.com/halfspread/halfspread/blob/main';
const page = (text: string, link: string) => ({ text, link });
const decisions = readdirSync(new URL('../decisions', import.meta.url)).filter((name) => /^\d/.test(name));

export default defineConfig({
  title: 'halfspread',
  description: 'Market making and trading bots for YES/NO prediction markets',
  srcExclude: ['generator/**'],
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  cacheDir: '../node_modules/.cache/vitepress',
  outDir: '../reports/site',
  markdown: {
    // Generics in tables are no Vue components, and `{{` is no template.
    html: false,
    config: (markdown) => {
      // Marks of generated parts are comments.
      markdown.core.ruler.before('normalize', 'comments', (state) => {
        state.src = state.src.replace(/<!--.*?-->/gs, '');
      });
      // Pages link to files of the repository, which are no pages of the site.
      markdown.core.ruler.push('repository-links', ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.attrGet('href') ?? '';
          const outside =
            /^(?:\.\.\/)+((?:src|test|bench|config|strategies|examples|bin|ops|packaging|Dockerfile|[A-Z]+\.md|docker).*)$/.exec(
              link,
            );
          if (token.type === 'link_open' && outside?.[1] !== undefined)
            token.attrSet('href', `${REPOSITORY}/${outside[1]}`);
        }
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      { text: 'Tutorial', items: [page('Start', '/'), page('Install', '/install')] },
      {
        text: 'How-to guides',
        items: [
          page('Write a strategy', '/strategies'),
          page('Backtest', '/backtesting'),
          page('Trade live', '/live'),
          page('Run as a service', '/service'),
          page('Upgrade', '/upgrading'),
          page('Run a venue', '/server'),
          page("Polymarket's dialect", '/polymarket'),
          page('Embed', '/embedding'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('CLI', '/cli'),
          page('Configuration', '/configuration'),
          page('halfspread', '/reference/index/README'),
          page('halfspread/embed', '/reference/embed/README'),
          page('API', '/api'),
          page('Protocol', '/protocol'),
          page('Signing', '/signing'),
          page('Access', '/access'),
          page('Objects of --json', '/json'),
          page('Importing your own data', '/importing'),
          page('Folders of tapes', '/catalogue'),
          page('Searching for parameters', '/optimizing'),
          page('Studies on many machines', '/many-machines'),
          page('Tape format', '/tape-format'),
          page('Storage', '/storage'),
          page('Glossary', '/glossary'),
        ],
      },
      {
        text: 'Explanation',
        items: [
          page('Architecture', '/architecture'),
          page('Markets', '/markets'),
          page('Risk', '/risk'),
          page('Results of the benchmark set', '/strategies/results'),
          page('Out of sample', '/strategies/out-of-sample'),
          page('Performance', '/performance'),
        ],
      },
      {
        text: 'For maintainers',
        items: [
          page('Decisions', '/decisions/'),
          ...decisions.map((name) => page(name.slice(0, 4), `/decisions/${name.replace('.md', '')}`)),
          page('Mutation testing', '/mutation-testing'),
        ],
      },
    ],
  },
});
