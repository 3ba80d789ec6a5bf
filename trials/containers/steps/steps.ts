import { setTimeout as sleep } from 'node:timers/promises'
import type { Role, Service, Stack } from '#trials/containers/stack/stack'

/** What operators do while members are there. */
export type Step = { name: string; run(stack: Stack): Promise<void> }

const STEADY_MS = 10_000
/** Restarts the containers of a service one after the other, each when the one before is healthy. */
async function restartEach(stack: Stack, service: Service): Promise<void> {
  for (const id of await stack.containers(service)) await stack.restart(service, id)
}

/** Starts as many new containers beside the old ones, then stops those: the upgrade of docs/containers.md. */
async function replace(stack: Stack, service: Role): Promise<void> {
  const old = await stack.containers(service)
  await stack.scale(service, old.length * 2)
  for (const id of old) await stack.remove(id)
}

/** The steps in their order; before and after them two gateways and two workers run. */
export const STEPS: Step[] = [
  { name: 'nothing', run: () => sleep(STEADY_MS) },
  { name: 'gateways 2 to 4', run: (stack) => stack.scale('gateway', 4) },
  { name: 'gateways 4 to 2', run: (stack) => stack.scale('gateway', 2) },
  { name: 'workers 2 to 4', run: (stack) => stack.scale('workers', 4) },
  { name: 'workers 4 to 2', run: (stack) => stack.scale('workers', 2) },
  { name: 'rolling restart of gateways', run: (stack) => restartEach(stack, 'gateway') },
  { name: 'rolling restart of workers', run: (stack) => restartEach(stack, 'workers') },
  { name: 'upgrade of gateways', run: (stack) => replace(stack, 'gateway') },
  { name: 'upgrade of workers', run: (stack) => replace(stack, 'workers') },
  { name: 'restart of the proxy', run: (stack) => restartEach(stack, 'proxy') },
  { name: 'restart of Redis', run: (stack) => restartEach(stack, 'redis') },
  { name: 'restart of Postgres', run: (stack) => restartEach(stack, 'postgres') },
]
