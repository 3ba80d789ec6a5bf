import { fork } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { ensurePeers } from '#trials/bench/harness/peers'

export type PeerKind = 'koa' | 'fastify' | 'ok'

/** Starts a peer of the reads in its own process; resolves when it listens. */
export async function startPeer(
  kind: PeerKind,
  env: Record<string, string>,
): Promise<{ pid: number; stop(): void }> {
  await ensurePeers()
  const child = fork(path.join(ROOT, 'trials/bench/reads/peer-process.ts'), [kind], {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH, ...env },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`the ${kind} peer ended with code ${code}`)))
  })
  return { pid: child.pid ?? 0, stop: () => child.disconnect() }
}
