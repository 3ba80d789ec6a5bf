# One image for gateways, workers and the operators' commands; the command selects.
# NODE_IMAGE: any image with Node 20, npm and bash.
ARG NODE_IMAGE=node:20-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The build needs no package's install script.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# COPY keeps the modes of the checkout: after a strict umask the image's user could not read its files.
RUN node scripts/run.mjs build \
  && node --import tsx scripts/build/bundle/copy-packages.ts dist/packages \
  && node scripts/release/third-party-licences.mjs > dist/third-party-licences.txt \
  && cp LICENSE operators/containers/healthcheck.sh dist \
  && chmod -R a+rX dist

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
# As runtime/process/role-flags.ts.
ENV MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/dist/LICENSE /app/dist/third-party-licences.txt /app/dist/healthcheck.sh ./
COPY --from=build /app/dist/packages/node_modules node_modules
COPY --from=build /app/dist/client dist/client
COPY --from=build /app/dist/commands dist/commands
COPY --from=build /app/dist/roles dist/roles
# A user without a name, so that the log of operators' actions cannot name it instead of OPERATOR.
USER 10001:10001
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=20s CMD ["bash", "healthcheck.sh"]
CMD ["node", "--expose-gc", "--v8-pool-size=1", "dist/roles/gateway.mjs"]
