# A bot, or any other command: the published package on Node 24, without a compiler and without rights.
#   docker build -t halfspread .
#   docker run --rm -it -v "$PWD:/bots" halfspread doctor config/bot.yaml
FROM node:24-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run -s pack && mv halfspread-*.tgz /halfspread.tgz

FROM node:24-bookworm-slim
COPY --from=build /halfspread.tgz /tmp/halfspread.tgz
# npm cannot install in the root. The package stands there so that strategies in any folder find `halfspread`.
WORKDIR /tmp
RUN npm install --no-save --no-package-lock --ignore-scripts --omit=dev --no-audit --no-fund /tmp/halfspread.tgz \
  && mv node_modules / && rm -rf /tmp/halfspread.tgz /root/.npm \
  && mkdir /bots && chown 1000:1000 /bots
ENV NODE_ENV=production XDG_STATE_HOME=/bots/.state XDG_CACHE_HOME=/bots/.cache
USER 1000
WORKDIR /bots
# Node itself is the first process: it receives SIGTERM, cancels every order and checks that none is open.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/node_modules/.bin/halfspread"]
CMD ["--help"]
# A running bot sets the time of its lock once a second. Other commands have no lock, and this check does not concern them.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD for lock in /bots/*.db.lock; do [ ! -e "$lock" ] || [ -n "$(find "$lock" -newermt '-10 seconds')" ] || exit 1; done
