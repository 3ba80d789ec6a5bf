import { Forked } from '#trials/kit/fork'
import type { Tally } from '#trials/kit/member'
import type { MemberCalls } from './members-process.ts'
import { createProject, type ProfileService, Stack } from './stack.ts'

export type MembersOptions = Pick<
  Stack['project'],
  'origin' | 'databaseUrl' | 'mailPort' | 'catcherPort' | 'settings'
>

export type StepFigures = ReturnType<Tally['take']> & {
  /** Commands that the client showed as waiting, because no answer came within its retry budget. */
  waited: number
  credits: number
}

/** Node reads the certificate once, at its start; whoever serves `origin` has signed it itself. */
export const startMembers = (certificate: string, options: MembersOptions) =>
  new Forked<MemberCalls>('trials/containers/members-process.ts', {
    env: { NODE_EXTRA_CA_CERTS: certificate, MEMBERS_OPTIONS: JSON.stringify(options) },
  })

export type Running = { stack: Stack; members: Forked<MemberCalls> }

export async function whileRunning(
  profiles: ProfileService[],
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const stack = new Stack(await createProject(profiles.includes('mail')))
  let members: Forked<MemberCalls> | undefined
  try {
    await stack.up(profiles)
    members = startMembers(await stack.certificateAuthority(), stack.project)
    await work({ stack, members })
  } finally {
    members?.end()
    await stack.down()
  }
}
