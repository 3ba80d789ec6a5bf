import { Forked } from '#trials/kit/fork'
import type { Tally } from '#trials/kit/member'
import type { MemberCalls } from './members-process.ts'
import { type ProfileService, Stack } from './stack.ts'

export type MembersOptions = Pick<
  Stack['project'],
  'origin' | 'databaseUrl' | 'mailPort' | 'catcherPort' | 'settings'
>

export type StepFigures = ReturnType<Tally['take']> & {
  /** Commands that the client showed as waiting, because no answer came within its retry budget. */
  waited: number
  credits: number
}

export type Running = { stack: Stack; members: Forked<MemberCalls> }

export async function whileRunning(
  profiles: ProfileService[],
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const stack = await Stack.create(profiles)
  let members: Forked<MemberCalls> | undefined
  try {
    await stack.up(profiles)
    const env = {
      // Node reads it once, at its start; the proxy has signed its certificate itself.
      NODE_EXTRA_CA_CERTS: await stack.certificateAuthority(),
      MEMBERS_OPTIONS: JSON.stringify(stack.project satisfies MembersOptions),
    }
    members = new Forked<MemberCalls>('trials/containers/members-process.ts', { env })
    await work({ stack, members })
  } finally {
    members?.end()
    await stack.down()
  }
}
