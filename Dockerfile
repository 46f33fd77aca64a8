# Targets: `service` is the API or the worker, as its command says. `inbox` is the local phones and mailboxes.
# glibc is required (the Temporal SDK has no musl build), so Debian and never Alpine.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS inbox
ENV NODE_ENV=production INBOX_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN mkdir /data && chown node /data
USER node
EXPOSE 3001 3025
CMD ["node", "dist/dev/inbox/main.js"]

FROM build AS production
RUN npm prune --omit=dev

FROM node:24-bookworm-slim AS service
# For `npm run backup` and `npm run restore`: the major version of the server. Debian has only 15, so the programs come from the Postgres project.
ARG POSTGRES_VERSION=18
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates postgresql-common \
  && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
  && apt-get install -y --no-install-recommends postgresql-client-$POSTGRES_VERSION \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 WORKER_HEALTH_HOST=0.0.0.0 IMAGES_DIR=/images
# By default, glibc keeps the freed memory of images in pools of many threads. With these settings, twenty photographs of
# 5 MB make the API grow by 125 MB instead of 220 MB.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=production /app/package.json ./
COPY --from=production /app/node_modules node_modules
COPY --from=production /app/dist dist
# A new volume gets the owner of the folder where it is mounted.
RUN mkdir -m 700 /images && chown node /images
USER node
EXPOSE 3000
CMD ["node", "dist/api/main.js"]
