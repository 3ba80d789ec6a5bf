import { docker } from './engine.ts'
import type { Role, Stack } from './stack.ts'

const ROUNDS = 5

/** Time from the start of the container to the log line that says that the role is ready, ms. */
async function startedAfter(id: string): Promise<number> {
  const startedAt = await docker('inspect', '--format', '{{.State.StartedAt}}', id)
  const lines = (await docker('logs', '--since', startedAt, id)).split('\n')
  const ready = lines.find((line) => /"msg":"[a-z]+ (is|are) ready"/.test(line))
  if (!ready) throw new Error(`the container ${id} logged no readiness:\n${lines.join('\n')}`)
  return Number(JSON.parse(ready).time) - Date.parse(startedAt)
}

/** Cold starts of a role, ms, in ascending order: a container that is stopped and started again. */
export async function coldStarts(stack: Stack, role: Role): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [id = ''] = await stack.containers(role)
    await stack.restart(role, id)
    times.push(await startedAfter(id))
  }
  return times.sort((a, b) => a - b)
}

/** Memory of each container of a role, as the engine reports it. */
export async function memory(stack: Stack, role: Role): Promise<string[]> {
  const ids = await stack.containers(role)
  const usage = await docker('stats', '--no-stream', '--format', '{{.MemUsage}}', ...ids)
  return usage.split('\n').map((line) => line.split(' / ')[0] ?? '')
}
