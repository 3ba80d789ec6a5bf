import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Role, Stack } from '#trials/containers/stack/stack'
import type { Step } from './steps.ts'

/** Time in which members use one state of the upgrade. */
const PHASE_MS = 5_000
const ROLES: Role[] = ['workers', 'gateway']

/** Starts as many containers of an image beside those that run, and leaves both for a while. */
async function startBeside(stack: Stack, image: string): Promise<void> {
  stack.useImage(image)
  for (const role of ROLES) {
    const old = await stack.containers(role)
    await stack.scale(role, old.length * 2)
    const images = await stack.images(role)
    assert.equal(images.filter((one) => one === image).length, old.length, `${role}: ${images}`)
  }
  await sleep(PHASE_MS)
}

/** Stops the containers of an image one after the other. */
async function removeAllOf(stack: Stack, image: string): Promise<void> {
  for (const role of ROLES) {
    const [ids, images] = [await stack.containers(role), await stack.images(role)]
    for (const [n, id] of ids.entries()) if (images[n] === image) await stack.remove(id)
    await stack.healthy(role)
  }
  await sleep(PHASE_MS)
}

async function migrate(stack: Stack, image: string): Promise<void> {
  stack.useImage(image)
  await stack.compose('run', '--rm', '-T', 'migrate')
  await sleep(PHASE_MS)
  for (const role of ROLES) await stack.healthy(role)
}

/** The upgrade of docs/containers.md from one image to one with a further migration, and back. */
export const upgradeSteps = (older: string, newer: string): Step[] => [
  { name: 'older release', run: () => sleep(PHASE_MS) },
  { name: 'migration, older release stays', run: (stack) => migrate(stack, newer) },
  { name: 'newer release starts beside it', run: (stack) => startBeside(stack, newer) },
  { name: 'older release ends', run: (stack) => removeAllOf(stack, older) },
  { name: 'rollback: older release beside it', run: (stack) => startBeside(stack, older) },
  { name: 'newer release ends', run: (stack) => removeAllOf(stack, newer) },
]
