# The service alone: DATABASE_URL names a PostgreSQL of version 15 or newer. compose.yaml brings both.
# For an image that is the same byte for byte, BASE names a digest: `npm run release` writes the script that does it.
ARG BASE=node:24-slim

# The pages, built.
FROM ${BASE} AS pages
WORKDIR /florin
COPY . .
RUN node scripts/prepare.mjs && mkdir -p packages/console/dist packages/checkout/dist packages/exit/dist packages/docs/dist dist/packages

# What the server imports, and nothing that only builds or tests: no local chain, compiler or bundler, which npm installs as optional
# parts. Node is the image's own and the database is another container, so npm's copies of both are left out too.
FROM ${BASE} AS modules
WORKDIR /florin
COPY . .
RUN npm ci --omit=dev --workspace=packages/server --ignore-scripts --no-audit --no-fund && node scripts/trim.mjs

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /florin
COPY package.json LICENSE ./
COPY --from=modules /florin/node_modules node_modules
COPY --from=modules /florin/packages/protocol packages/protocol
COPY --from=modules /florin/packages/accounts packages/accounts
COPY --from=modules /florin/packages/chains packages/chains
COPY --from=modules /florin/packages/checkout-core packages/checkout-core
COPY --from=modules /florin/packages/contracts packages/contracts
COPY --from=modules /florin/packages/embedded-postgres packages/embedded-postgres
COPY --from=modules /florin/packages/exit packages/exit
COPY --from=modules /florin/packages/platform packages/platform
COPY --from=modules /florin/packages/rail-kit packages/rail-kit
COPY --from=modules /florin/packages/order-model packages/order-model
COPY --from=modules /florin/packages/rail-evm packages/rail-evm
COPY --from=modules /florin/packages/rail-utxo packages/rail-utxo
COPY --from=modules /florin/packages/rail-intents packages/rail-intents
COPY --from=modules /florin/packages/server packages/server
COPY --from=pages /florin/packages/console/dist packages/console/dist
COPY --from=pages /florin/packages/checkout/dist packages/checkout/dist
COPY --from=pages /florin/packages/exit/dist packages/exit/dist
COPY --from=pages /florin/packages/docs/dist packages/docs/dist
COPY --from=pages /florin/dist/packages dist/packages
# A volume that is mounted here takes over whose it is.
RUN mkdir /journal && chown node:node /journal
USER node
EXPOSE 3000
# By bash, which takes two milliseconds: a Node of its own every ten seconds would cost more than the server at rest.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -t 2 line <&3 && [[ $line == 'HTTP/1.1 200 '* ]]"]
# The server itself is the first process: a stop reaches it as SIGTERM, and it drains.
# What Node keeps for young objects would grow with the machine, and several threads that collect it wait for each other on a busy
# one: docs/operations.md says what both cost.
CMD ["node", "--max-semi-space-size=16", "--no-parallel-scavenge", "packages/server/src/main.ts"]
