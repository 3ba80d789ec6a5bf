import { Members } from '#trials/containers/members/members'
import type { ProjectOptions } from '#trials/containers/stack/project'
import { type ProfileService, Stack } from '#trials/containers/stack/stack'

export type Log = (line: string) => void

/** A part of `npm run test:containers`; returns the problems found. */
export type Part = (log: Log) => Promise<string[]>

/** A stack and the members who use it. */
export type Running = { stack: Stack; members: Members }

/** Starts two gateways and two workers, runs `work`, and removes everything. */
export async function whileRunning<T>(
  options: ProjectOptions & { profiles?: ProfileService[] },
  work: (running: Running) => Promise<T>,
): Promise<T> {
  const { profiles = [], ...project } = options
  const stack = await Stack.create(project)
  let members: Members | undefined
  try {
    await stack.up(2, 2)
    if (profiles.length > 0) await stack.upProfiles(...profiles)
    members = new Members(stack.project, await stack.certificateAuthority())
    return await work({ stack, members })
  } finally {
    members?.end()
    await stack.down()
  }
}
