import { createRequire } from 'node:module'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { ensureDeps } from '#scripts/install/ensure-deps.mjs'

/** Folder of the peers; their packages lie in its `node_modules`. */
export const PEERS_DIR = path.join(ROOT, 'trials/peers')

/** Installs the peers of `trials/peers/package.json` unless they are there. */
export async function ensurePeers(): Promise<void> {
  await ensureDeps(PEERS_DIR)
}

/**
 * A peer's module. The type is what the caller uses of it: types of packages that a fresh clone does
 * not have cannot be checked.
 */
export function requirePeer<Module>(name: string): Module {
  return createRequire(path.join(PEERS_DIR, 'package.json'))(name) as Module
}
