# One image for both roles; the command selects the role.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/run.mjs build

FROM node:20-bookworm-slim
ENV NODE_ENV=production
# As scripts/process/role-flags.ts.
ENV MALLOC_ARENA_MAX=2
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
CMD ["node", "--expose-gc", "--v8-pool-size=1", "dist/roles/gateway.mjs"]
