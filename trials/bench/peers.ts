import { createRequire } from 'node:module'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { ensureDeps } from '#scripts/install/ensure-deps.mjs'

export const PEERS_DIR = path.join(ROOT, 'trials/peers')

export const ensurePeers = () => ensureDeps(PEERS_DIR)

/** `Module` is what the caller uses: types of packages that a fresh clone does not have cannot be checked. */
export function requirePeer<Module>(name: string): Module {
  return createRequire(path.join(PEERS_DIR, 'package.json'))(name) as Module
}
